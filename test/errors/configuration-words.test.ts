import { describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

describe('a base URL that cannot be used', () => {
  const ABSOLUTE = 'must be an absolute URL, for example https://api.example.com';
  const HTTPS = 'must be https (http only on a loopback host)';
  const PLAIN = 'must not hold a query or fragment';
  const OPEN = 'must not hold a user name or password';

  it.each([
    ['', ABSOLUTE],
    ['api.example.com', ABSOLUTE],
    ['https://api.example.com /', ABSOLUTE],
    ['https:\\\\api.example.com', ABSOLUTE],
    [42, ABSOLUTE],
    ['http://api.example.com', HTTPS],
    ['ftp://localhost', HTTPS],
    ['https://ada@api.example.com', OPEN],
    ['https://:secret@api.example.com', OPEN],
    ['https://api.example.com?a=1', PLAIN],
    ['https://api.example.com#a', PLAIN],
    ['https://api.example.com/?', PLAIN],
    ['https://api.example.com/#', PLAIN],
  ])('%s', (baseUrl, rule) => {
    const make = () => new CardPlatformClient({ baseUrl: baseUrl as string });
    expect(make).toThrow(
      expect.objectContaining({ option: 'baseUrl', message: `baseUrl ${rule}.` }),
    );
  });
});

describe('an option of a call that cannot be used', () => {
  it.each([
    [{ signal: {} }, 'signal must be an AbortSignal.'],
    [{ signal: null }, 'signal must be an AbortSignal.'],
    [{ headers: 'x-a: b' }, 'headers must be a plain object.'],
    [{ headers: null }, 'headers must be a plain object.'],
    [{ headers: new Headers() }, 'headers must be a plain object.'],
    [{ schema: {} }, 'schema must be a Standard Schema.'],
    [{ schema: null }, 'schema must be a Standard Schema.'],
  ])('%j', async (options, words) => {
    const { fetch, requests } = scriptedFetch(json({ success: true }));
    const error = await rejection(
      clientFor('https://api.example.com', { fetch }).card.freeze(options as never),
    );
    expect(error).toMatchObject({ name: 'ConfigurationError', option: Object.keys(options)[0] });
    expect((error as Error).message).toContain(words);
    expect(requests).toHaveLength(0);
  });
});
