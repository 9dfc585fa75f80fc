import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headerOf } from '../../test/faults/request-reader.js';
import {
  CALLS,
  type Call,
  CLIENTS,
  type Client,
  ClientProcess,
  type End,
  SECRETS,
} from './clients.js';
import { NO_FAULT, ROWS, type Row } from './rows.js';
import { TRUSTED } from './scenes.js';

/** The result of one call of a client. */
export type Result = {
  end: End;
  /** Whole requests that reached the server. */
  requests: number;
  /** Whether all requests carried the same `Idempotency-Key`. */
  hasOneKey: boolean;
  /** Names of the secrets in the error or in the output of the process. */
  leaked: string[];
  /** Names of the secrets that reached another origin. */
  elsewhere: string[];
  /** Whether the client followed a redirect. */
  isFollowed: boolean;
};

export type RowResults = Record<Call, Result>;
/** Results by client and fault. */
export type Results = Map<Client, Map<Row, RowResults>>;

/** Processes for each client. They spend most of their time waiting. */
const LANES = 3;

function secretsIn(text: string): string[] {
  return Object.entries(SECRETS).flatMap(([name, value]) => (text.includes(value) ? [name] : []));
}

async function measureCall(client: ClientProcess, row: Row, call: Call): Promise<Result> {
  const scene = await row.open();
  try {
    const { end, printed } = await client.run(call, scene.baseUrl);
    const keys = new Set(scene.requests.map((request) => headerOf(request, 'idempotency-key')));
    const inError = end.kind === 'rejected' ? end.leaked : [];
    return {
      end,
      requests: scene.requests.length,
      hasOneKey: keys.size === 1 && !keys.has(undefined),
      leaked: [...new Set([...inError, ...secretsIn(printed)])],
      elsewhere: secretsIn(scene.otherOriginRequests.join('\n')),
      isFollowed: scene.otherOriginRequests.length > 0,
    };
  } finally {
    await scene.stop();
  }
}

/**
 * Checks that every call succeeds without a fault. Otherwise the table would measure something
 * else.
 */
async function checkWithoutFault(client: ClientProcess, name: string): Promise<void> {
  for (const call of CALLS) {
    const { end } = await measureCall(client, NO_FAULT, call);
    if (end.kind !== 'resolved') throw new Error(`${name}: ${call} fails without a fault`);
  }
}

/** Takes faults from a list that all lanes of a client share, until the list is empty. */
async function runLane(
  client: Client,
  rows: Row[],
  certificateFile: string,
  done: (row: Row, results: RowResults) => void,
): Promise<void> {
  let running = await ClientProcess.start(client, certificateFile);
  try {
    await checkWithoutFault(running, client.name);
    for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
      const results: Partial<RowResults> = {};
      for (const call of CALLS) {
        if (!running.isUsable) running = await ClientProcess.start(client, certificateFile);
        results[call] = await measureCall(running, row, call);
      }
      done(row, results as RowResults);
    }
  } finally {
    running.stop();
  }
}

/** Runs every client against every fault. */
export async function measureAll(): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'faults-peers-'));
  const certificateFile = join(folder, 'trusted.pem');
  writeFileSync(certificateFile, TRUSTED.cert);
  const results: Results = new Map();
  try {
    const lanes = CLIENTS.flatMap((client) => {
      const ofClient = new Map<Row, RowResults>();
      results.set(client, ofClient);
      const rows = [...ROWS];
      return Array.from({ length: LANES }, () =>
        runLane(client, rows, certificateFile, (row, found) => ofClient.set(row, found)),
      );
    });
    await Promise.all(lanes);
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
