import { expect, it } from 'vitest';
import type { Exchange } from '../../../src/sandbox/record/exchange.js';
import type { Difference } from '../../../src/sandbox/record/finding.js';
import { isHarmlessName } from '../../../src/sandbox/record/known-words.js';
import { Redaction } from '../../../src/sandbox/record/redact-value.js';
import { Report } from '../../../src/sandbox/record/report.js';
import { findRoute } from '../../../src/testing/routing.js';

const differences = (count: number): Difference[] =>
  Array.from({ length: count }, (_, number) => ({
    kind: 'unknown-endpoint',
    side: 'request',
    operation: `GET /v1/own/${number}`,
    path: '',
    message: 'is not in the contract',
  }));

function exchangeWith(body: unknown): Exchange {
  const path = '/v1/wallet/external';
  return {
    method: 'GET',
    path,
    query: [],
    request: { headers: {}, body: { kind: 'empty' } },
    response: { status: 200, headers: {}, body: { kind: 'json', json: body } },
    route: findRoute('GET', path),
  };
}

it('a report has at most 1,000 differences, and goes on counting them', () => {
  const report = new Report();
  const redaction = new Redaction();
  report.add(exchangeWith([]), differences(1_001), 'first.json', redaction);
  report.add(exchangeWith([]), differences(1_001), 'second.json', redaction);
  const { differences: found, exchanges } = report.data;
  expect([found.length, exchanges]).toEqual([1_000, 2]);
  expect(found.at(-1)).toMatchObject({
    operation: 'GET /v1/own/999',
    count: 2,
    first: 'first.json',
  });
});

it('a report has at most 1,000 undocumented fields of an endpoint', () => {
  const report = new Report();
  const fields = Array.from({ length: 1_001 }, (_, number) => [`field ${number}`, 1]);
  report.add(exchangeWith([Object.fromEntries(fields)]), [], 'first.json', new Redaction());
  expect(Object.values(report.data.undocumented).map(({ length }) => length)).toEqual([1_000]);
});

it('a name of up to 60 characters can be shown, if its words are known', () => {
  const longest = `${'status-'.repeat(8)}card`;
  expect(longest).toHaveLength(60);
  expect(isHarmlessName(longest)).toBe(true);
  expect(isHarmlessName(`${longest}1`)).toBe(false);
});

it('JSON is written 32 levels deep, and nothing below', () => {
  const list = (inner: unknown) => [inner];
  const object = (inner: unknown) => ({ status: inner });
  for (const wrap of [list, object]) {
    const nested = (levels: number, inner: unknown = true): unknown =>
      levels === 0 ? inner : wrap(nested(levels - 1, inner));
    const written = (levels: number) => new Redaction().json(nested(levels), undefined);
    expect(written(32)).toEqual(nested(32));
    expect(written(33)).toEqual(nested(32, null));
  }
});

it('a secret of three characters is replaced wherever it occurs, a shorter one is not looked for', () => {
  const { placeholders } = new Redaction();
  for (const secret of ['abc', 'ab']) placeholders.replace(secret);
  expect([placeholders.has('abc'), placeholders.has('ab')]).toEqual([true, false]);
});

it('a number that may be a secret is written as 0', () => {
  const redaction = new Redaction();
  redaction.placeholders.replace('100');
  expect(redaction.json([482_913], undefined)).toEqual([0]);
  expect(redaction.json({ page: 100 }, 'named')).toEqual({ page: 0 });
  expect(redaction.json({ page: 2 }, 'named')).toEqual({ page: 2 });
});
