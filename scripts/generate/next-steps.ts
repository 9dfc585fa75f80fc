import { CardPlatformError, type ErrorFacts, type NextStep } from '../../src/errors/base.js';
import type { ErrorCode } from '../../src/errors/error-codes.js';
import { drawLadders } from './draw-ladder.js';

type Facts = Omit<ErrorFacts, 'message' | 'next'>;

/** A question about a failed call, and the step if the answer is yes. */
type Question = { text: string; next: NextStep; isTrue: (facts: Facts) => boolean };

/** Whether a code leads to a step by itself, where the outcome leads to none. */
const leadsTo = (next: NextStep) => (facts: Facts) =>
  new CardPlatformError({ message: '', code: facts.code, outcome: 'rejected' }).next === next;

/** The questions in the order in which they are asked. The first yes decides. */
const QUESTIONS: readonly Question[] = [
  {
    text: 'It can do no harm to call again, and may help: isRetryable',
    next: 'retry',
    isTrue: ({ isRetryable }) => isRetryable === true,
  },
  {
    text: 'It was done: outcome is executed',
    next: 'done',
    isTrue: ({ outcome }) => outcome === 'executed',
  },
  {
    text: 'It may have been done: outcome is unknown, and the call is not a read',
    next: 'look_up',
    isTrue: ({ outcome, isRead }) => outcome === 'unknown' && isRead !== true,
  },
  {
    text: 'The token is refused, or the session has ended: code',
    next: 'log_in',
    isTrue: leadsTo('log_in'),
  },
  {
    text: 'A wrong key, a missing permission or an unreadable response: code',
    next: 'contact',
    isTrue: leadsTo('contact'),
  },
];

const OTHERWISE: NextStep = 'show_user';

/** The step that the picture leads to. */
export function stepInPicture(facts: Facts): NextStep {
  return QUESTIONS.find(({ isTrue }) => isTrue(facts))?.next ?? OTHERWISE;
}

/** Draws how `error.next` follows from the facts of a failed call. */
export function nextStepDiagram(codes: readonly ErrorCode[]): string {
  const namesOf = (next: NextStep) =>
    codes.filter((code) => leadsTo(next)({ code, outcome: 'rejected' }));
  const rungs = QUESTIONS.map(({ text, next }) => ({ text, to: next }));
  const title = `From the facts of a failed call to error.next. log_in after the codes ${namesOf('log_in').join(', ')}; contact after ${namesOf('contact').join(', ')}`;
  return drawLadders(title, [{ start: 'A call failed', rungs, end: `Otherwise: ${OTHERWISE}` }]);
}
