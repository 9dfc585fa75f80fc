import { describe, expect, it } from 'vitest';
import {
  causeOf,
  describeThrown,
  failureCode,
  isTlsFailure,
  provesNoConnection,
} from '../../src/transport/outcome/network-error.js';

const coded = (code: unknown, more: object = {}) =>
  Object.assign(new Error('x'), { code, ...more });

describe('provesNoConnection', () => {
  it.each([
    [{ code: 'ECONNREFUSED', syscall: 'connect' }, true],
    [{ code: 'ETIMEDOUT', syscall: 'connect' }, true],
    [{ code: 'EHOSTUNREACH', syscall: 'connect' }, true],
    [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, true],
    [{ code: 'EAI_AGAIN', syscall: 'getaddrinfo' }, true],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, true],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, true],
    [{ code: 'CERT_HAS_EXPIRED' }, true],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, true],
    [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, true],
    // These codes also occur on connections that have carried the request.
    [{ code: 'ECONNREFUSED' }, false],
    [{ code: 'EHOSTUNREACH' }, false],
    [{ code: 'EHOSTUNREACH', syscall: 'read' }, false],
    [{ code: 'ENETUNREACH', syscall: 'write' }, false],
    [{ code: 'ECONNRESET', syscall: 'read' }, false],
    [{ code: 'EPIPE', syscall: 'write' }, false],
    [{ code: 'EPROTO', syscall: 'write' }, false],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, false],
    [{ code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR' }, false],
    [{ code: 'ERR_TLS_HANDSHAKE_TIMEOUT' }, false],
    [{ code: 'UND_ERR_SOCKET' }, false],
    [{ code: 'UND_ERR_HEADERS_TIMEOUT' }, false],
    [{ code: 'SOMETHING_NEW' }, false],
    [{ code: undefined }, false],
    [{ code: 5 }, false],
    [{ syscall: 'connect' }, true],
    [{ syscall: 5, code: 'ECONNREFUSED' }, false],
  ])('for the error %j returns %s', (facts, expected) => {
    const error = Object.assign(new Error('x'), facts);
    expect(provesNoConnection(error)).toBe(expected);
    expect(provesNoConnection(coded(undefined, { cause: error }))).toBe(expected);
    expect(provesNoConnection(coded(undefined, { errors: [error, error] }))).toBe(expected);
    const aggregate = coded(undefined, { cause: coded('ECONNREFUSED', { errors: [error] }) });
    expect(provesNoConnection(aggregate)).toBe(expected);
  });

  it('returns false when one of several addresses may have received the request', () => {
    const refused = coded('ECONNREFUSED', { syscall: 'connect' });
    const reset = coded('ECONNRESET', { syscall: 'read' });
    expect(provesNoConnection(coded('ECONNREFUSED', { errors: [refused, refused] }))).toBe(true);
    expect(provesNoConnection(coded('ECONNREFUSED', { errors: [refused, reset] }))).toBe(false);
  });

  it('returns false when the cause contradicts the error that wraps it', () => {
    const reset = coded('ECONNRESET', { syscall: 'read' });
    const wrapped = coded('ECONNREFUSED', { syscall: 'connect', cause: reset });
    expect(provesNoConnection(wrapped)).toBe(false);
  });

  it('searches a limited depth of causes and survives a cycle', () => {
    let deep: object = coded('ECONNREFUSED', { syscall: 'connect' });
    for (let i = 0; i < 6; i++) deep = { cause: deep };
    expect(provesNoConnection(deep)).toBe(true);
    expect(provesNoConnection({ cause: deep })).toBe(false);
    const cycle: { cause?: unknown } = {};
    cycle.cause = cycle;
    expect(provesNoConnection(cycle)).toBe(false);
  });

  it('returns false for a value that is not an error or cannot be read', () => {
    const hostile = {
      get code() {
        throw new Error('no');
      },
      get cause() {
        throw new Error('no');
      },
    };
    for (const failure of [undefined, null, 'text', 5, {}, [], hostile]) {
      expect(provesNoConnection(failure)).toBe(false);
      expect(failureCode(failure)).toBeUndefined();
      expect(isTlsFailure(failure)).toBe(false);
    }
  });
});

describe('failureCode', () => {
  it('returns the first code of the failure and its causes', () => {
    expect(failureCode(coded('ECONNRESET', { cause: coded('EPIPE') }))).toBe('ECONNRESET');
    expect(failureCode(coded(undefined, { cause: coded('EPIPE') }))).toBe('EPIPE');
    expect(failureCode({ errors: [coded('quoted "text"'), coded('ENOTFOUND')] })).toBe('ENOTFOUND');
  });

  it('searches five causes deep', () => {
    let deep: object = coded('EPIPE');
    for (let i = 0; i < 5; i++) deep = { cause: deep };
    expect(failureCode(deep)).toBe('EPIPE');
    expect(failureCode({ cause: deep })).toBeUndefined();
  });
});

describe('TLS failures', () => {
  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', true],
    ['SELF_SIGNED_CERT_IN_CHAIN', true],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', true],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', true],
    ['CERT_HAS_EXPIRED', true],
    ['HOSTNAME_MISMATCH', true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', true],
    ['ERR_SSL_WRONG_VERSION_NUMBER', true],
    ['ERR_TLS_HANDSHAKE_TIMEOUT', true],
    ['EPROTO', true],
    ['ECONNRESET', false],
    ['MY_CERT_HAS_EXPIRED', false],
    ['CERT_HAS_EXPIRED_2', false],
    ['MY_EPROTO', false],
    ['EPROTO_2', false],
    ['MY_ERR_SSL_WRONG_VERSION_NUMBER', false],
  ])('recognises %s: TLS %s', (code, isTls) => {
    for (const failure of [coded(code), { cause: coded(code) }, { errors: [coded(code)] }]) {
      expect(isTlsFailure(failure)).toBe(isTls);
    }
  });
});

describe('the cause of an error', () => {
  const clean = (text: string, length: number) => text.slice(0, length);

  it.each([
    ['of the runtime', 'the text "of the runtime"'],
    [() => 1, 'a function'],
    [undefined, 'undefined'],
    [null, 'null'],
    [5, '5'],
    [{}, 'Error'],
    [{ name: 'AbortError', message: '' }, 'AbortError'],
    [{ name: 'two words', message: 'it failed' }, 'Error: it failed'],
    [new TypeError('fetch failed'), 'TypeError: fetch failed'],
  ])('is described in a few words: %o', (failure, words) => {
    expect(describeThrown(failure, clean)).toBe(words);
  });

  it.each([undefined, null, 'text', 5])('is no error where %o was thrown', (failure) => {
    expect(causeOf(failure, clean)).toBeUndefined();
  });

  it('keeps name, code and system call, and its message only on request', () => {
    const failure = {
      code: 'EPIPE',
      syscall: 'write',
      name: 'SystemError',
      message: 'of the page',
    };
    expect(causeOf(failure, clean)?.message).toBe('of the page');
    expect(causeOf(failure)).toMatchObject({
      name: 'SystemError',
      message: 'EPIPE',
      code: 'EPIPE',
      syscall: 'write',
    });
    expect(causeOf({})?.message).toBe('the runtime reported no reason');
  });

  it('keeps 300 characters of a message, which may be a whole page', () => {
    const failure = new Error('x'.repeat(301));
    expect(causeOf(failure, clean)?.message).toBe('x'.repeat(300));
    expect(describeThrown(failure, clean)).toBe(`Error: ${'x'.repeat(300)}`);
    expect(describeThrown('x'.repeat(301), clean)).toBe(`the text "${'x'.repeat(300)}"`);
  });
});
