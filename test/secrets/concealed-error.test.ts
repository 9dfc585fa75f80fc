import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cardStatus } from '../../src/contract/card.js';
import { CardPlatformError } from '../../src/errors/index.js';
import { SecretValues } from '../../src/transport/response/redact.js';
import {
  redactError,
  redactErrorOf,
  rememberResult,
} from '../../src/transport/response/redact-error.js';

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

  it('has five levels of the errors that it joins', () => {
    let thrown: Error = new Error('the first');
    for (let depth = 0; depth < 9; depth++) thrown = new AggregateError([thrown]);
    let count = 0;
    for (let at = copied(thrown); at instanceof Error; at = (at as AggregateError).errors?.[0]) {
      count++;
    }
    expect(count).toBe(1 + 5);
  });

  it('shows only the code and the system call among its fields, and can be changed', () => {
    const inner = Object.assign(new Error('inner'), { code: 'ECONNRESET', syscall: 'read' });
    const thrown = Object.assign(new AggregateError([inner], 'outer', { cause: inner }), {
      code: 'EOUTER',
      syscall: 'write',
    });
    const copy = copied(thrown) as AggregateError & { code: string };
    expect(Object.keys(copy).sort()).toEqual(['code', 'syscall']);
    for (const name of ['name', 'stack', 'cause', 'errors', 'code', 'syscall']) {
      expect(Object.getOwnPropertyDescriptor(copy, name), name).toMatchObject({
        writable: true,
        configurable: true,
      });
    }
  });

  it.each([
    [7, 7],
    [1.5, undefined],
    [['EABC'], undefined],
    [{ toString: () => 'EABC' }, undefined],
    [`E_${SECRET.toUpperCase()}`, undefined],
  ])('has the code %j as %j', (code, kept) => {
    const copy = copied(Object.assign(new Error('failed'), { code })) as { code?: unknown };
    expect(copy.code).toBe(kept);
  });

  it.each([null, undefined, 5, true])('is nothing where that is %j', (thrown) => {
    expect(copied(thrown)).toBeUndefined();
  });

  it('has what can be read of an object that is no error', () => {
    const copy = copied({
      message: 5,
      stack: 6,
      get name() {
        throw new Error('not readable');
      },
    }) as Error;
    expect([copy.name, copy.message, copy.stack]).toEqual(['Error', '', '']);
  });

  it('is the error itself where this package has made it', () => {
    const inner = errorWithSecret();
    expect(copied(inner)).toBe(inner);
    expect(inner.message).not.toContain(SECRET);
  });

  it('has 1,000 characters of its message, and 10,000 of its stack', () => {
    const thrown = Object.assign(new Error('m'.repeat(1_001)), { stack: 's'.repeat(10_001) });
    const { message, stack } = copied(thrown) as Error;
    expect([message, stack]).toEqual(['m'.repeat(1_000), 's'.repeat(10_000)]);
    expect(copied('t'.repeat(1_001))).toBe('t'.repeat(1_000));
  });
});

it('an error of somebody else, and one that is frozen, stay as they are', () => {
  const known = new SecretValues([SECRET]);
  const error = new Error(`it failed near ${SECRET}`);
  expect(redactError(error, cardStatus, known)).toBe(error);
  expect(error.message).toContain(SECRET);
  const frozen = Object.freeze(errorWithSecret());
  expect(redactError(frozen, cardStatus, known)).toBe(frozen);
  for (const value of [null, undefined, 'text']) {
    expect(redactError(value, cardStatus, known)).toBe(value);
  }
});

it('an error of a wait holds no secret of the call whose result it contains', () => {
  const result = { status: 'PENDING' };
  rememberResult(result, cardStatus, () => new SecretValues([SECRET]));
  for (const value of [null, undefined, 'text']) {
    expect(() => rememberResult(value, cardStatus, () => new SecretValues([]))).not.toThrow();
  }
  const error = errorWithSecret();
  for (const other of [{ ...result }, null, undefined, 'text']) redactErrorOf(error, other);
  expect(error.message).toContain(SECRET);
  expect(redactErrorOf(error, result)).toBe(error);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET);
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
