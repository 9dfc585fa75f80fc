import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { observedEndpoints } from '../../src/contract/observed/endpoints.js';
import document from '../fixtures/observed-endpoints.json' with { type: 'json' };

const FOLDER = new URL('../../src/observed/namespaces/', import.meta.url);
const COMMENT = /\/\*\*((?:(?!\*\/).)*)\*\/\s+(export (?:abstract )?class )?(?:async )?(\w+)/gs;

type Documented = { name: string; text: string; ofClass: string };

/** The methods of every namespace, with their comments on one line. */
const METHODS: readonly Documented[] = readdirSync(FOLDER).flatMap((file) => {
  const found: Documented[] = [];
  let ofClass = '';
  for (const match of readFileSync(new URL(file, FOLDER), 'utf8').matchAll(COMMENT)) {
    const [, comment = '', isClass, name = ''] = match;
    const text = comment.replaceAll(/\s*\n\s*\* ?/g, ' ');
    if (isClass === undefined) found.push({ name, text, ofClass });
    else ofClass = text;
  }
  return found;
});

/** The first certainty that a comment states. A second one would be about a detail. */
const certaintyIn = (text: string) =>
  /\bcertainty\b.*?\b(high|medium|low)\b/i.exec(text)?.[1]?.toLowerCase();

describe.each(document.endpoints)('the documentation of $sdk', ({
  sdk,
  method,
  path,
  certainty,
}) => {
  const name = sdk.slice(sdk.lastIndexOf('.') + 1);
  const [documented, ...others] = METHODS.filter(
    (one) => one.name === name && one.text.includes(`\`${method} ${path}\``),
  );

  it('names method and path, once', () => {
    expect(documented, `${method} ${path}`).toBeDefined();
    expect(others).toEqual([]);
  });

  it('marks it as experimental', () => {
    expect(documented?.text).toContain('@experimental');
  });

  it('states its certainty', () => {
    const { text = '', ofClass = '' } = documented ?? {};
    expect(certaintyIn(text) ?? certaintyIn(ofClass)).toBe(certainty);
    const declared: Readonly<Record<string, { certainty?: string }>> = observedEndpoints;
    // The page on which a user signs in is not a call.
    if (sdk !== 'auth.oauth2.authorizeUrl') expect(declared[sdk]?.certainty).toBe(certainty);
  });
});

/** The key of docs/reference/observed.md, by the words of the sources. */
const CERTAINTIES = {
  high: /^(?:two|three) clients\b|^one client and the vendor page$/,
  medium:
    /^one client(?: in two code bases| and an interim build of another)?$|^the vendor page only$/,
  low: /^one client, interim build$|no two agree/,
};

it.each(
  document.endpoints,
)('the certainty of $sdk follows from its sources by the key of the page', ({
  sources,
  certainty,
  note,
}) => {
  const isRare = note.includes('not every tenant has it');
  if (isRare && sources === 'one client') expect(certainty).toBe('low');
  else if (sources.includes('no two agree')) expect(certainty).toBe('low');
  else expect(sources).toMatch(CERTAINTIES[certainty as keyof typeof CERTAINTIES]);
});
