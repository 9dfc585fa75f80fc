import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { CardPlatformClient, isCardPlatformError } from '../../src/index.js';
import type { CallReport, ClientJob, ClientReport, SocketReport } from './messages.js';

// Runs in a process of its own: makes the calls of one job and reports the result of each.

const sockets: SocketReport[] = [];

subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  const report: SocketReport = { connected: false, errorCode: undefined };
  sockets.push(report);
  socket.once('connect', () => {
    report.connected = true;
  });
  socket.once('error', (error: NodeJS.ErrnoException) => {
    report.errorCode = error.code;
  });
});

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as NodeJS.ErrnoException;
  return [...(code === undefined ? [] : [code]), ...codesOf(error.cause)];
}

function clientFor({ baseUrl, adapter, timeout, totalTimeout, retry }: ClientJob) {
  return new CardPlatformClient({
    baseUrl,
    clientKey: 'kernel-client-key',
    accessToken: 'kernel-access-token',
    timeout,
    totalTimeout,
    retry,
    // A `fetch` that the caller passes keeps the client from using node:http.
    ...(adapter === 'fetch' && { fetch: (url, init) => globalThis.fetch(url, init) }),
  });
}

async function makeCall(client: CardPlatformClient, job: ClientJob, name: string) {
  const headers = { 'x-case': name };
  const promise =
    job.call === 'withdrawal'
      ? client.wallets.credit.withdraw({ amount: '1.5' }, { headers })
      : client.card.status({ headers });
  const error = await Promise.resolve(promise).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return reportOf(name, error);
}

function reportOf(name: string, error: unknown): CallReport {
  if (error === undefined) return { name, outcome: 'ok', codes: [] };
  const errorName = error instanceof Error ? error.name : typeof error;
  const codes = codesOf(error);
  if (!isCardPlatformError(error)) return { name, outcome: 'none', errorName, codes };
  const { outcome, probableOutcome, attempts } = error;
  return { name, outcome, probableOutcome, errorName, attempts, codes };
}

process.once('message', async (job: ClientJob) => {
  const client = clientFor(job);
  const names = Array.from({ length: job.count ?? 1 }, (_, index) => `${job.call} ${index}`);
  const calls = await Promise.all(names.map((name) => makeCall(client, job, name)));
  const report: ClientReport = { calls, sockets };
  process.send?.(report);
});
process.once('disconnect', () => process.exit());
