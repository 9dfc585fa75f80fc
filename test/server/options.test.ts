import { describe, expect, it } from 'vitest';
import { defineEndpoint } from '../../src/endpoints/index.js';
import { CardPlatformClient } from '../../src/index.js';
import { cardStatement } from '../../src/observed/index.js';
import { type CardProxyOptions, createCardProxy } from '../../src/server/index.js';

const own = defineEndpoint({ id: 'own.read', method: 'GET', path: '/v1/own', retry: 'safe' });
/** The path of an endpoint whose response has a lasting secret. */
const ownLogin = defineEndpoint({
  id: 'own.login',
  method: 'POST',
  path: '/v1/auth/login',
  retry: 'never',
  pageAccess: 'allowed',
});
const sameId = defineEndpoint({ id: 'card.status', method: 'GET', path: '/v1/x', retry: 'safe' });

const REQUIRED: CardProxyOptions = {
  client: new CardPlatformClient({ baseUrl: 'https://api.example.com', clientKey: 'a-key' }),
  session: () => undefined,
};

const createWith = (options: object) => () =>
  createCardProxy({ ...REQUIRED, ...options } as CardProxyOptions);

const NOT_A_FUNCTION = ['text', 1, null, {}];
const NOT_A_COUNT = [0, -1, 1.5, Number.NaN, '10', null];

/** Values that each option refuses. */
const REFUSED: { readonly [Name in keyof CardProxyOptions]-?: readonly unknown[] } = {
  client: [undefined, null, {}, 'a client'],
  session: [undefined, ...NOT_A_FUNCTION],
  endpoints: [
    'x',
    [null],
    [{}],
    [{ isOutsideContract: false }],
    [cardStatement],
    [ownLogin],
    [own, own],
    [sameId],
  ],
  allow: ['card.status', ['card.state'], ['auth.login'], [1], {}],
  basePath: ['', 'api', '/api//cards', '/api/../cards', '/a b', 1, null],
  origins: ['https://app.example', ['https://app.example/'], ['app.example'], [1], ['ftp://a'], {}],
  allowMissingOrigin: [1, 'true', null],
  maxBodyBytes: [...NOT_A_COUNT, 1_048_577],
  timeout: [...NOT_A_COUNT, 600_001],
  secrets: ['a secret', [''], ['abc'], ['Bearer abc'], [1], {}],
  onFailure: NOT_A_FUNCTION,
};

describe('createCardProxy', () => {
  it.each(Object.entries(REFUSED))('refuses invalid values of %s', (name, values) => {
    for (const value of values) {
      expect(createWith({ [name]: value }), JSON.stringify(value)).toThrow(
        expect.objectContaining({ name: 'ConfigurationError', option: name }),
      );
    }
  });

  it('refuses an unknown option, and shows its name only if it looks like one', () => {
    expect(createWith({ basepath: '/api' })).toThrow('basepath is not a known option.');
    expect(createWith({ getSession: '/api' })).toThrow('Did you mean session?');
    expect(createWith({ allowedOrigins: [] })).toThrow('Did you mean origins?');
    expect(createWith({ 'sk_live_1 2': '/api' })).toThrow('an option is not a known option.');
  });

  it.each([undefined, null, 'text'])('refuses %j in place of its options', (options) => {
    expect(() => createCardProxy(options as never)).toThrow('the options must be an object.');
  });

  it.each([
    {},
    { basePath: '/' },
    { basePath: '/api/cards/' },
    { origins: ['https://app.example', 'http://localhost:3000'] },
    { allow: ['card.status'], maxBodyBytes: 1, timeout: 600_000, secrets: ['abcd'] },
    { endpoints: [own], allow: ['own.read'] },
    { onFailure: undefined, allowMissingOrigin: true },
  ])('accepts %j', (options) => {
    expect(createWith(options)).not.toThrow();
  });
});
