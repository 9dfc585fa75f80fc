import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import { copyInput } from '../../src/transport/request/copy-input.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';
import { callWith } from './bad-input.js';
import { DECLARED_FIELDS, inputWith } from './declared-fields.js';
import { refusedIssues } from './refusals.js';

const KEYS: [string, string][] = [
  ['a key of 1 MB', 'k'.repeat(1_000_000)],
  ['terminal sequences', '\u001b[2J\u001b]0;owned\u0007'],
  ['line breaks', 'a\r\nb: c\u2028d'],
  ['text that is written backwards', '\u202eevil\u202c'],
  ['a lone surrogate', 'a\ud800'],
  ['all of it', `\u001b[31m\n${'x'.repeat(1_000_000)}\0`],
];

const isPrintable = (text: string) => /^[\x20-\x7e]*$/.test(text);

function expectShort(error: unknown) {
  for (const text of [(error as Error).message, JSON.stringify(error)]) {
    expect(isPrintable(text)).toBe(true);
    expect(text.length).toBeLessThan(2_000);
  }
  expect(inspect(error)).not.toContain('\u001b[2J');
}

const withInput = CONTRACT_ROWS.filter(({ call }) => call.input !== undefined);
const objects = DECLARED_FIELDS.filter(({ kind }) => kind === 'json');

describe.each(KEYS)('an input with %s as key', (_, key) => {
  it.each(withInput)('is refused by $id with a short, printable path', async ({ id, call }) => {
    const { fetch, requests } = scriptedFetch(json({ success: true }));
    const client = clientFor('https://api.example.com', { fetch });
    const input = { ...(call.input as object), [key]: '1' };
    const error = await rejection(callWith(client, id, input));
    expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
    expectShort(error);
    expect(requests).toHaveLength(0);
  });

  it.each(
    objects,
  )('names a wrong value in $operation $field by a short, printable path', async (of) => {
    const deep = { [key]: { [key]: { [key]: new Date(0) } } };
    const issues = await refusedIssues(of.operation, inputWith(of, deep));
    for (const { path } of issues) {
      expect(isPrintable(path)).toBe(true);
      expect(path.length).toBeLessThanOrEqual(240);
    }
  });

  it('is refused as an option by a short, printable name', async () => {
    const options = { baseUrl: 'https://api.example.com', clientKey: 'key' };
    const creations = [{ [key]: 1 }, { retry: { [key]: 1 } }, { additions: { [key]: ['a'] } }].map(
      (wrong) => () => new CardPlatformClient({ ...options, ...wrong } as never),
    );
    for (const create of creations) {
      const error = await rejection(Promise.resolve().then(create));
      expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not_sent' });
      expectShort(error);
      expect((error as { option: string }).option.length).toBeLessThan(60);
    }
    const client = clientFor('https://api.example.com', { fetch: scriptedFetch(json({})).fetch });
    for (const call of [
      client.card.status({ [key]: 1 } as never),
      client.card.status({ headers: { [key]: 'a' } }),
      client.request('GET', '/v1/things', { [key]: 1 } as never),
      client.request('GET', '/v1/things', { query: { [key]: {} as never } }),
      client.request('GET', '/v1/things', { params: { [key]: 'a' } }),
      client.request('POST', '/v1/things', { body: { [key]: new Date(0) as never } }),
    ]) {
      expectShort(await rejection(call));
    }
  });
});

describe('an input with thousands of wrong values', () => {
  it('leads to a short list of issues', () => {
    const wrong = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`k${i}`, 1n]));
    expect(copyInput(wrong).issues).toHaveLength(50);
  });

  it('is not read to its end', () => {
    let reads = 0;
    const list = new Proxy(new Array(2 ** 32 - 1), {
      get(target, name) {
        if (name === 'length') return target.length;
        reads++;
        return 1;
      },
    });
    const { issues } = copyInput({ list });
    expect(reads).toBeLessThan(10_001);
    expect(issues).toEqual([{ path: 'list.9998', message: 'contains too many values' }]);
  });
});
