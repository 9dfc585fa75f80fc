import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CardPlatformClient, verifyWebhook } from '../../../src/index.js';
import { UsageError } from '../../../src/sandbox/command-line.js';
import {
  Forwarder,
  keepConnected,
  readForwardOptions,
} from '../../../src/sandbox/commands/forward.js';
import { startSandbox } from '../../../src/sandbox/server.js';
import { selfSignedCertificate } from '../../faults/certificate.js';
import { fakeLimits, startSilentServer, until } from '../../support/silent-server.js';
import { runAction } from '../run-action.js';

const START = Date.UTC(2026, 0, 31);

/** A sandbox with a clock of the test, a receiver, and the command that forwards between them. */
async function startForwarding({
  statuses = [] as number[],
  secret = undefined as string | undefined,
} = {}) {
  let time = START;
  const sandbox = await startSandbox(0, 'demo', () => time);
  onTestFinished(sandbox.stop);
  const deliveries: { body: string; headers: Headers }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
    deliveries.push({ body, headers: new Headers(headers as [string, string][]) });
    const status = statuses.shift() ?? 200;
    if (status === 0) response.destroy();
    else response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const forwarder = await Forwarder.start({ from: sandbox.url, to, secret }, log);
  onTestFinished(() => forwarder.stop());
  const pass = async (ms: number) => {
    time += ms;
    await forwarder.connect();
    await sandbox.platform.deliveriesSettled();
  };
  return {
    sandbox,
    forwarder,
    deliveries,
    lines,
    pass,
    platform: sandbox.platform,
    now: () => time,
  };
}

describe('card-platform-sandbox forward', () => {
  it('sends each event on as the service would, with a line for each', async () => {
    const { platform, forwarder, deliveries, lines, pass, now } = await startForwarding();
    const ada = platform.users.get('ada@example.com');
    platform.cards.pay(ada, { amount: '3.50' });
    await pass(0);
    expect(lines).toEqual([expect.stringMatching(/^transaction\.cleared [\da-f-]{36}: 200$/)]);
    const [delivery] = deliveries;
    const event = await verifyWebhook({
      body: delivery?.body ?? '',
      headers: delivery?.headers ?? new Headers(),
      keys: [forwarder.secret],
      now: now(),
    });
    expect(event.type).toBe('transaction.cleared');
  });

  it('uses the signing key that was given', async () => {
    const { platform, forwarder, deliveries, pass, now } = await startForwarding({
      secret: 'whk_mine',
    });
    await platform.deliver({ type: 'card.activated' });
    await pass(0);
    expect(forwarder.secret).toBe('whk_mine');
    const { body = '', headers = new Headers() } = deliveries[0] ?? {};
    await expect(
      verifyWebhook({ body, headers, keys: ['whk_mine'], now: now() }),
    ).resolves.toBeDefined();
  });

  it.each([
    ['a 5xx', 503, '503'],
    ['a lost connection', 0, 'no response'],
  ])('is followed by another attempt after %s, a second later', async (_title, status, shown) => {
    const { platform, deliveries, lines, pass } = await startForwarding({ statuses: [status] });
    await platform.deliver({ type: 'card.activated' });
    await pass(999);
    expect(deliveries).toHaveLength(1);
    await pass(1);
    expect(lines[0]).toMatch(new RegExp(`: ${shown}$`));
    expect(lines[1]).toMatch(/, attempt 2: 200$/);
    expect(deliveries[1]?.body).toBe(deliveries[0]?.body);
  });

  it('is not followed by another attempt after a 4xx', async () => {
    const { platform, deliveries, pass } = await startForwarding({ statuses: [400] });
    await platform.deliver({ type: 'card.activated' });
    await pass(0);
    await pass(24 * 3_600_000);
    expect(deliveries).toHaveLength(1);
  });

  it('connects again after the sandbox was reset', async () => {
    const { platform, deliveries, pass } = await startForwarding();
    platform.reset();
    await pass(0);
    await pass(0);
    await platform.deliver({ type: 'card.activated' });
    await pass(0);
    expect(deliveries).toHaveLength(1);
  });

  it('is not part of a snapshot: one that is restored neither adds nor ends a forwarding', async () => {
    const { platform, sandbox, forwarder, deliveries } = await startForwarding();
    const restore = async (snapshot: unknown) => {
      const { status } = await runAction(sandbox, 'restoreSnapshot', { snapshot });
      expect(status).toBe(200);
    };
    const saved = platform.snapshot();
    const [elsewhere] = platform.state.webhooks;
    await restore({ ...saved, state: { ...saved.state, webhooks: [] } });
    await platform.deliver({ type: 'card.activated' });
    expect(deliveries).toHaveLength(1);
    await forwarder.stop();
    const forwardsTo = 'https://collector.example/hooks';
    await restore({
      ...saved,
      state: { ...saved.state, webhooks: [elsewhere, { ...elsewhere, forwardsTo }] },
    });
    expect(platform.state.webhooks).toEqual([]);
    expect(await platform.deliver({ type: 'card.activated' })).toEqual([]);
  });

  it('shows the app no webhook that it has not created, and ends without a trace', async () => {
    const { platform, forwarder, sandbox } = await startForwarding();
    const ada = platform.users.get('ada@example.com');
    const client = new CardPlatformClient({
      baseUrl: sandbox.url,
      ...platform.credentials,
      accessToken: platform.accessTokenFor(ada),
    });
    expect(await client.webhooks.list()).toEqual([]);
    expect(platform.state.webhooks).toHaveLength(1);
    await forwarder.stop();
    expect(platform.state.webhooks).toEqual([]);
  });

  it('ends only itself: a webhook of the app with the id stays', async () => {
    const { sandbox, platform, deliveries, pass } = await startForwarding();
    const client = platform.clientFor(platform.users.get('ada@example.com'));
    const url = 'https://app.example/hooks';
    const { data } = await client.webhooks.create({ name: 'Events', url, eventTypes: ['*'] });
    const response = await fetch(`${sandbox.url}/sandbox/actions/stopForwarding`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: data?.id }),
    });
    expect(response.status).toBe(200);
    expect(await client.webhooks.list()).toMatchObject([{ id: data?.id, url }]);
    await platform.deliver({ type: 'card.activated' });
    await pass(0);
    expect(deliveries).toHaveLength(1);
  });

  it('sends the events of every tenant on', async () => {
    const { platform, deliveries, pass } = await startForwarding();
    platform.tenants.add('acme');
    await platform.deliver({ type: 'card.activated', tenant: 'acme' });
    await pass(0);
    expect(deliveries).toHaveLength(1);
  });

  it('accepts events from nobody but the sandbox', async () => {
    const { platform, deliveries } = await startForwarding();
    const url = new URL(platform.state.webhooks[0]?.forwardsTo ?? '');
    const { status } = await fetch(`${url.origin}/hooks`, { method: 'POST', body: '{}' });
    expect(status).toBe(404);
    expect(deliveries).toEqual([]);
  });

  it('fails when no sandbox runs', async () => {
    const options = { from: 'http://127.0.0.1:1', to: 'http://127.0.0.1:1', secret: undefined };
    await expect(Forwarder.start(options, vi.fn())).rejects.toThrow('no sandbox responds');
  });

  /** A sandbox that forwards an event to a receiver that does not respond. */
  async function forwardToSilence() {
    const receiver = await startSilentServer();
    const sandbox = await startSandbox(0, 'demo', () => START);
    onTestFinished(sandbox.stop);
    const lines: string[] = [];
    const options = { from: sandbox.url, to: receiver.url, secret: undefined };
    const forwarder = await Forwarder.start(options, (line) => void lines.push(line));
    onTestFinished(() => forwarder.stop());
    fakeLimits();
    const delivering = sandbox.platform.deliver({ type: 'card.activated' });
    await until(() => receiver.received() === 1);
    return { receiver, forwarder, lines, delivering };
  }

  it('ends the request to a receiver that does not respond when it stops', async () => {
    const { receiver, forwarder, delivering } = await forwardToSilence();
    await forwarder.stop();
    await until(() => receiver.open() === 0);
    await delivering;
  });

  it('waits 30 seconds for the response to an event', async () => {
    const { receiver, lines, delivering } = await forwardToSilence();
    await vi.advanceTimersByTimeAsync(29_999);
    expect([receiver.open(), lines]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(1);
    await delivering;
    await until(() => lines.length === 1);
    expect(lines[0]).toMatch(/: no response$/);
  });

  it('passes the status on before the body, which may not end', async () => {
    const server = createServer((_, response) => void response.writeHead(200).write('half'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    onTestFinished(() => server.closeAllConnections());
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const sandbox = await startSandbox(0, 'demo', () => START);
    onTestFinished(sandbox.stop);
    const lines: string[] = [];
    const options = { from: sandbox.url, to, secret: undefined };
    const forwarder = await Forwarder.start(options, (line) => void lines.push(line));
    onTestFinished(() => forwarder.stop());
    fakeLimits();
    const delivering = sandbox.platform.deliver({ type: 'card.activated' });
    const deliveries = () => sandbox.platform.deliveries;
    await until(() => deliveries()[0]?.status === 200);
    await vi.advanceTimersByTimeAsync(30_000);
    await delivering;
    expect(deliveries()).toMatchObject([{ status: 200, deliveryStatus: 'success' }]);
    expect(lines).toEqual([expect.stringMatching(/: 200$/)]);
  });

  it('waits five seconds for the sandbox', async () => {
    const { url, received, open } = await startSilentServer();
    fakeLimits();
    const failed = vi.fn();
    const options = { from: url, to: 'http://127.0.0.1:1', secret: undefined };
    const starting = Forwarder.start(options, vi.fn()).catch(failed);
    await until(() => received() === 1);
    await vi.advanceTimersByTimeAsync(4_999);
    expect([open(), failed.mock.calls]).toEqual([1, []]);
    await vi.advanceTimersByTimeAsync(1);
    await starting;
    expect(String(failed.mock.calls[0])).toContain('no sandbox responds');
  });

  it('connects again each second', async () => {
    const { platform, forwarder } = await startForwarding();
    fakeLimits();
    const stop = keepConnected(forwarder, vi.fn());
    onTestFinished(stop);
    const isConnected = () => platform.state.webhooks.length === 1;
    for (let round = 0; round < 2; round++) {
      platform.reset();
      await vi.advanceTimersByTimeAsync(999);
      expect(isConnected()).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await until(isConnected);
      // The next second starts with the response.
      await until(() => vi.getTimerCount() === round + 2);
    }
  });

  it('sends one request at a time to a sandbox that hangs, and stops all the same', async () => {
    const requests: string[] = [];
    const hanging = createServer((request, response) => {
      requests.push(request.url?.split('/').at(-1) ?? '');
      if (requests.length === 1) response.end('{}');
    });
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void hanging.close());
    onTestFinished(() => hanging.closeAllConnections());
    const from = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const options = { from, to: 'http://127.0.0.1:1', secret: undefined };
    const forwarder = await Forwarder.start(options, vi.fn());
    fakeLimits();
    const lines: string[] = [];
    const stop = keepConnected(forwarder, (line) => void lines.push(line));
    await vi.advanceTimersByTimeAsync(1_000);
    await until(() => requests.length === 2);
    await vi.advanceTimersByTimeAsync(4_999);
    expect([requests.length, lines]).toEqual([2, []]);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => lines.length === 1);
    expect(lines).toEqual(['the sandbox is gone']);
    const stopping = stop();
    await until(() => requests.length === 3);
    await vi.advanceTimersByTimeAsync(5_000);
    await stopping;
    expect(requests).toEqual(['forward', 'forward', 'stopForwarding']);
  });

  it.each([
    ['after the response to a request under way', true, ['the sandbox is gone']],
    ['also when that is lost', false, []],
  ])('stops %s, and then prints nothing more', async (_title, isAnswered, printed) => {
    const requests: string[] = [];
    const before = isAnswered ? ['forward', 'forward'] : ['forward'];
    const late: ServerResponse[] = [];
    const sandbox = createServer((request, response) => {
      requests.push(request.url?.split('/').at(-1) ?? '');
      // An answer is only worth a line after a request without one.
      if (isAnswered && requests.length === 2) response.destroy();
      else if (requests.length === before.length + 1) late.push(response);
      else response.end('{}');
    });
    await new Promise<void>((resolve) => sandbox.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void sandbox.close());
    onTestFinished(() => sandbox.closeAllConnections());
    const from = `http://127.0.0.1:${(sandbox.address() as AddressInfo).port}`;
    const options = { from, to: 'http://127.0.0.1:1', secret: undefined };
    const forwarder = await Forwarder.start(options, vi.fn());
    fakeLimits();
    const lines: string[] = [];
    const stop = keepConnected(forwarder, (line) => void lines.push(line));
    await vi.advanceTimersByTimeAsync(1_000);
    await until(() => lines.length === printed.length);
    if (isAnswered) await vi.advanceTimersByTimeAsync(1_000);
    await until(() => late.length === 1);
    const stopping = stop();
    // Nothing else is sent, however long one waits.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toEqual([...before, 'forward']);
    if (isAnswered) late[0]?.end('{}');
    else late[0]?.destroy();
    await stopping;
    expect(requests).toEqual([...before, 'forward', 'stopForwarding']);
    expect(lines).toEqual(printed);
  });

  it('connects to a sandbox with https when its authority is passed, and not without', async () => {
    const tls = selfSignedCertificate('sandbox');
    const sandbox = await startSandbox(0, 'demo', () => START, { tls });
    onTestFinished(sandbox.stop);
    const folder = mkdtempSync(join(tmpdir(), 'forward-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'ca.pem'), tls.cert);
    const args = ['--to', 'http://127.0.0.1:1/hooks', '--from', sandbox.url];
    const trusting = readForwardOptions([...args, '--ca-file', join(folder, 'ca.pem')]);
    const doubting = readForwardOptions(args);
    if (!trusting || !doubting) throw new Error('the options were not read');
    const log = vi.fn();
    await expect(Forwarder.start(doubting, log)).rejects.toThrow('no sandbox responds');
    expect(sandbox.platform.state.webhooks).toEqual([]);
    const forwarder = await Forwarder.start(trusting, log);
    expect(sandbox.platform.state.webhooks).toHaveLength(1);
    await forwarder.stop();
    expect(sandbox.platform.state.webhooks).toEqual([]);
  });

  it.each([
    [[]],
    [['--to', 'https://hooks.example']],
    [['--to', 'http://127.0.0.1:3000', '--from', 'https://api.example']],
    [['--to', 'http://127.0.0.1:3000', '--from', 'ftp://127.0.0.1:4010']],
    [['--to', 'http://127.0.0.1:3000', '--ca-file', 'ca.pem']],
    [['--to', 'http://127.0.0.1:3000', '--from', 'https://localhost:1', '--ca-file', 'no.pem']],
    [['--to', 'http://127.0.0.1:3000', '--secret', '']],
    [['--to', 'http://127.0.0.1:3000', '--allow-host', 'hooks.example:8443']],
    [['--to', 'http://127.0.0.1:3000', 'surplus']],
  ])('refuses an invalid command line: %j', (args) => {
    expect(() => readForwardOptions(args)).toThrow(UsageError);
  });

  it('reads its options', () => {
    expect(readForwardOptions(['--to', 'http://127.0.0.1:3000/x'])).toEqual({
      from: 'http://127.0.0.1:4010',
      ca: undefined,
      to: 'http://127.0.0.1:3000/x',
      secret: undefined,
    });
    expect(readForwardOptions(['--help'])).toBeUndefined();
  });

  it.each([
    [{ id: 'x', to: 'http://127.0.0.1:1', key: 'k' }, 'id must be'],
    [{ id: 'a-long-id', to: 'https://hooks.example', key: 'k' }, 'this machine'],
    [{ id: 'a-long-id', to: 'http://127.0.0.1:1', key: '' }, 'key must be'],
  ])('is refused by the sandbox when invalid: %j', async (input, message) => {
    const { sandbox } = await startForwarding();
    const response = await fetch(`${sandbox.url}/sandbox/actions/forward`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
  });
});
