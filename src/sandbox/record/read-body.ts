import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { pairsOf } from '../../testing/query.js';
import type { Body, Headers } from './exchange.js';

/** The longest body that is read, in bytes. */
export const LONGEST_BODY = 4 * 1024 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded(?:[;,]|$)/i;

const LIMIT = { maxOutputLength: LONGEST_BODY };

function decompressed(bytes: Buffer, encoding: string): Buffer {
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(bytes, LIMIT);
  if (encoding === 'br') return brotliDecompressSync(bytes, LIMIT);
  if (encoding === 'deflate') return inflateSync(bytes, LIMIT);
  if (encoding === 'identity' || encoding === '') return bytes;
  throw new Error('the encoding is not known');
}

/** Reads a body. `undefined` stands for one that is longer than the limit. */
export function readBodyOf(bytes: Buffer | undefined, headers: Headers): Body {
  if (bytes === undefined) return { kind: 'too-large' };
  if (bytes.length === 0) return { kind: 'empty' };
  let text: string;
  try {
    const encoding = (headers['content-encoding'] ?? '').trim().toLowerCase();
    text = decompressed(bytes, encoding)
      .toString('utf8')
      .replace(/^\ufeff/, '');
  } catch {
    return { kind: 'unreadable' };
  }
  if (text.trim() === '') return { kind: 'empty' };
  if (FORM_TYPE.test(headers['content-type'] ?? '')) {
    return { kind: 'form', json: Object.fromEntries(pairsOf(text)) };
  }
  try {
    return { kind: 'json', json: JSON.parse(text) };
  } catch {
    return { kind: 'not-json' };
  }
}
