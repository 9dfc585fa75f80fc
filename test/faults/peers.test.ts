import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../bench/faults/clients.js';
import type { Result } from '../../bench/faults/measure.js';
import { BEGIN, END, getCell, MEASURES, postCell } from '../../bench/faults/report.js';
import { ROWS } from '../../bench/faults/rows.js';

// This test injects no fault. It reads the result of `npm run faults:peers`.
const PAGE = readFileSync(new URL('../../docs/evidence/reliability.md', import.meta.url), 'utf8');
const GENERATED = PAGE.split(BEGIN)[1]?.split(END)[0] ?? '';

/** The tables between the markers: each is a list of rows, and each row a list of cells. */
const TABLES = (GENERATED.match(/(^\|.*\n)+/gm) ?? []).map((table) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.slice(2, -2).split(' | ')),
);

describe('the comparison with other SDKs in docs/evidence/reliability.md', () => {
  const [totals = [], posts = [], gets = []] = TABLES;
  const names = CLIENTS.map(({ name }) => name);

  it.each([
    ['POST', posts],
    ['GET', gets],
  ])('has a row for every fault and a column for every client in the table of the %s', (_, table) => {
    expect(table.slice(2).map(([label]) => label)).toEqual(ROWS.map(({ label }) => label));
    for (const cells of table) expect(cells).toHaveLength(1 + CLIENTS.length);
    expect(table[0]).toEqual(['fault', ...names]);
  });

  it('has a total for every measure', () => {
    expect(totals[0]).toEqual([`Of ${ROWS.length} faults`, ...names]);
    expect(totals.slice(2).map(([label]) => label)).toEqual(Object.keys(MEASURES));
  });

  it.each(Object.keys(MEASURES))('shows 0 for this client in the total: %s', (label) => {
    // To a read, `{"status":"FAILED"}` is a card whose status the client does not know.
    const expected = label === 'The GET ended as a success' ? '1' : '0';
    expect(totals.find(([first]) => first === label)?.[1]).toBe(expected);
  });

  it('shows no success of this client for a POST that was refused with 200', () => {
    const refused = ROWS.filter(({ wasRefused }) => wasRefused).map(({ label }) => label);
    expect(refused).toHaveLength(10);
    for (const label of refused) {
      const [, cell] = posts.find(([first]) => first === label) ?? [];
      expect(cell, label).toMatch(/^1× · (?:rejected|unknown)$/);
    }
  });
});

describe('a cell of the comparison', () => {
  const row = {
    label: 'a fault',
    open: () => Promise.reject(new Error('the fault must not be injected')),
  };
  const resultOf = (more: Partial<Result> = {}): Result => ({
    end: { kind: 'rejected', name: 'SomeError', isTyped: true, leaked: [] },
    requests: 1,
    hasOneKey: false,
    leaked: [],
    elsewhere: [],
    isFollowed: false,
    ...more,
  });
  const results = (more: Partial<Result>) => {
    return { money: resultOf(more), read: resultOf(more), login: resultOf() };
  };
  const outcome = (name: string) =>
    results({ end: { kind: 'rejected', name, isTyped: true, outcome: name, leaked: [] } });

  it('mentions an idempotency key only when the POST was sent again', () => {
    expect(postCell(results({ hasOneKey: true }), row)).toBe('1× · typed error');
    const again = results({ hasOneKey: true, requests: 2 });
    expect(postCell(again, row)).toBe('2× (idempotency key) · typed error');
  });

  it('marks an outcome that contradicts what the server knows', () => {
    expect(getCell(outcome('not_sent'))).toBe('1× · not_sent (wrong)');
    expect(postCell(outcome('rejected'), row)).toBe('1× · rejected');
    const executed = { ...row, wasExecuted: true };
    expect(postCell(outcome('rejected'), executed)).toBe('1× · rejected (wrong)');
    expect(postCell(outcome('unknown'), executed)).toBe('1× · unknown');
  });

  it('shows a secret that another call with the same fault leaked', () => {
    const login = resultOf({ leaked: ['password'], elsewhere: ['accessToken'] });
    expect(postCell({ ...results({ isFollowed: true }), login }, row)).toBe(
      '1× · typed error · follows · leaks password · access token to another origin',
    );
  });
});
