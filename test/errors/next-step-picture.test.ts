import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stepInPicture } from '../../scripts/generate/pictures.js';
import { CardPlatformError, type ErrorCode } from '../../src/errors/index.js';

const root = new URL('../../', import.meta.url);
const catalogue = readFileSync(new URL('docs/reference/error-catalogue.md', root), 'utf8');
const codes = [...catalogue.matchAll(/^### (\w+)$/gm)].map(([, code]) => code as ErrorCode);
const OUTCOMES = ['not_sent', 'rejected', 'unknown', 'executed'] as const;

const cases = codes.flatMap((code) =>
  OUTCOMES.flatMap((outcome) =>
    [true, false].flatMap((isRead) =>
      [true, false].flatMap((isLogin) =>
        [true, false].map((isRetryable) => ({ code, outcome, isRead, isLogin, isRetryable })),
      ),
    ),
  ),
);

it('the picture leads from every code, outcome and kind of call to the step of the error', () => {
  expect(codes.length).toBeGreaterThan(60);
  const differing = cases.filter(
    (facts) => stepInPicture(facts) !== new CardPlatformError({ message: '', ...facts }).next,
  );
  expect(differing).toEqual([]);
});

it('the picture has a box for every step that follows from the facts', () => {
  const picture = readFileSync(new URL('docs/images/next-step.svg', root), 'utf8');
  const steps = new Set(cases.map(stepInPicture));
  expect([...steps].sort()).toEqual(['contact', 'done', 'log_in', 'look_up', 'retry', 'show_user']);
  for (const step of steps) expect(picture).toMatch(new RegExp(`class="head"[^>]*>[^<]*${step}<`));
});
