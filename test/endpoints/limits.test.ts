import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { defineEndpoint } from '../../src/endpoints/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const GET = { id: 'own.get', method: 'GET', path: '/v9/own', retry: 'safe' } as const;
const declare = defineEndpoint as (declaration: unknown) => unknown;
const text = (length: number, char = 'a') => char.repeat(length);
const named = (name: string) => ({
  path: `/v9/{${name}}`,
  input: z.strictObject({ [name]: z.string() }),
});

describe('a declaration of an endpoint', () => {
  it.each<[string, object, object]>([
    ['path', { path: `/${text(200)}` }, { path: `/${text(201)}` }],
    ['path', named(text(60)), named(text(61))],
    ['path', { path: '/v9/...' }, { path: '/v9/..' }],
    ['path', { path: '/v9/...' }, { path: '/v9/.' }],
    ['id', { id: text(100) }, { id: text(101) }],
    ['id', { id: 'a' }, { id: '1' }],
    ['accept', { accept: text(200) }, { accept: text(201) }],
    ['accept', { accept: '*' }, { accept: '' }],
    ['errors', { errors: [400, 599] }, { errors: [399] }],
    ['errors', { errors: [] }, { errors: [600] }],
    ['retryAfterStatuses', { retryAfterStatuses: [500, 599] }, { retryAfterStatuses: [499] }],
    ['retryAfterStatuses', { retryAfterStatuses: [] }, { retryAfterStatuses: [600] }],
    ['maxResponseBytes', { maxResponseBytes: 1 }, { maxResponseBytes: 0 }],
    ['maxResponseBytes', { maxResponseBytes: 2 ** 30 }, { maxResponseBytes: 2 ** 30 + 1 }],
    ['maxRequests', { maxRequests: 1 }, { maxRequests: 0 }],
    ['retryAfterConnectFailure', { retryAfterConnectFailure: 0 }, { retryAfterConnectFailure: -1 }],
  ])('may have the first %s, and not the second: %o, %o', (option, right, wrong) => {
    expect(() => declare({ ...GET, ...right })).not.toThrow();
    expect(() => declare({ ...GET, ...wrong })).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', option }),
    );
  });
});

describe('a header of the caller', () => {
  const send = (headers: Record<string, string>) => {
    const { fetch, requests } = scriptedFetch(json({ id: 'c', status: 'ACTIVE' }));
    const { card } = clientFor('https://api.example.com', { fetch });
    return { requests, call: () => card.status({ headers }) };
  };

  it.each([
    [{ [`x-${text(98)}`]: 'v' }, { [`x-${text(99)}`]: 'v' }],
    [{ 'x-a': text(4096) }, { 'x-a': text(4097) }],
  ])('has a name and a value of a limited length', async (right, wrong) => {
    await send(right).call();
    const { call, requests } = send(wrong);
    const error = await rejection((async () => call())());
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'headers' });
    expect(requests).toEqual([]);
  });
});

it.each([
  [text(32), true],
  [text(33), false],
])('the name of a network with an address format has at most 32 characters: %s', (network, isName) => {
  const addressFormats = { [network]: { isAddress: () => true, hasMemos: false } };
  const create = () => clientFor('https://api.example.com', { additions: { addressFormats } });
  if (isName) expect(create).not.toThrow();
  else expect(create).toThrow(expect.objectContaining({ option: 'additions.addressFormats' }));
});

it.each([
  ['https://api.example.com/...', true],
  ['https://api.example.com/..', false],
  ['https://api.example.com/%2e%2E/a', false],
  ['https://api.example.com/.%2e', false],
  ['https://api.example.com/%2e', false],
  ['https://api.example.com/%2e%2e%2e', true],
])('the URL %s has segments that every runtime leaves as they are: %s', (baseUrl, isPlain) => {
  const create = () => clientFor(baseUrl);
  if (isPlain) expect(create).not.toThrow();
  else expect(create).toThrow(expect.objectContaining({ option: 'baseUrl' }));
});
