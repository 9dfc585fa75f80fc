import { describe, expect, it } from 'vitest';
import { describeUnknownOption } from '../../src/contract/formats/option-names.js';
import { CardPlatformClient } from '../../src/index.js';
import { inBrowser } from '../support/adapters.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

describe('an invalid base URL', () => {
  const ABSOLUTE = 'must be an absolute URL, for example https://api.example.com';
  const HTTPS = 'must be https (http only on a loopback host)';
  const NO_QUERY = 'must not contain a query or fragment';
  const NO_CREDENTIALS = 'must not contain a user name or password';
  const PLAIN_PATH =
    'must have a path of plain ASCII, percent-encoded where needed, without . and .. in it';

  it.each([
    ['', ABSOLUTE],
    ['api.example.com', ABSOLUTE],
    ['https://api.example.com /', ABSOLUTE],
    ['https:\\\\api.example.com', ABSOLUTE],
    [42, ABSOLUTE],
    ['http://api.example.com', HTTPS],
    ['ftp://localhost', HTTPS],
    ['https://ada@api.example.com', NO_CREDENTIALS],
    ['https://:secret@api.example.com', NO_CREDENTIALS],
    ['https://api.example.com?a=1', NO_QUERY],
    ['https://api.example.com#a', NO_QUERY],
    ['https://api.example.com/?', NO_QUERY],
    ['https://api.example.com/#', NO_QUERY],
    ['https://api.example.com/cards/../admin', PLAIN_PATH],
    ['https://api.example.com/.', PLAIN_PATH],
    ['https://api.example.com/%2E%2e/admin', PLAIN_PATH],
    ['https://api.example.com/pläne', PLAIN_PATH],
    ['https://api.example.com/50%', PLAIN_PATH],
    ['https://api.example.com/<script>', PLAIN_PATH],
  ])('is rejected with its rule: %s', (baseUrl, rule) => {
    const make = () => new CardPlatformClient({ baseUrl: baseUrl as string });
    expect(make).toThrow(
      expect.objectContaining({ option: 'baseUrl', message: `baseUrl ${rule}.` }),
    );
  });
});

describe('an invalid option of a client', () => {
  const FORMAT = 'additions.addressFormats';
  const SCHEMES = 'additions.redirectSchemes must be schemes of an app such as myapp, and never';
  it.each<[options: object, message: string]>([
    [
      { baseUrl: undefined },
      'baseUrl is missing: it must be an absolute URL, for example https://api.example.com.',
    ],
    [{ region: 'eu' }, "region must be 'us' or 'global'."],
    [{ timeout: 0 }, 'timeout must be whole milliseconds from 1 to 2147483647.'],
    [{ totalTimeout: 1.5 }, 'totalTimeout must be whole milliseconds from 1 to 2147483647.'],
    [{ retry: 'yes' }, 'retry must be true, false or an object.'],
    [{ retry: { maxRetries: 6 } }, 'retry.maxRetries must be 0 to 5.'],
    [
      { retry: { maxDelay: -1 } },
      'retry.maxDelay must be whole milliseconds from 0 to 2147483647.',
    ],
    [{ fetch: 'fetch' }, 'fetch must be a function.'],
    [{ random: 0.5 }, 'random must be a function.'],
    [{ onDrift: {} }, 'onDrift must be a function.'],
    [{ middleware: ['x'] }, 'middleware must be an array of functions.'],
    [{ logger: { debug: () => 1 } }, 'logger must have the functions debug, warn.'],
    [{ clock: { now: () => 1 } }, 'clock must have the functions now, elapsed, schedule.'],
    [{ throughProxy: 'yes' }, 'throughProxy must be true or false.'],
    [{ journal: {} }, 'journal must come from createJournal() of card-platform-sdk/journal.'],
    [{ responseValidation: 'loose' }, "responseValidation must be 'strict' or 'tolerant'."],
    [{ additions: { evmNetworks: 'base' } }, 'additions.evmNetworks must be an array of strings.'],
    [
      { additions: { evmNetworks: ['base', 1] } },
      'additions.evmNetworks must be an array of strings.',
    ],
    [
      { additions: { redirectSchemes: ['myapp', 'javascript'] } },
      `${SCHEMES} javascript, http or the like.`,
    ],
    [
      { additions: { addressFormats: [] } },
      `${FORMAT} must be an object with a format per network.`,
    ],
    [
      { additions: { addressFormats: { '1': {} } } },
      `${FORMAT} must have names of networks as keys.`,
    ],
    [
      { additions: { addressFormats: { x: 1 } } },
      `${FORMAT}.x must be an object with isAddress and hasMemos.`,
    ],
    [{ additions: { addressFormats: { x: {} } } }, `${FORMAT}.x.isAddress must be a function.`],
    [
      { additions: { addressFormats: { x: { isAddress: () => true } } } },
      `${FORMAT}.x.hasMemos must be true or false.`,
    ],
    [
      { endpointCredentials: { 'card.status': 'clientKey' } },
      'endpointCredentials.card.status must be an array of clientKey, clientId, secretKey, accessToken.',
    ],
    ...['clientKey', 'clientId', 'secretKey', 'accessToken', 'endpointCredentials', 'region'].map(
      (option): [object, string] => [
        { throughProxy: true, [option]: option === 'endpointCredentials' ? {} : 'us' },
        `the proxy decides ${option}: leave it out when throughProxy is true.`,
      ],
    ),
  ])('is rejected with its rule: %j', (options, message) => {
    const make = () =>
      new CardPlatformClient({ baseUrl: 'https://api.example.com', ...options } as never);
    expect(make).toThrow(expect.objectContaining({ name: 'ConfigurationError', message }));
  });

  it('is a secret key where everyone can read it', () => {
    const make = () =>
      new CardPlatformClient({ baseUrl: 'https://api.example.com', secretKey: 'secret' });
    expect(() => inBrowser(make)).toThrow(
      'secretKey must not reach a browser, where every visitor can read it: use it on your server.',
    );
  });

  it('is an access token for one user that a proxy decides, or that is missing', () => {
    const baseUrl = 'https://api.example.com';
    expect(() =>
      new CardPlatformClient({ baseUrl, throughProxy: true }).withAccessToken('token'),
    ).toThrow('the proxy decides accessToken: leave it out when throughProxy is true.');
    for (const missing of [undefined, null, '']) {
      expect(() => new CardPlatformClient({ baseUrl }).withAccessToken(missing as never)).toThrow(
        'accessToken is missing: a login that ends in onboarding (phase is set) returns none.',
      );
    }
  });

  it('is a name of a network with more than 32 characters', () => {
    const make = (network: string) => () =>
      new CardPlatformClient({
        baseUrl: 'https://api.example.com',
        additions: { addressFormats: { [network]: { isAddress: () => true, hasMemos: false } } },
      });
    expect(make('n'.repeat(32))).not.toThrow();
    expect(make('n'.repeat(33))).toThrow('must have names of networks as keys.');
  });
});

describe('an unknown option', () => {
  it.each([
    ['2 of 5', 'abcxy', ['abcde'], 'Did you mean abcde?'],
    ['5 of 12', 'abcdefgvwxyz', ['abcdefghijkl'], 'The options are abcdefghijkl.'],
  ])('is a misspelling if at most 0.4 of its letters are wrong: %s', (_, name, names, advice) => {
    const { message } = describeUnknownOption(name, names);
    expect(message).toBe(`${name} is not a known option. ${advice}`);
  });

  it('is refused with a list of up to 30 others', () => {
    const messageOf = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => `option${index}`);
      return describeUnknownOption('zzzz', names).message;
    };
    expect(messageOf(30)).toContain('zzzz is not a known option. The options are option0, ');
    expect(messageOf(31)).toBe('zzzz is not a known option.');
  });
});

it('a client without the option journal says how it gets one', async () => {
  const { journal } = clientFor('https://api.example.com');
  for (const call of [
    () => journal.pending(),
    () => journal.reconcile({} as never),
    () => journal.recover({} as never),
    () => journal.remove({} as never, {} as never),
  ]) {
    expect(await rejection(call())).toMatchObject({
      name: 'ConfigurationError',
      option: 'journal',
      message: expect.stringContaining(
        'the client has no journal. Pass it the option journal: createJournal({ store }).',
      ),
    });
  }
});

it.each([
  { timeout: 1, totalTimeout: 1 },
  { timeout: 2 ** 31 - 1, totalTimeout: 2 ** 31 - 1 },
  { retry: { maxRetries: 0, baseDelay: 0, maxDelay: 0, maxRetryAfter: 0 } },
  { retry: { maxRetries: 5 } },
  { responseValidation: 'tolerant' },
  { responseValidation: 'strict' },
  { additions: { evmNetworks: undefined, redirectSchemes: ['myapp'] } },
  { endpointCredentials: { 'card.status': undefined, 'card.freeze': [] } },
  { throughProxy: false, region: 'us', clientKey: 'key' },
  { throughProxy: true },
])('valid options of a client are taken: %j', (options) => {
  const make = () =>
    new CardPlatformClient({ baseUrl: 'https://api.example.com', ...options } as never);
  expect(make).not.toThrow();
});

describe('an invalid option of a call', () => {
  it.each([
    [{ signal: {} }, 'signal must be an AbortSignal.'],
    [{ signal: null }, 'signal must be an AbortSignal.'],
    [{ headers: 'x-a: b' }, 'headers must be a plain object.'],
    [{ headers: null }, 'headers must be a plain object.'],
    [{ headers: new Headers() }, 'headers must be a plain object.'],
    [{ schema: {} }, 'schema must be a Standard Schema.'],
    [{ schema: null }, 'schema must be a Standard Schema.'],
    [{ timeout: 0 }, 'timeout must be whole milliseconds from 1 to 2147483647.'],
    [{ totalTimeout: '5' }, 'totalTimeout must be whole milliseconds from 1 to 2147483647.'],
    [{ retry: 3 }, 'retry must be true, false or an object.'],
    [{ middleware: () => 1 }, 'middleware must be an array of functions.'],
    [{ region: 'US' }, "region must be 'us' or 'global'."],
  ])('is rejected with its rule: %j', async (options, expectedMessage) => {
    const { fetch, requests } = scriptedFetch(json({ success: true }));
    const error = await rejection(
      clientFor('https://api.example.com', { fetch }).card.freeze(options as never),
    );
    expect(error).toMatchObject({ name: 'ConfigurationError', option: Object.keys(options)[0] });
    expect((error as Error).message).toContain(expectedMessage);
    expect(requests).toHaveLength(0);
  });
});

describe('client.request', () => {
  const TEMPLATE = 'path must be a path template such as /v1/things/{id}, without query or host.';
  const AUTH = 'auth must be an array of clientKey, clientId, secretKey, accessToken.';

  it.each([
    ['GET', 'v1/things', {}, TEMPLATE],
    ['GET', '', {}, TEMPLATE],
    ['GET', undefined, {}, TEMPLATE],
    ['GET', '/v1/things', { auth: ['password'] }, AUTH],
    ['GET', '/v1/things', { auth: ['clientKey', 'password'] }, AUTH],
    ['GET', '/v1/things', { auth: 'clientKey' }, AUTH],
    ['GET', '/v1/things', { secrets: ['a', 1] }, 'secrets must be an array of names.'],
    ['HEAD', '/v1/things', {}, 'method must be one of GET, POST, PUT, PATCH, DELETE.'],
    ['GET', '/v1/things', { routing: 'query' }, 'routing must be one of header, none.'],
    [
      ...(['GET', '/v1/things', { retryClass: 'always' }] as const),
      'retryClass must be one of safe, idempotent, issues-token, never.',
    ],
  ] as const)('rejects %s %s with the options %o', async (method, path, options, message) => {
    const { fetch, requests } = scriptedFetch(json({}));
    const client = clientFor('https://api.example.com', { fetch });
    const call = async () => client.request(method as 'GET', path as string, options as object);
    expect(await rejection(call())).toMatchObject({ name: 'ConfigurationError', message });
    expect(requests).toEqual([]);
  });

  it('sends no body without one, and an empty response means done only if nothing says money', async () => {
    const { fetch, requests } = scriptedFetch(new Response(null, { status: 204 }));
    const client = clientFor('https://api.example.com', { fetch });
    for (const options of [{ retryClass: 'idempotent' }, { mayBeEmpty: true }] as const) {
      expect(await client.request('POST', '/v1/things', options)).toBeUndefined();
    }
    // The path has a method, whose declaration says that no money moves.
    expect(await client.request('POST', '/v1/card/unfreeze')).toBeUndefined();
    expect(requests[0]?.init.body).toBeUndefined();
    for (const path of ['/v1/things', '/v1/wallet/internal/withdraw']) {
      expect(await rejection(client.request('POST', path))).toMatchObject({
        outcome: 'unknown',
        probableOutcome: 'executed',
      });
    }
  });
});

describe('an invalid header of the caller', () => {
  it.each([
    ['x a', 'v', 'a header has a name that HTTP does not allow.'],
    ['authorization', 'v', 'authorization cannot be set by a caller.'],
    ['X-US-Env', 'true', 'X-US-Env cannot be set by a caller.'],
    ['x-a', 'a\nb', 'x-a must be a string of at most 4096 printable ASCII characters.'],
    ['x-a', 42, 'x-a must be a string of at most 4096 printable ASCII characters.'],
  ])('is rejected with its rule: %s', async (name, value, rule) => {
    const { fetch, requests } = scriptedFetch(json({}));
    const client = clientFor('https://api.example.com', { fetch });
    const call = async () => client.card.status({ headers: { [name]: value as string } });
    expect(await rejection(call())).toMatchObject({
      option: 'headers',
      message: expect.stringContaining(`headers: ${rule}`),
    });
    expect(requests).toEqual([]);
  });
});
