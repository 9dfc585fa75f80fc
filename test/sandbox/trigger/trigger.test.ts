import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { verifyWebhook } from '../../../src/index.js';
import { UsageError } from '../../../src/sandbox/command-line.js';
import {
  readTriggerOptions,
  sampleEvents,
  trigger,
} from '../../../src/sandbox/commands/trigger.js';
import { fakeLimits, startSilentServer, until } from '../../support/silent-server.js';

const SECRET = 'whk_of_the_test';
const TO = 'http://127.0.0.1:3000/hooks';
const EVENTS = sampleEvents();
const printed: string[] = [];

beforeEach(() => {
  printed.length = 0;
  const print = (line: unknown) => void printed.push(String(line));
  vi.spyOn(console, 'log').mockImplementation(print);
  vi.spyOn(console, 'error').mockImplementation(print);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** A receiver that verifies each delivery as an app does. */
async function startReceiver(status = 200, text = '') {
  const events: Awaited<ReturnType<typeof verifyWebhook>>[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    events.push(await verifyWebhook({ body, headers, keys: [SECRET] }));
    response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  return { events, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` };
}

describe('card-platform-sandbox trigger', () => {
  it.each([...EVENTS.keys()])('sends %s, signed, with data of its own', async (type) => {
    const { url, events } = await startReceiver();
    await trigger.run([type, '--to', url, '--secret', SECRET]);
    expect(events).toHaveLength(1);
    expect(events[0]?.type).toBe(type);
    expect(Object.keys(Object(events[0]?.data))).toContain('userId');
    expect(printed[0]).toMatch(new RegExp(`^${type} [\\da-f-]{36}: 200$`));
    expect(process.exitCode).toBeUndefined();
  });

  it('knows every event that the contract names', () => {
    expect([...EVENTS.keys()]).toEqual(
      expect.arrayContaining(['kyc.status.changed', 'card.activated', 'transaction.cleared']),
    );
  });

  it.each(['vendor', 'snake_case', 'camelCase'])('writes the envelope in %s', async (envelope) => {
    const { url, events } = await startReceiver();
    await trigger.run(['card.activated', '--to', url, '--secret', SECRET, '--envelope', envelope]);
    expect(events[0]?.type).toBe('card.activated');
    const own = { vendor: 'event_object', snake_case: 'created_at', camelCase: 'createdAt' };
    expect(events[0]?.payload).toHaveProperty(Reflect.get(own, envelope));
  });

  it('replaces fields of the data with JSON, or with a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trigger-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'data.json');
    await writeFile(file, '{"cardId":"from-file"}');
    const { url, events } = await startReceiver();
    const run = (data: string) =>
      trigger.run(['card.activated', '--to', url, '--secret', SECRET, '--data', data]);
    await run('{"cardId":"given","extra":[1]}');
    await run(file);
    expect(events.map(({ data }) => data)).toEqual([
      expect.objectContaining({ cardId: 'given', extra: [1], status: 'ACTIVE' }),
      expect.objectContaining({ cardId: 'from-file', status: 'ACTIVE' }),
    ]);
  });

  it.each([
    400, 503, 300, 302,
  ])('exits with code 1 after a %i, and follows no redirect', async (status) => {
    const { url, events } = await startReceiver(status, `no ${SECRET}\u001b[2J`);
    await trigger.run(['card.activated', '--to', url, '--secret', SECRET]);
    expect(process.exitCode).toBe(1);
    expect(events).toHaveLength(1);
    expect(printed.join()).toContain(`: ${status}\nno [redacted]`);
    expect(printed.join()).not.toContain('\u001b');
  });

  it('prints the first 1,000 characters of a response', async () => {
    const { url } = await startReceiver(299, `${'x'.repeat(999)}yz`);
    await trigger.run(['card.activated', '--to', url, '--secret', SECRET]);
    expect(process.exitCode).toBeUndefined();
    expect(printed.join()).toMatch(/: 299\nx{999}y$/);
  });

  it('exits with code 1 when nothing responds', async () => {
    await trigger.run(['card.activated', '--to', 'http://127.0.0.1:1/', '--secret', SECRET]);
    expect(process.exitCode).toBe(1);
    expect(printed.join()).toContain('no response');
  });

  it('waits 30 seconds for a response', async () => {
    const { url, received, open } = await startSilentServer();
    fakeLimits();
    const running = trigger.run(['card.activated', '--to', url, '--secret', SECRET]);
    await until(() => received() === 1);
    await vi.advanceTimersByTimeAsync(29_999);
    expect([open(), printed]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(1);
    await running;
    expect(process.exitCode).toBe(1);
    expect(printed).toEqual(['no response within 30 seconds']);
  });

  it.each([
    [200, undefined],
    [503, 1],
  ])('judges a receiver whose body does not end by its status %i', async (status, exitCode) => {
    const server = createServer((_, response) => void response.writeHead(status).write('half'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    onTestFinished(() => server.closeAllConnections());
    const { fetch } = globalThis;
    let hasResponse = false;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
      const response = await fetch(...request);
      hasResponse = true;
      return response;
    });
    fakeLimits();
    const { port } = server.address() as AddressInfo;
    const to = `http://127.0.0.1:${port}/`;
    const running = trigger.run(['card.activated', '--to', to, '--secret', SECRET]);
    await until(() => hasResponse);
    await vi.advanceTimersByTimeAsync(30_000);
    await running;
    expect(process.exitCode).toBe(exitCode);
    expect(printed.join()).toMatch(new RegExp(`^card.activated [^ ]+: ${status}$`));
  });

  it('lists the events', async () => {
    await trigger.run(['--list']);
    expect(printed.join('\n')).toContain('kyc.status.changed');
  });

  it('sends an event that is not on the list on request', () => {
    const args = ['card.renewed', '--unlisted', '--to', TO, '--secret', SECRET];
    expect(readTriggerOptions(args, EVENTS)).toMatchObject({ type: 'card.renewed', data: {} });
  });

  it.each([
    ['card.actived', 'card.activated'],
    ['kyc.status', 'kyc.status.changed'],
    ['transaction.clear', 'transaction.cleared'],
  ])('names the nearest event for %s', (type, nearest) => {
    const args = [type, '--to', TO, '--secret', SECRET];
    expect(() => readTriggerOptions(args, EVENTS)).toThrow(`the nearest is ${nearest}`);
  });

  it('sends to another host only when it is allowed', () => {
    const args = ['card.activated', '--secret', SECRET, '--to', 'https://hooks.example/x'];
    expect(() => readTriggerOptions(args, EVENTS)).toThrow('--allow-host');
    expect(() => readTriggerOptions([...args, '--allow-host', 'example'], EVENTS)).toThrow(
      UsageError,
    );
    for (const host of ['hooks.example', 'Hooks.EXAMPLE']) {
      const allowed = readTriggerOptions([...args, '--allow-host', host], EVENTS);
      expect(allowed).toMatchObject({ to: 'https://hooks.example/x' });
    }
  });

  it.each([
    'hooks.example:8443',
    '*',
    'https://hooks.example',
    '',
  ])('refuses --allow-host %j, which allows no host', (host) => {
    const args = ['card.activated', '--secret', SECRET, '--to', 'https://hooks.example:8443/x'];
    const read = (allowed: string) =>
      readTriggerOptions([...args, '--allow-host', allowed], EVENTS);
    expect(() => read(host)).toThrow(UsageError);
    expect(() => read(host)).toThrow('--allow-host must be a host name');
    expect(read('hooks.example')).toMatchObject({ to: 'https://hooks.example:8443/x' });
  });

  it.each([
    [[]],
    [['card.activated', 'surplus', '--to', TO, '--secret', SECRET]],
    [['card.activated', '--to', TO]],
    [['card.activated', '--secret', SECRET]],
    [['card.activated', '--to', 'ftp://127.0.0.1', '--secret', SECRET]],
    [['card.activated', '--to', TO, '--secret', SECRET, '--envelope', 'kebab']],
    [['card.activated', '--to', TO, '--secret', SECRET, '--data', '[1]']],
    [['card.activated', '--to', TO, '--secret', SECRET, '--data', '{"a"']],
    [['card.activated', '--to', TO, '--secret', SECRET, '--data', '/nowhere/data.json']],
    [['card.activated', '--other']],
  ])('refuses an invalid command line: %j', (args) => {
    expect(() => readTriggerOptions(args, EVENTS)).toThrow(UsageError);
  });
});
