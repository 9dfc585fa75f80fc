import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { appClient, appResponse, BASE_URL, enterReactNative, stubFetch } from './support.js';

const MIB = 1024 * 1024;
const STATUS_URL = `${BASE_URL}/v1/card/status`;
const CARD = '{"id":"c","status":"ACTIVE"}';
/** A card of this many bytes; the euro sign has three. */
const cardOf = (bytes: number) => {
  const [start, end] = ['{"id":"c","status":"ACTIVE","note":"', '"}'];
  const rest = bytes - start.length - end.length;
  return start + '€'.repeat(Math.floor(rest / 3)) + 'a'.repeat(rest % 3) + end;
};
const read = (options = {}) => appClient({ retry: false, ...options }).card.status();
const withdraw = () => appClient().wallets.credit.withdraw({ amount: '1' });

beforeEach(enterReactNative);
afterEach(() => vi.unstubAllGlobals());

describe('a body without a stream', () => {
  it('is read up to 1 MiB of UTF-8, counted in bytes', async () => {
    stubFetch(
      () => appResponse(cardOf(MIB)),
      () => appResponse(cardOf(MIB + 1)),
    );
    expect(await read()).toMatchObject({ status: 'ACTIVE' });
    expect(await rejection(read())).toMatchObject({ name: 'ResponseTooLargeError', status: 200 });
  });

  it('with an announced length over the limit is refused before it is read', async () => {
    const headers = { 'content-length': String(MIB + 1) };
    const response = appResponse(CARD, { headers });
    stubFetch(() => response);
    expect(await rejection(read())).toMatchObject({ name: 'ResponseTooLargeError', status: 200 });
    expect(response.text).not.toHaveBeenCalled();
  });

  it.each([
    '',
    'unknown',
    String(MIB),
    '-1',
    '1e9',
  ])('with the announced length "%s" is read', async (length) => {
    stubFetch(() => appResponse(CARD, { headers: { 'content-length': length } }));
    expect(await read()).toMatchObject({ status: 'ACTIVE' });
  });

  it.each([
    ['a read', 404, read, 'rejected'],
    ['a read', 500, read, 'unknown'],
    ['a withdrawal', 500, withdraw, 'unknown'],
  ] as const)('of %s with %i and more than 64 KiB keeps status and outcome', async (_, status, call, outcome) => {
    const body = `{"message":"${'€'.repeat(22_000)}"}`;
    stubFetch(() => appResponse(body, { status }));
    expect(await rejection(call())).toMatchObject({
      name: 'ResponseTooLargeError',
      status,
      outcome,
    });
  });

  it('may begin with a byte order mark', async () => {
    stubFetch(() => appResponse(`\ufeff${CARD}`));
    expect(await read()).toMatchObject({ status: 'ACTIVE' });
  });

  it('of an error is judged like any other', async () => {
    stubFetch(() => appResponse('{"message":"No card"}', { status: 404 }));
    expect(await rejection(read())).toMatchObject({ name: 'NotFoundError', outcome: 'rejected' });
  });

  it('that is empty although the contract requires one is a ProtocolError', async () => {
    stubFetch(() => appResponse(''));
    expect(await rejection(read())).toMatchObject({ name: 'ProtocolError', status: 200 });
  });

  it('of bytes is read with arrayBuffer()', async () => {
    const arrayBuffer = async () => new Uint8Array([1, 2]).buffer;
    stubFetch(() => Object.assign(appResponse(null), { arrayBuffer }));
    const request = { retryClass: 'safe', response: 'bytes' } as const;
    expect(await appClient().request('GET', '/v1/things', request)).toEqual(new Uint8Array([1, 2]));
  });

  it('of bytes is refused over the limit, also where its length was not announced', async () => {
    const arrayBuffer = async () => new Uint8Array(MIB + 1).buffer;
    stubFetch(() => Object.assign(appResponse(null), { arrayBuffer }));
    const request = { retryClass: 'never', response: 'bytes' } as const;
    const error = await rejection(appClient().request('GET', '/v1/things', request));
    expect(error).toMatchObject({ name: 'ResponseTooLargeError', status: 200 });
  });

  it.each([
    ['text() returns null, as on iOS', () => appResponse(null)],
    [
      'the native read fails',
      () => Object.assign(appResponse(null), { text: () => Promise.reject(new TypeError('x')) }),
    ],
  ])('of which %s is a BodyReadError with the outcome of its status', async (_, respond) => {
    const sent = stubFetch(respond);
    expect(await rejection(read())).toMatchObject({ name: 'BodyReadError', outcome: 'unknown' });
    expect(await rejection(withdraw())).toMatchObject({
      name: 'BodyReadError',
      outcome: 'unknown',
      probableOutcome: 'executed',
    });
    expect(sent).toHaveLength(2);
  });

  it('is read with text() where the response has a stream and the runtime no TextDecoder', async () => {
    const body = { getReader: () => expect.unreachable() };
    stubFetch(() => Object.assign(appResponse(CARD), { body }));
    expect(await read()).toMatchObject({ status: 'ACTIVE' });
  });
});

describe('a redirect that fetch has followed', () => {
  const ELSEWHERE = 'https://other.example/login?token=secret';

  it.each([
    200, 302, 401, 404, 500, 503,
  ])('is refused with status %i before its body is read', async (status) => {
    const response = appResponse(CARD, { status, url: ELSEWHERE });
    const sent = stubFetch(() => response);
    const clock = new FakeClock();
    const error = await rejection(appClient({ clock }).card.status());
    expect(error).toMatchObject({
      ...{ name: 'RedirectError', code: 'redirect_refused', outcome: 'unknown', status },
      ...{ locationOrigin: 'https://other.example', isRetryable: false },
    });
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(String(error)).toContain('followed a redirect to https://other.example');
    expect(response.text).not.toHaveBeenCalled();
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['another path', `${BASE_URL}/v2/card/status`],
    ['another query', `${STATUS_URL}?retry=1`],
    ['another scheme', STATUS_URL.replace('https', 'http')],
    ['another port', STATUS_URL.replace('.com', '.com:8443')],
    ['a host that only starts the same', STATUS_URL.replace('.com', '.com.evil.example')],
    ['an encoded slash after the host', 'https://api.example.com%2Fv1/card/status'],
    ['an encoded question mark', `${STATUS_URL}%3F`],
  ])('is recognised by %s', async (_, url) => {
    stubFetch(() => appResponse(CARD, { url }));
    expect(await rejection(withdraw())).toMatchObject({
      name: 'RedirectError',
      outcome: 'unknown',
    });
  });

  it('is recognised by `redirected` too', async () => {
    stubFetch(() => Object.assign(appResponse(CARD, { url: STATUS_URL }), { redirected: true }));
    expect(await rejection(read())).toMatchObject({ name: 'RedirectError' });
  });

  it('has no known target where the response does not state its URL', async () => {
    stubFetch(() => Object.assign(appResponse(CARD), { redirected: true, url: undefined }));
    const error = await rejection(read());
    expect(error).toMatchObject({ name: 'RedirectError', locationOrigin: undefined });
  });

  it('shows nothing of its response to middleware', async () => {
    stubFetch(() => appResponse(CARD, { url: ELSEWHERE, headers: { 'x-request-id': 'foreign' } }));
    const shown: unknown[] = [];
    const client = appClient({
      middleware: [
        async (request, next) =>
          next(request).catch((error) => {
            shown.push(error);
            throw error;
          }),
      ],
    });
    expect(await rejection(client.card.status())).toMatchObject({ name: 'RedirectError' });
    expect(shown).toEqual([expect.objectContaining({ name: 'RedirectError' })]);
  });

  it.each([
    ['the URL that was asked for', STATUS_URL],
    ['an empty URL, as of a mock', ''],
    ['no URL', undefined],
    ['the host in capitals', STATUS_URL.replace('api.example.com', 'API.example.com')],
  ])('is not assumed of a response with %s', async (_, url) => {
    stubFetch(() => Object.assign(appResponse(CARD), { url }));
    expect(await read()).toMatchObject({ status: 'ACTIVE' });
  });

  it('is not assumed where the native side spells the URL in another way', async () => {
    const sent = stubFetch((url) =>
      appResponse('{}', { url: url.replaceAll("'", '%27').replace('%C3%A9', '%c3%a9') }),
    );
    const request = {
      retryClass: 'safe',
      params: { id: 'a' },
      query: { text: "it's é%z|" },
    } as const;
    await appClient().request('GET', '/v1/things/{id}', request);
    expect(sent[0]?.url).toContain("it's");
  });

  it('is seen where the URL has escapes that are not UTF-8', async () => {
    stubFetch(() => appResponse(CARD, { url: `${STATUS_URL}/%ff` }));
    expect(await rejection(read())).toMatchObject({ name: 'RedirectError', outcome: 'unknown' });
  });

  it('is not assumed when a fetch sends the request to a proxy and reports no redirect', async () => {
    vi.unstubAllGlobals();
    const response = {
      ...appResponse(CARD, { url: 'https://proxy.example/card' }),
      redirected: false,
    };
    const client = appClient({ fetch: async () => response as Response });
    expect(await client.card.status()).toMatchObject({ status: 'ACTIVE' });
  });
});
