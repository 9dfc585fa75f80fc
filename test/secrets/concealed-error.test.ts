import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cardStatus } from '../../src/contract/card.js';
import { CardPlatformError } from '../../src/errors/index.js';
import { SecretValues } from '../../src/transport/response/redact.js';
import { redactError } from '../../src/transport/response/redact-error.js';

const SECRET = 'canary-secret-value';

/** An error that holds a secret wherever one can be. */
function errorWithSecret(): CardPlatformError {
  const cause = Object.assign(new Error(`the node said ${SECRET}`), { url: `https://x/${SECRET}` });
  const facts = {
    message: `it failed near ${SECRET}.`,
    code: 'api_error',
    outcome: 'unknown',
  } as const;
  return new CardPlatformError(facts, cause);
}

describe('an error that the caller gets holds no secret in', () => {
  const error = redactError(errorWithSecret(), cardStatus, new SecretValues([SECRET]));
  const { cause } = error as { cause?: Error };

  it.each<[string, unknown]>([
    ['its message', error.message],
    ['its stack, which begins with the message', error.stack],
    ['its JSON', JSON.stringify(error)],
    ['its text', String(error)],
    ['its printout', inspect(error, { depth: 9, showHidden: true })],
    ['the message of its cause', cause?.message],
    ['the stack of its cause', cause?.stack],
    ['the printout of its cause', inspect(cause, { depth: 9, showHidden: true })],
  ])('%s', (_, shown) => {
    expect(inspect(errorWithSecret())).toContain(SECRET);
    expect(String(shown)).not.toContain(SECRET);
    expect(shown).toBeDefined();
  });
});

it.each([
  ['1234567', 'it failed near 1234567.'],
  ['12345678', 'it failed near [redacted].'],
])('the words of this package hold no secret of eight characters or more: %s', (secret, expected) => {
  const facts = { message: `it failed near ${secret}.`, code: 'api_error', outcome: 'unknown' };
  const error = new CardPlatformError(facts as never, new Error(`near ${secret}`));
  redactError(error, cardStatus, new SecretValues([secret]));
  expect(error.message).toBe(expected);
  expect((error.cause as Error).message).toBe('near [redacted]');
});

describe('the copy of what somebody else has thrown', () => {
  const copied = (cause: unknown): unknown => {
    const facts = { message: 'it failed', code: 'api_error', outcome: 'unknown' } as const;
    const error = new CardPlatformError(facts, cause);
    return redactError(error, cardStatus, new SecretValues([SECRET])).cause;
  };

  it('has five of its causes, one inside the other', () => {
    let thrown = new Error('the first');
    for (let depth = 0; depth < 9; depth++) thrown = new Error('later', { cause: thrown });
    let count = 0;
    for (let at = copied(thrown); at instanceof Error; at = at.cause) count++;
    expect(count).toBe(1 + 5);
  });

  it('has ten of the errors that it joins', () => {
    const errors = Array.from({ length: 12 }, (_, index) => new Error(`part ${index}`));
    const { errors: kept } = copied(new AggregateError(errors)) as AggregateError;
    expect(kept.map((one: Error) => one.message)).toEqual(
      errors.slice(0, 10).map(({ message }) => message),
    );
  });

  it.each([
    ['longest', 'A'.repeat(40), 'E'.repeat(60), 'x'.repeat(20)],
    ['shortest', 'A', 'EE', 'x'],
  ])('has the %s name, code and system call that one can have', (_, name, code, syscall) => {
    const facts = { name, code, syscall };
    expect(copied(Object.assign(new Error('failed'), facts))).toMatchObject(facts);
  });

  it.each([
    ['longer', 'A'.repeat(41), 'E'.repeat(61), 'x'.repeat(21)],
    ['shorter', '', 'E', ''],
  ])('has no name, code and system call that is %s', (_, name, code, syscall) => {
    const copy = copied(Object.assign(new Error('failed'), { name, code, syscall }));
    expect(copy).toMatchObject({ name: 'Error', message: 'failed' });
    expect(copy).not.toHaveProperty('code');
    expect(copy).not.toHaveProperty('syscall');
  });

  it('has 1,000 characters of its message, and 10,000 of its stack', () => {
    const thrown = Object.assign(new Error('m'.repeat(1_001)), { stack: 's'.repeat(10_001) });
    const { message, stack } = copied(thrown) as Error;
    expect([message, stack]).toEqual(['m'.repeat(1_000), 's'.repeat(10_000)]);
    expect(copied('t'.repeat(1_001))).toBe('t'.repeat(1_000));
  });
});

it('an error holds no secret in a stack that was written before, as Chromium does at once', () => {
  const error = errorWithSecret();
  expect(error.stack).toContain(SECRET);
  redactError(error, cardStatus, new SecretValues([SECRET]));
  expect(error.stack).not.toContain(SECRET);
  expect(error.stack).toContain('concealed-error.test.ts');
});

it.each<[string, number, (at: number) => Error]>([
  ['the message', 1_000, (at) => new Error(`${'x'.repeat(at)}${SECRET}`)],
  [
    'the stack',
    10_000,
    (at) => Object.assign(new Error(), { stack: `${'x'.repeat(at)}${SECRET}` }),
  ],
])('%s of a cause shows no part of a secret where it is cut off', (_, length, causeWith) => {
  for (const shown of [4, 8, SECRET.length - 1]) {
    const facts = { message: 'it failed.', code: 'api_error', outcome: 'unknown' } as const;
    const error = new CardPlatformError(facts, causeWith(length - shown));
    redactError(error, cardStatus, new SecretValues([SECRET]));
    const { message, stack = '' } = error.cause as Error;
    expect(`${message}${stack}`).toContain('xxx');
    expect(`${message}${stack}`.includes(SECRET.slice(0, 4))).toBe(false);
  }
});
