import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { boostOf, rank, withMarks, wordsOf } from '../../site/build/search.js';
import { BUSINESS_ERRORS } from '../../src/contract/business-errors.js';

const root = new URL('../../', import.meta.url);
const catalogue = withMarks(
  readFileSync(new URL('docs/reference/error-catalogue.md', root), 'utf8'),
);
const page = (path: string) => `/card-platform-sdk/docs/${path}.html`;

describe('the search of the site', () => {
  it.each(
    Object.entries(BUSINESS_ERRORS),
  )('has the mark of the messages of %s, as a reader types them', (code, { messages }) => {
    const entry = catalogue.split(`### ${code}\n`)[1]?.split(/^#/m)[0] ?? '';
    for (const message of messages) {
      const typed = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
      const mark = wordsOf(typed).at(-1) ?? '';
      expect(mark).toMatch(/^msg0/);
      expect(entry.split(/\s/)).toContain(mark);
      expect(boostOf(mark)).toBeGreaterThan(boostOf('frozen'));
    }
  });

  it('leaves out words that say nothing, but searches for them alone', () => {
    expect(wordsOf('How do I freeze a card?')).toEqual(['freeze', 'card', 'msg0freezecard']);
    expect(wordsOf('OTP')).toEqual(['OTP']);
    expect(wordsOf('what is it')).toEqual(['what', 'is', 'it']);
  });

  it('ranks guides before tests, endpoints, errors, evidence and the rest', () => {
    const ranks = [
      page('users/login'),
      page('test/faults'),
      page('reference/error-catalogue'),
      '/card-platform-sdk/api/index.html',
    ].map(rank);
    expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
    expect(new Set(ranks).size).toBe(ranks.length);
    expect(rank(page('reference/endpoints'))).toBe(rank(page('own-wallet/endings')));
    expect(rank(page('evidence/reliability'))).toBeLessThan(rank(page('test/faults')));
  });

  it.each([
    rank,
    wordsOf,
    boostOf,
  ])('$name works as text, as VitePress sends it to a page', (own) => {
    const alone = new Function(`return ${own}`)();
    expect(alone('card is frozen')).toEqual(own('card is frozen'));
  });
});
