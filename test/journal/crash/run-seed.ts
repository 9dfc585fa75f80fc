import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CardPlatformClient } from '../../../src/client.js';
import { createJournal } from '../../../src/journal/journal.js';
import { folderStore } from '../../../src/stores/index.js';
import { createMockPlatform } from '../../../src/testing/platform.js';
import { randomFrom } from './random.js';
import type { Orders } from './victim.js';

const WALLET = `0x${'ab'.repeat(20)}`;
const STARTS_AT = Date.UTC(2026, 0, 1);
/** More continuations than any run has, and about how many of them happen in one operation. */
const CONTINUATIONS_PER_OPERATION = 900;

/** The platform's record of one operation. */
type Fact = { isExecuted: boolean; isResponded: boolean };

/** The result of a seed. */
export type SeedResult = {
  killed: boolean;
  pending: number;
  verdicts: Record<string, number>;
  problems: string[];
};

type Fate = 'answered' | 'lost-before' | 'lost-after';

function platformFor(seed: number) {
  const mock = createMockPlatform({ startsAt: STARTS_AT - 3 * 24 * 60 * 60_000, seed: seed + 1 });
  const user = mock.users.add({
    card: seed % 2 === 0 ? 'FROZEN' : undefined,
    wallets: [
      { network: 'linea', currency: 'usdc', balance: '100' },
      { network: 'linea', currency: 'usdt', balance: '100' },
    ],
    externalWallets: [
      { address: WALLET, currency: 'usdc', balance: '0', allowance: '5', network: 'linea' },
    ],
  });
  // Everything that the user had before is older than the actions of the program.
  mock.advance('3 days');
  return { mock, user };
}

/** A server in front of the platform that records every operation, and loses responses. */
function serve(mock: ReturnType<typeof createMockPlatform>, fates: readonly Fate[]) {
  const facts = new Map<number, Fact>();
  const running = new Set<Promise<unknown>>();
  const keep = (work: Promise<unknown>) => {
    running.add(work);
    work.finally(() => running.delete(work));
  };
  const server: Server = createServer((request, response) => keep(answer(request, response)));
  server.on('connection', (socket) => {
    keep(new Promise<void>((resolve) => socket.on('close', () => resolve())));
  });
  /** Resolves when every connection is closed and every request is worked on. */
  const idle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    while (running.size > 0) await Promise.all(running);
  };
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const index = Number(request.headers['x-operation'] ?? -1);
    const fact: Fact = { isExecuted: false, isResponded: false };
    if (index >= 0) {
      facts.set(index, fact);
      mock.advance(Math.max(0, STARTS_AT + 1_000 * index - mock.now));
    }
    const fate = fates[index] ?? 'answered';
    if (fate === 'lost-before') return request.socket.destroy();
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => !/^(host|connection|content-length|x-operation|transfer-encoding)$/.test(name),
      ),
    ) as Record<string, string>;
    const received = await mock.fetch(`${mock.baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks).toString() }),
    });
    const text = await received.text();
    fact.isExecuted = received.ok && !text.includes('"success":false');
    if (fate === 'lost-after') return request.socket.destroy();
    fact.isResponded = true;
    response.writeHead(received.status, Object.fromEntries(received.headers)).end(text);
    return undefined;
  }
  return { server, facts, idle };
}

function planOf(
  random: () => number,
  user: { internalWallets: { address: string; currency: string; addressId: string }[] },
) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const operations: Orders['operations'] = [];
  const fates: Fate[] = [];
  const count = 1 + Math.floor(random() * 4);
  for (let index = 0; index < count; index++) {
    const wallet = pick(user.internalWallets);
    const amount = pick(['10', '10', '10.0', '12']);
    operations.push(
      pick([
        { operation: 'wallets.credit.withdraw', input: { amount } },
        { operation: 'wallets.credit.withdraw', input: { amount } },
        {
          operation: 'wallets.internal.withdraw',
          input: {
            amount,
            currency: wallet.currency,
            sourceAddress: wallet.address,
            recipientAddress: WALLET,
          },
        },
        { operation: 'wallets.internal.linkToCard', input: { addressId: wallet.addressId } },
        { operation: 'card.order', input: { type: 'VIRTUAL' } },
        { operation: 'card.unfreeze', input: {} },
        {
          operation: 'webhooks.create',
          input: { name: pick(['a', 'b']), url: 'https://example.com/hook', eventTypes: ['*'] },
        },
        {
          operation: 'orders.create',
          input: { productId: 'product_1', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' },
        },
      ]),
    );
    fates.push(pick(['answered', 'answered', 'lost-before', 'lost-after']));
  }
  return { operations, fates };
}

function runVictim(bundle: string, orders: Orders): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const argv = [JSON.stringify(orders)];
    if (process.env['JOURNAL_VICTIM'] === 'thread') {
      // Takes a tenth of the time of a process: the thread ends just as suddenly, in the middle of
      // its work.
      const thread = new Worker(bundle, { argv });
      thread.on('error', reject);
      thread.on('exit', (code) => resolve(code !== 0));
      return;
    }
    const child = spawn(process.execPath, [bundle, ...argv], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('error', reject);
    child.on('exit', (_code, signal) => resolve(signal === 'SIGKILL'));
  });
}

/**
 * Lets a program run a few operations, kills it somewhere, and looks up its open requests. The
 * books of the platform show whether an entry was lost or a verdict is wrong.
 */
export async function runSeed(seed: number, bundle: string): Promise<SeedResult> {
  const random = randomFrom(seed);
  const { mock, user } = platformFor(seed);
  const { operations, fates } = planOf(random, user);
  const { server, facts, idle } = serve(mock, fates);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  const accessToken = mock.accessTokenFor(user);
  const killAt = 1 + Math.floor(random() * CONTINUATIONS_PER_OPERATION * operations.length);
  const credentials = { ...mock.credentials };
  const orders = {
    baseUrl,
    folder,
    accessToken,
    credentials,
    startsAt: STARTS_AT,
    operations,
    killAt,
  };
  try {
    const killed = await runVictim(bundle, orders);
    // A request that was on its way when the program died is worked on now.
    await idle();
    mock.advance(random() < 0.8 ? 10 * 60_000 : 10_000);
    const client = new CardPlatformClient({
      baseUrl: mock.baseUrl,
      fetch: mock.fetch,
      ...credentials,
      accessToken,
      journal: createJournal({ store: folderStore(folder) }),
      clock: {
        now: () => mock.now,
        elapsed: () => performance.now(),
        schedule: () => () => {},
      },
    });
    const pending = await client.journal.pending();
    const result: SeedResult = { killed, pending: pending.length, verdicts: {}, problems: [] };
    const open = new Set(pending.map(({ at }) => Math.round((at - STARTS_AT) / 1_000)));
    for (const [index, { isResponded }] of facts) {
      if (!isResponded && !open.has(index))
        result.problems.push(`seed ${seed}: entry ${index} is lost`);
    }
    for (const entry of pending) {
      const index = Math.round((entry.at - STARTS_AT) / 1_000);
      const { verdict } = await client.journal.reconcile(entry);
      const isExecuted = facts.get(index)?.isExecuted === true;
      result.verdicts[verdict] = (result.verdicts[verdict] ?? 0) + 1;
      if (verdict === 'undecided' || (verdict === 'executed') === isExecuted) continue;
      result.problems.push(`seed ${seed}: ${entry.operation} ${index} is ${verdict}, wrongly`);
    }
    return result;
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
