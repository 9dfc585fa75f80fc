import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import { check } from '../../src/contract/check.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { requireExtraHeaders } from '../../src/transport/adapters/header-safety.js';
import { copyInput } from '../../src/transport/request/copy-input.js';
import { buildWireRequest } from '../../src/transport/request/wire-request.js';
import { requireBaseUrl } from '../../src/transport/settings/settings.js';
import { callWith } from '../input/bad-input.js';
import { rejection } from '../support/clients.js';
import { RUNS } from './runs.js';

fc.configureGlobal({ numRuns: RUNS });

describe('a validation issue', () => {
  it('never contains the value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ENDPOINTS), fc.uuid(), (endpoint, canary) => {
        const input = Object.fromEntries(
          ['email', 'amount', 'id', 'token', 'url', 'type'].map((key) => [key, `${canary} `]),
        );
        expect(JSON.stringify(check(endpoint.input, input))).not.toContain(canary);
      }),
    );
  });
});

describe('copyInput()', () => {
  it('returns plain JSON or issues', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const { copy, issues } = copyInput(value);
        if (issues.length > 0) return;
        expect(() => JSON.stringify(copy)).not.toThrow();
      }),
    );
  });

  it('returns JSON input unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
        const text = JSON.stringify(value);
        if (/__proto__|constructor|prototype/.test(text)) return;
        const { copy, issues } = copyInput(JSON.parse(text));
        expect(issues).toEqual([]);
        expect(JSON.stringify(copy)).toBe(text);
      }),
    );
  });

  it('reports a proxy that throws', () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('no');
        },
      },
    );
    expect(copyInput(hostile).issues).toEqual([{ path: '', message: 'cannot be read' }]);
  });

  it('limits the size of its input', () => {
    const many = Array.from({ length: 20_000 }, () => 1);
    expect(copyInput(many).issues.length).toBeGreaterThan(0);
  });
});

describe('a request', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 });

  it('keeps its path for any query value', () => {
    const history = ENDPOINTS.find(({ id }) => id === 'wallets.history.list');
    fc.assert(
      fc.property(text, (walletId) => {
        const input = { walletId, walletType: 'CREDIT', page: 0 };
        const { url } = buildWireRequest(
          { baseUrl: 'https://api.example.com', isProxied: false },
          history as never,
          input,
          { region: 'global', isInQuery: false },
          {},
        );
        const parsed = new URL(url);
        expect(parsed.origin + parsed.pathname).toBe('https://api.example.com/v1/wallet/history');
        expect(parsed.searchParams.get('walletId')).toBe(walletId);
        expect([...parsed.searchParams.keys()]).toEqual(['walletId', 'walletType', 'page']);
      }),
    );
  });

  it('is never sent with a path parameter that could change the path', async () => {
    const sent: string[] = [];
    const client = new CardPlatformClient({
      baseUrl: 'https://api.example.com/base',
      accessToken: 'token',
      retry: false,
      fetch: async (url) => {
        sent.push(url);
        return new Response('{}', { status: 404 });
      },
    });
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom('..', '.', '%2e%2e', '/', '\\', '?', '#', '@'),
      fc.webUrl(),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (id) => {
        sent.length = 0;
        await rejection(callWith(client, 'webhooks.get', { id }));
        expect(sent).toEqual([]);
      }),
    );
  });
});

describe('the options', () => {
  it('allow only a base URL with TLS or on this machine', () => {
    const urls = fc.oneof(
      fc.string(),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string().map((rest) => `https://${rest}`),
    );
    fc.assert(
      fc.property(urls, (baseUrl) => {
        let taken: string;
        try {
          taken = requireBaseUrl(baseUrl);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ConfigurationError', option: 'baseUrl' });
          return;
        }
        const url = new URL(taken);
        expect(
          url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname),
        ).toBe(true);
        expect(url.username + url.password + url.search + url.hash).toBe('');
      }),
    );
  });

  it('allow only headers that can be sent', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (headers) => {
        let checked: Record<string, string>;
        try {
          checked = requireExtraHeaders(headers);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ConfigurationError', option: 'headers' });
          return;
        }
        expect(() => new Headers(checked)).not.toThrow();
      }),
    );
  });
});
