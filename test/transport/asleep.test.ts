import { once } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { createServer, Agent as HttpsAgent } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { memoryStore } from '../../src/stores/index.js';
import { systemClock } from '../../src/transport/attempts/clock.js';
import type { Middleware } from '../../src/transport/attempts/middleware.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { selfSignedCertificate } from '../faults/certificate.js';
import { FaultServer, sendResponse } from '../faults/fault-server.js';
import { clientFor, json, scriptedFetch } from '../support/clients.js';

const TOTAL_TIMEOUT = 60_000;
const HASH = `0x${'a'.repeat(64)}`;
const succeed = sendResponse(200, JSON.stringify({ success: true, txHash: HASH }));
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** How long the machine has slept. Its timers and its monotonic clock stood still meanwhile. */
let asleep = 0;
const clock = { ...systemClock, now: () => Date.now() + asleep };
let server: FaultServer;
/** Connections of reads and of freezes that wait for their response. */
const held: Socket[] = [];
const freezes: Socket[] = [];

beforeEach(async () => {
  asleep = 0;
  held.length = 0;
  freezes.length = 0;
  server = new FaultServer((socket, request) => {
    if (request.startsWith('GET')) held.push(socket);
    else if (request.includes('/card/freeze')) freezes.push(socket);
    else succeed(socket);
  });
  await server.start();
});
afterEach(() => server.stop());

function journaled(baseUrl: string, options: Partial<ClientOptions>) {
  const values = new Map<string, string>();
  const journal = createJournal({ store: memoryStore(values) });
  const client = clientFor(baseUrl, { clock, journal, totalTimeout: TOTAL_TIMEOUT, ...options });
  return { client, values };
}

const notSent = {
  ...{ name: 'TimeoutError', phase: 'journal', timeoutMs: TOTAL_TIMEOUT },
  ...{ outcome: 'not_sent', attempts: 0, isRetryable: true },
};

describe('a withdrawal with an entry in the journal is sent only within its time', () => {
  it.each([
    [TOTAL_TIMEOUT - 5_000, 1],
    [TOTAL_TIMEOUT + 1, 0],
  ])('when the machine sleeps for %i ms while it waits for a connection', async (time, count) => {
    const { client, values } = journaled(server.baseUrl, { maxSockets: 1 });
    const read = client.card.status().safe();
    await expect.poll(() => held.length).toBe(1);
    const headers = { 'x-case': 'withdrawal' };
    const withdrawal = client.wallets.credit.withdraw({ amount: '10' }, { headers }).safe();
    while (values.size === 0) await turn();
    for (let i = 0; i < 5; i++) await turn();
    asleep = time;
    for (const socket of held) sendResponse(200, '{"id":"c","status":"ACTIVE"}')(socket);
    await read;
    const { error } = await withdrawal;
    expect(server.hits('withdrawal')).toBe(count);
    if (count === 0) expect(error).toMatchObject(notSent);
    else expect(error).toBeUndefined();
    // The connection was given back.
    const order = await client.card.order().safe();
    expect(order.error?.outcome).not.toBe('not_sent');
  });

  it('when the machine sleeps while the name is looked up', async () => {
    const agent = new HttpAgent({
      lookup: (_host, { all }, done) => {
        asleep = TOTAL_TIMEOUT + 1;
        const address = { address: '127.0.0.1', family: 4 };
        if (all) done(null, [address]);
        else done(null, address.address, address.family);
      },
    });
    const baseUrl = server.baseUrl.replace('127.0.0.1', 'localhost');
    const { client } = journaled(baseUrl, { agent });
    const { error } = await client.wallets.credit.withdraw({ amount: '10' }).safe();
    expect(error).toMatchObject(notSent);
    expect(server.hits('')).toBe(0);
  });

  it.each([
    'TLSv1.2',
    'TLSv1.3',
  ] as const)('when the machine sleeps during the handshake of %s', async (maxVersion) => {
    const identity = selfSignedCertificate('asleep');
    let received = 0;
    const secure = createServer(identity, (_, response) => response.end());
    secure.on('secureConnection', (socket) => socket.on('data', () => received++));
    secure.on('tlsClientError', () => {});
    const ended = once(secure, 'connection').then(([socket]) => {
      asleep = TOTAL_TIMEOUT + 1;
      return once(socket, 'close');
    });
    secure.listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const { port } = secure.address() as AddressInfo;
    const agent = new HttpsAgent({ ca: identity.cert, maxVersion });
    const { client } = journaled(`https://127.0.0.1:${port}`, { agent });
    const { error } = await client.wallets.credit.withdraw({ amount: '10' }).safe();
    expect(error).toMatchObject(notSent);
    await ended;
    expect(received).toBe(0);
    secure.close();
  });
});

it.each([
  [TOTAL_TIMEOUT, 1],
  [TOTAL_TIMEOUT + 1, 0],
])('nor is one without an entry, which a page may have, when it sleeps for %i ms', async (time, count) => {
  const accessToken = async () => {
    asleep = time;
    return 'token';
  };
  // The timers stand still too, so only the wall clock counts.
  const still = { now: () => asleep, elapsed: () => 0, schedule: () => () => {} };
  const { fetch, requests } = scriptedFetch(json({ success: true, txHash: HASH }));
  const options = { clock: still, fetch, accessToken, totalTimeout: TOTAL_TIMEOUT };
  const client = clientFor('https://api.example.com', options);
  const { error } = await client.wallets.credit.withdraw({ amount: '10' }).safe();
  expect(requests).toHaveLength(count);
  if (count === 0) expect(error).toMatchObject({ ...notSent, phase: 'connect' });
  else expect(error).toBeUndefined();
  // A freeze must come soon. What may be sent at any time may be sent late.
  asleep = 0;
  expect((await client.card.freeze().safe()).error === undefined).toBe(count === 1);
  asleep = 0;
  await client.webhooks.delete({ id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e' }).safe();
  expect(requests).toHaveLength(2 * count + 1);
});

it('a freeze is not sent again when the machine sleeps while the retry waits for a connection', async () => {
  const client = clientFor(server.baseUrl, { clock, maxSockets: 1 });
  let attempts = 0;
  const middleware: Middleware = ({ attempt }, next) => {
    attempts = attempt;
    return next();
  };
  const frozen = client.card.freeze({ middleware: [middleware] }).safe();
  await expect.poll(() => freezes.length).toBe(1);
  const read = client.card.status().safe();
  for (let i = 0; i < 5; i++) await turn();
  for (const socket of freezes) sendResponse(503, '{"message":"busy"}')(socket);
  await expect.poll(() => [held.length, attempts]).toEqual([1, 2]);
  for (let i = 0; i < 5; i++) await turn();
  asleep = 10_001;
  for (const socket of held) sendResponse(200, '{"id":"c","status":"ACTIVE"}')(socket);
  await read;
  expect((await frozen).error).toMatchObject({
    ...{ status: 503, outcome: 'unknown', attempts: 1 },
    ...{ isRetryable: false, next: 'look_up' },
  });
  expect(freezes).toHaveLength(1);
});
