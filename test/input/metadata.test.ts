import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { DECLARED_FIELDS, inputWith } from './declared-fields.js';
import { expectRefusal, refusedIssues, sentRequest } from './refusals.js';

class Place {
  city = 'Turin';
}
class Names extends Array<string> {}

const NOT_JSON: [string, unknown][] = [
  ['a Date', new Date(0)],
  ['a Map', new Map([['a', 1]])],
  ['a Set', new Set(['a'])],
  ['an instance of a class', new Place()],
  ['an object with an inherited field', Object.create({ city: 'Turin' })],
  ['a function', () => 1],
  ['a symbol', Symbol('a')],
  ['an object with a symbol as key', { [Symbol('a')]: 1 }],
  ['a bigint', 1n],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['bytes', new Uint8Array(2)],
  ['a boxed text', new String('a')],
  ['an error', new Error('a')],
  ['a pattern', /a/],
  ['a promise', Promise.resolve(1)],
  ['a lone surrogate', 'a\ud800'],
  ['undefined in a list', [undefined]],
  ['a hole in a list', new Array(3)],
];

const objects = DECLARED_FIELDS.filter(({ kind }) => kind === 'json');
const metadata = objects.filter(({ field }) => field.endsWith('metadata'));

describe('every free-form object of every endpoint', () => {
  it('is found in the declarations', () => {
    expect(objects.map(({ operation, field }) => `${operation} ${field}`)).toEqual([
      'delegation.submitEvmApproval extraBody',
      'delegation.submitSolanaApproval extraBody',
      'consent.createOnboarding consents.0.metadata',
      'consent.createOnboarding metadata',
      'webhooks.update metadata',
      'webhooks.create metadata',
    ]);
  });

  it.each(
    objects,
  )('$operation refuses values that JSON would change in $field, at any depth', async (of) => {
    for (const [shown, value] of NOT_JSON) {
      const holders: [unknown, string][] = [
        [{ a: value }, `${of.field}.a`],
        [{ a: [{ b: value }] }, `${of.field}.a.0.b`],
      ];
      for (const [held, path] of holders) {
        const issues = await refusedIssues(of.operation, inputWith(of, held));
        expect(
          issues.map((issue) => issue.path),
          shown,
        ).toContainEqual(expect.stringMatching(new RegExp(`^${path.replaceAll('.', '\\.')}`)));
      }
    }
  });

  it.each(objects)('$operation refuses a $field that is not an object', async (of) => {
    for (const value of ['{}', 5, true, [], null, new Map(), new Date(0), new Place()]) {
      await expectRefusal(of.operation, inputWith(of, value), of.field);
    }
  });

  it.each(objects)('$operation refuses keys of $field that cannot be sent', async (of) => {
    for (const key of ['\ud800', 'a\udc00', '__proto__', 'constructor']) {
      const held = Object.fromEntries([[key, 1]]);
      Object.defineProperty(held, key, { value: 1, enumerable: true });
      await expectRefusal(of.operation, inputWith(of, { deep: held }), `${of.field}.deep`);
    }
  });

  it.each(objects)('$operation refuses a $field that is nested without end', async (of) => {
    let deep: unknown = 1;
    for (let i = 0; i < 40; i++) deep = { deep };
    await expectRefusal(of.operation, inputWith(of, deep), of.field);
  });

  it.each(
    objects,
  )('$operation sends $field in an input of 32 levels, and refuses 33', async (of) => {
    // Above the field are the input itself, and what its path names.
    const own = 32 - of.field.split('.').length;
    const nested = (levels: number) => {
      let value: unknown = 'end';
      for (let level = 0; level < levels; level++) value = { value };
      return value;
    };
    const { body } = await sentRequest(of.operation, inputWith(of, nested(own)));
    expect(JSON.stringify(body)).toContain('"value":"end"');
    await expectRefusal(of.operation, inputWith(of, nested(own + 1)), of.field);
  });

  it.each(objects)('$operation refuses a $field that contains itself', async (of) => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const input = inputWith(of, cycle);
    await expectRefusal(of.operation, input, `${of.field}.self`);
  });

  it.each(objects)('$operation stops reading a $field with endless lists', async (of) => {
    const issues = await refusedIssues(of.operation, inputWith(of, { list: new Array(4e9) }));
    expect(issues.length).toBeLessThan(60);
  });

  it.each(objects)('$operation sends a plain $field of any realm unchanged', async (of) => {
    const value = { text: 'é漢😀', list: [1, null, [true]], deep: { a: { b: '' } } };
    const bare = Object.assign(Object.create(null), { a: 1 });
    const foreign = runInNewContext('({ a: { b: [1] } })');
    const input = inputWith(of, { ...value, bare, foreign, names: Names.from(['a']) });
    const { body } = await sentRequest(of.operation, input);
    expect(JSON.stringify(body)).toContain(
      JSON.stringify({ ...value, bare: { a: 1 }, foreign: { a: { b: [1] } }, names: ['a'] }).slice(
        1,
        -1,
      ),
    );
  });
});

describe('metadata', () => {
  const LIMIT = 64 * 1024;
  const around = JSON.stringify({ a: '' }).length;

  it.each(metadata)('$operation takes 64 KiB in $field and no more', async (of) => {
    const ascii = 'a'.repeat(LIMIT - around);
    const wide = '漢'.repeat(Math.floor((LIMIT - around) / 3));
    for (const text of [ascii, wide]) await sentRequest(of.operation, inputWith(of, { a: text }));
    for (const text of [`${ascii}a`, `${wide}漢`, '😀'.repeat(20_000), 'a'.repeat(5_000_000)]) {
      expect(await expectRefusal(of.operation, inputWith(of, { a: text }), of.field)).toEqual([
        { path: of.field, message: 'must be at most 64 KiB of JSON' },
      ]);
    }
  });
});

describe('the timestamp of consent metadata', () => {
  const ofConsents = metadata.filter(({ operation }) => operation === 'consent.createOnboarding');

  it.each(ofConsents)('must be ISO 8601 in $field', async (of) => {
    const refused = [
      'now',
      '',
      '01/31/2026',
      '2026-1-31',
      '2026-02-30T00:00:00Z',
      '2026-01-31 09:00',
      '2026-01-31T25:00:00Z',
      '2026-01-31T09:00:00Z\n',
      1769850000000,
      null,
      {},
    ];
    for (const timestamp of refused) {
      const input = inputWith(of, { timestamp });
      await expectRefusal(of.operation, input, `${of.field}.timestamp`);
    }
    const taken = [
      '2026-01-31T09:00:00Z',
      '2026-01-31T09:00:00.123+01:00',
      '2024-02-29T23:59',
      '2026-01-31',
    ];
    for (const timestamp of taken) {
      await sentRequest(of.operation, inputWith(of, { timestamp }));
    }
    await sentRequest(of.operation, inputWith(of, { version: '1' }));
  });
});
