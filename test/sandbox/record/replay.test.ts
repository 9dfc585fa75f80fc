import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { CardPlatformClient } from '../../../src/index.js';
import { documentedReplay } from './documented-replay.js';
import { send, startRecording, startService } from './record-calls.js';

type Headers = Record<string, string>;

/** A recording of a service that responds to everything in the same way. */
async function recordService(status: number, headers: Headers, body: string | Buffer) {
  const service = await startService((_message, response) => {
    response.writeHead(status, headers).end(body);
  });
  return startRecording(service.url);
}

/** Freezes a card. Returns the outcome of an error, or `success`. */
async function freeze(settings: { baseUrl: string; fetch?: typeof fetch }): Promise<string> {
  const credentials = { clientKey: 'key', accessToken: 'token', retry: false } as const;
  const client = new CardPlatformClient({ ...credentials, ...settings });
  const { error } = await client.card.freeze().safe();
  return error?.outcome ?? 'success';
}

/** Freezes a card as the guide replays it. */
async function freezeAgain({ fixtures }: Awaited<ReturnType<typeof recordService>>) {
  const replay = await documentedReplay();
  return freeze({ baseUrl: 'https://api.example.com', fetch: replay(await fixtures()) });
}

const PAGE = '<!doctype html><title>Sign in to the network</title>';
const JSON_TYPE = { 'content-type': 'application/json' };
const SUCCESS = JSON.stringify({ success: true });

it.each<[string, number, Headers, string | Buffer, string]>([
  ['an HTML page', 200, { 'content-type': 'text/html' }, PAGE, 'unknown'],
  ['a text that is not JSON', 200, JSON_TYPE, 'done', 'unknown'],
  ['a text without a media type', 200, {}, 'done', 'unknown'],
  [
    'a body in another encoding',
    200,
    { ...JSON_TYPE, 'content-encoding': 'gzip' },
    gzipSync(SUCCESS).subarray(0, 12),
    'unknown',
  ],
  ['JSON of another media type', 200, { 'content-type': 'application/x-own' }, '{}', 'unknown'],
  ['JSON of a type of its own', 200, { 'content-type': 'application/x+json' }, '{}', 'success'],
  ['JSON without a media type', 200, {}, SUCCESS, 'success'],
  ['an empty body', 200, {}, '', 'success'],
  ['an empty object', 200, JSON_TYPE, '{}', 'success'],
  ['a page with a refusal', 403, { 'content-type': 'text/html' }, PAGE, 'rejected'],
])('a replay keeps the outcome of %s with status %i', async (...[
  ,
  status,
  headers,
  body,
  outcome,
]) => {
  const recorded = await recordService(status, headers, body);
  expect(await freeze({ baseUrl: recorded.url })).toBe(outcome);
  expect(await freezeAgain(recorded)).toBe(outcome);
});

it.each<[string, Headers, string | Buffer, boolean]>([
  ['a text', { 'content-type': 'text/plain' }, 'Forbidden', false],
  ['a text without a media type', {}, 'Forbidden', false],
  ['an empty body', {}, '', false],
  ['a page', { 'content-type': 'text/html' }, PAGE, true],
  ['a page that is called a text', { 'content-type': 'text/plain' }, PAGE, true],
  ['a page that is called JSON', JSON_TYPE, `\ufeff \n${PAGE}`, true],
])('a replay of a refusal with %s keeps whether it was a page', async (_, headers, body, isPage) => {
  const recorded = await recordService(403, headers, body);
  const replay = await documentedReplay();
  const refusalOf = async (settings: { baseUrl: string; fetch?: typeof fetch }) => {
    const client = new CardPlatformClient({ clientKey: 'k', accessToken: 't', ...settings });
    return (await client.card.freeze().safe()).error;
  };
  const live = await refusalOf({ baseUrl: recorded.url });
  expect(live).toMatchObject({ status: 403, isPage });
  const replayed = await refusalOf({
    baseUrl: 'https://api.example.com',
    fetch: replay(await recorded.fixtures()),
  });
  expect(replayed).toMatchObject({ status: 403, isPage, next: live?.next });
});

it.each<[string, Headers, string, string]>([
  ['a text', { 'content-type': 'text/plain' }, 'Unauthorized', 'success'],
  ['an empty body', {}, '', 'success'],
  ['a page', { 'content-type': 'text/html' }, PAGE, 'rejected'],
])('a replay renews the token after a 401 with %s as the call did', async (_, headers, body, ends) => {
  const service = await startService(({ headers: { authorization } }, response) => {
    if (authorization === 'Bearer new') response.writeHead(200, JSON_TYPE).end(SUCCESS);
    else response.writeHead(401, headers).end(body);
  });
  const recorded = await startRecording(service.url);
  const freezeWithProvider = async (settings: { baseUrl: string; fetch?: typeof fetch }) => {
    const accessToken = ({ reason }: { reason: string }) => (reason === 'rejected' ? 'new' : 'old');
    const client = new CardPlatformClient({ clientKey: 'key', accessToken, ...settings });
    const { error } = await client.card.freeze().safe();
    return error?.outcome ?? 'success';
  };
  expect(await freezeWithProvider({ baseUrl: recorded.url })).toBe(ends);
  const replay = await documentedReplay();
  const fetch = replay(await recorded.fixtures());
  expect(await freezeWithProvider({ baseUrl: 'https://api.example.com', fetch })).toBe(ends);
});

it('a replay of a body that was too long to record is not a success', async () => {
  const body = JSON.stringify({ success: true, note: 'x'.repeat(4 * 1024 * 1024) });
  const recorded = await recordService(200, JSON_TYPE, body);
  // The client would stop reading, and the proxy would record only later.
  await send(recorded.url, { method: 'POST', path: '/v1/card/freeze' });
  expect(await recorded.fixtures()).toMatchObject([{ response: { redacted: 'too-large' } }]);
  expect(await freezeAgain(recorded)).toBe('unknown');
});
