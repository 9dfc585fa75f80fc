import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BUSINESS_ERRORS } from '../../src/contract/business-errors.js';
import { RECOGNISED_ERRORS } from '../../src/contract/recognised-errors.js';

const root = new URL('../../', import.meta.url);
const catalogue = readFileSync(new URL('docs/reference/error-catalogue.md', root), 'utf8');
const documented = [...catalogue.matchAll(/^### (\w+)$/gm)].map(([, code]) => code ?? '');

/** An outcome, next steps, and fields of error bodies: words of the same form as a code. */
const NO_CODES = ['not_sent', 'log_in', 'look_up', 'show_user', 'error_description', 'error_code'];

function codesIn(folder: string): string[] {
  const all = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' });
  const names = all.filter((name) => name.endsWith('.ts'));
  const sources = names.map((name) => readFileSync(new URL(`${folder}${name}`, root), 'utf8'));
  const found = sources.flatMap((source) => [
    ...source.matchAll(/(?:code: |\?\? |, |= )'([a-z]+(?:_[a-z]+)+)'/g),
  ]);
  return found.map(([, code]) => code ?? '').filter((code) => !NO_CODES.includes(code));
}

it('documents every error code once', () => {
  expect(new Set(documented).size).toBe(documented.length);
});

it.each(Object.keys(BUSINESS_ERRORS))('documents %s', (code) => {
  expect(documented).toContain(code);
});

/** The part of the catalogue under the heading of a code. */
function entryOf(code: string): string {
  const [, after = ''] = catalogue.split(`### ${code}\n`);
  return after.split(/^#/m)[0] ?? '';
}

it.each(
  Object.entries(BUSINESS_ERRORS),
)('shows the messages of %s, by which a reader finds it', (code, { messages }) => {
  for (const message of messages) expect(entryOf(code)).toContain(`"${message}"`);
});

it.each(RECOGNISED_ERRORS)('documents when a refusal is $code', ({ code, endpoints, statuses }) => {
  expect(documented).toContain(code);
  if (code in BUSINESS_ERRORS) return;
  for (const id of endpoints === '*' ? [] : endpoints) expect(entryOf(code)).toContain(id);
  for (const status of statuses) expect(entryOf(code)).toContain(String(status));
});

it('documents every code that the client can throw', () => {
  const thrown = [...codesIn('src/errors/'), ...codesIn('src/transport/')];
  expect(thrown.length).toBeGreaterThan(15);
  expect(documented).toEqual(expect.arrayContaining([...new Set(thrown)]));
});
