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

it('a replay of a body that was too long to record is not a success', async () => {
  const body = JSON.stringify({ success: true, note: 'x'.repeat(4 * 1024 * 1024) });
  const recorded = await recordService(200, JSON_TYPE, body);
  // The client would stop reading, and the proxy would record only later.
  await send(recorded.url, { method: 'POST', path: '/v1/card/freeze' });
  expect(await recorded.fixtures()).toMatchObject([{ response: { redacted: 'too-large' } }]);
  expect(await freezeAgain(recorded)).toBe('unknown');
});
