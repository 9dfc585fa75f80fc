import { describe, expect, it } from 'vitest';
import {
  discardBody,
  ERROR_LIMIT,
  NotText,
  readBody,
  SUCCESS_LIMIT,
  TooLong,
} from '../../src/transport/adapters/fetch-body.js';

/** An answer that comes in these pieces. */
function answering(status: number, ...pieces: readonly Uint8Array[]) {
  const left = [...pieces];
  let cancelled = 0;
  const cancel = async () => {
    cancelled++;
  };
  const read = async () => {
    const value = left.shift();
    return value === undefined ? { done: true } : { done: false, value };
  };
  const response = {
    ...{ status, ok: status < 400, headers: new Headers() },
    body: { getReader: () => ({ read, cancel }), cancel },
  };
  return { response, cancelled: () => cancelled };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('a body', () => {
  it('is put together from its pieces, also in the middle of a letter', async () => {
    const bytes = utf8('{"name":"Zoë"}');
    const cut = bytes.indexOf(0xc3) + 1;
    const { response } = answering(200, bytes.slice(0, 3), bytes.slice(3, cut), bytes.slice(cut));
    expect(await readBody(response)).toBe('{"name":"Zoë"}');
  });

  it('may be none', async () => {
    const { response } = answering(204);
    expect(await readBody({ ...response, body: null })).toBe('');
    expect(await readBody(response)).toBe('');
  });

  it.each([
    [200, SUCCESS_LIMIT],
    [400, ERROR_LIMIT],
  ])('of status %i may have %i bytes, and not one more', async (status, limit) => {
    const full = answering(status, new Uint8Array(limit - 1).fill(32), utf8(' '));
    expect(await readBody(full.response)).toHaveLength(limit);
    expect(full.cancelled()).toBe(0);
    const over = answering(status, new Uint8Array(limit).fill(32), utf8(' '));
    await expect(readBody(over.response)).rejects.toEqual(new TooLong(limit));
    expect(over.cancelled()).toBe(1);
  });

  it('has to be UTF-8', async () => {
    const { response } = answering(200, new Uint8Array([0xff]));
    await expect(readBody(response)).rejects.toBeInstanceOf(NotText);
  });

  it('ends where a reader gives nothing more, whatever it says', async () => {
    const { response } = answering(200);
    const reader = { read: async () => ({ done: false }), cancel: async () => {} };
    const body = { getReader: () => reader, cancel: async () => {} };
    expect(await readBody({ ...response, body })).toBe('');
  });

  it('that nobody reads is given back', () => {
    const { response, cancelled } = answering(200);
    discardBody(response);
    expect(cancelled()).toBe(1);
    expect(() => discardBody({ ...response, body: null })).not.toThrow();
  });
});
