import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import sqlite from 'node-sqlite3-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyValueStore } from '../../src/index.js';
import { createSessions, type SessionsOptions } from '../../src/sessions/index.js';
import { checkStore } from '../../src/stores/key-value-store.js';
import { type Clock, systemClock } from '../../src/transport/attempts/clock.js';
import { blocksOf } from '../docs/blocks.js';
import { compileBlock } from '../docs/compile-block.js';
import { runBlock } from '../docs/run-block.js';
import { rejection } from '../support/clients.js';
import { startRedis, whyNoRedis } from './redis-server.js';

const PAGE = readFileSync(new URL('../../docs/server/stores.md', import.meta.url), 'utf8');
const ROUNDS = Number(process.env['STORE_ROUNDS'] ?? 20);

type Recipe = (database: unknown) => KeyValueStore;
type Stores = { stores: readonly [KeyValueStore, KeyValueStore]; close: () => unknown };

function blockOf(name: string) {
  const block = blocksOf('stores.md', PAGE).find(({ code }) =>
    code.includes(`export function ${name}(`),
  );
  if (block === undefined) throw new Error(`the page has no ${name}`);
  return block;
}

async function recipe(name: string): Promise<Recipe> {
  return (await runBlock(blockOf(name), { names: {} }))[name] as Recipe;
}

/**
 * The database as `node:sqlite` shows it. The statements of this one keep their lock until they are
 * finalized, so each is prepared again for every use.
 */
function openSqlite(file: string) {
  const database = new sqlite.Database(file);
  return {
    exec: (sql: string) => database.exec(sql),
    prepare: (sql: string) => ({
      get: (...values: string[]) => database.get(sql, values),
      run: (...values: string[]) => database.run(sql, values),
    }),
    close: () => database.close(),
  };
}

async function openPostgres(): Promise<Stores> {
  const database = await PGlite.create();
  await database.exec('create table card_platform (key text primary key, value text not null)');
  const make = await recipe('postgresStore');
  return { stores: [make(database), make(database)], close: () => database.close() };
}

async function openTwoSqlites(): Promise<Stores> {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  const file = join(folder, 'store.db');
  const databases = [openSqlite(file), openSqlite(file)] as const;
  const make = await recipe('sqliteStore');
  const close = () => {
    for (const database of databases) database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { stores: [make(databases[0]), make(databases[1])], close };
}

async function openRedis(): Promise<Stores> {
  const server = await startRedis();
  const clients = await Promise.all([server.connect(), server.connect()]);
  const make = await recipe('redisStore');
  const close = async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
  };
  return { stores: [make(clients[0]), make(clients[1])], close };
}

const noRedis = whyNoRedis();
if (noRedis !== '') console.warn(noRedis);

const RECIPES: readonly [string, () => Promise<Stores>][] = [
  ['postgresStore', openPostgres],
  ['sqliteStore', openTwoSqlites],
  ...(noRedis === '' ? [['redisStore', openRedis] as [string, () => Promise<Stores>]] : []),
];

const plusOne = (text: string | undefined) => String(Number(text ?? 0) + 1);

/** A clock whose time is set. Short pauses take no time; limits take as long as they say. */
function settableClock() {
  let time = Date.UTC(2026, 0, 1);
  const clock: Clock = {
    now: () => time,
    elapsed: () => time,
    schedule: (callback, ms) => {
      if (ms >= 1_000) return systemClock.schedule(callback, ms);
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
  const advance = (ms: number) => {
    time += ms;
  };
  return { clock, advance };
}

describe.each(RECIPES)('%s of the guide', (_, open) => {
  let one: KeyValueStore;
  let other: KeyValueStore;
  let close: () => unknown = () => {};
  beforeAll(async () => {
    const opened = await open();
    [one, other] = opened.stores;
    close = opened.close;
  });
  afterAll(() => close());

  it('keeps the contract of a store', async () => {
    await checkStore(one, systemClock);
    expect((await one.get('a.b-c_1')) ?? undefined).toBeUndefined();
    await one.delete('a.b-c_1');
    const texts = ["line one\nline 'two' \u{1f4b8}", '', '-', '=', '=-', 'x'.repeat(2_047)];
    for (const text of texts) {
      await one.set('a.b-c_1', text);
      expect(await other.get('a.b-c_1')).toBe(text);
      await other.update('a.b-c_1', (current) => `${current}!`);
      expect(await one.get('a.b-c_1')).toBe(`${text}!`);
      await other.update('a.b-c_1', () => undefined);
      expect((await one.get('a.b-c_1')) ?? undefined).toBeUndefined();
      await one.update('a.b-c_1', () => text);
      expect(await other.get('a.b-c_1')).toBe(text);
    }
    await other.delete('a.b-c_1');
    expect((await one.get('a.b-c_1')) ?? undefined).toBeUndefined();
    await one.update('a.b-c_1', () => undefined);
  });

  it('loses none of 100 changes that two writers make at once', async () => {
    const changes = Array.from({ length: 100 }, (__, index) =>
      (index % 2 === 0 ? one : other).update('count', plusOne),
    );
    await Promise.all(changes);
    expect(await one.get('count')).toBe('100');
  });

  it('passes the error of a change on, keeps the text, and works afterwards', async () => {
    await one.set('key', 'text');
    const failing = async () =>
      one.update('key', () => {
        throw new Error('no');
      });
    expect(await rejection(failing())).toMatchObject({ message: 'no' });
    await other.update('key', (text) => `${text}!`);
    expect(await one.get('key')).toBe('text!');
  });

  it(`lets two servers send a rotating refresh token once, ${ROUNDS} times`, async () => {
    const { clock, advance } = settableClock();
    const sent: (string | undefined)[] = [];
    const renew: SessionsOptions['renew'] = async ({ takeRefreshToken }) => {
      sent.push(await takeRefreshToken());
      await new Promise((resolve) => setImmediate(resolve));
      const accessToken = `token-${sent.length}`;
      return { accessToken, refreshToken: `refresh-${sent.length}` };
    };
    const servers = [one, other].map((store) =>
      createSessions({ store, clock, renew, locks: false }),
    );
    const login = { accessToken: 'token-0', refreshToken: 'refresh-0', userId: 'ada' };
    await servers[0]?.signIn(login, { region: 'global' });
    for (let round = 1; round <= ROUNDS; round++) {
      advance(7 * 60 * 60_000);
      const tokens = await Promise.all(
        servers.map(async (sessions) =>
          (await sessions.load()).session?.accessToken({ reason: 'request' }),
        ),
      );
      expect(tokens).toEqual([`token-${round}`, `token-${round}`]);
      expect(sent).toHaveLength(round);
    }
    expect(sent).toEqual(Array.from({ length: ROUNDS }, (__, round) => `refresh-${round}`));
  });
});

/** Counts in a store of another thread. */
const COUNTER = `
const { parentPort, workerData } = require('node:worker_threads');
const { Database } = require('node-sqlite3-wasm');
const database = new Database(workerData.file);
const open = {
  exec: (sql) => database.exec(sql),
  prepare: (sql) => ({
    get: (...values) => database.get(sql, values),
    run: (...values) => database.run(sql, values),
  }),
};
const exports_ = {};
new Function('exports', 'require', workerData.recipe)(exports_, require);
const store = exports_.sqliteStore(open);
for (let count = 0; count < 100; count++) {
  store.update('count', (text) => String(Number(text ?? 0) + 1));
}
database.close();
parentPort.postMessage('done');
`;

it('sqliteStore of the guide loses no change of two threads on one file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  const file = join(folder, 'store.db');
  const workerData = { file, recipe: compileBlock(blockOf('sqliteStore').code).javascript };
  const threads = [0, 1].map(() => new Worker(COUNTER, { eval: true, workerData }));
  await Promise.all(
    threads.map(
      (thread) =>
        new Promise((resolve, reject) => {
          thread.once('error', reject);
          thread.once('exit', resolve);
        }),
    ),
  );
  const database = openSqlite(file);
  expect((await recipe('sqliteStore'))(database).get('count')).toBe('200');
  database.close();
  rmSync(folder, { recursive: true, force: true });
});
