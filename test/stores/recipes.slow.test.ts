import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyValueStore } from '../../src/index.js';
import { createSessions } from '../../src/sessions/index.js';
import { checkStore } from '../../src/stores/key-value-store.js';
import { systemClock } from '../../src/transport/attempts/clock.js';
import { blocksOf } from '../docs/blocks.js';
import { compileBlock } from '../docs/compile-block.js';
import { runBlock } from '../docs/run-block.js';
import { rejection } from '../support/clients.js';
import { CONNECT, type RecipeName } from './databases.js';
import { startPostgres, whyNoPostgres } from './postgres-server.js';
import { startRedis, whyNoRedis } from './redis-server.js';

const PAGE = readFileSync(new URL('../../docs/server/stores.md', import.meta.url), 'utf8');
const ROUNDS = Number(process.env['STORE_ROUNDS'] ?? 20);

type Recipe = (database: unknown) => KeyValueStore;

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

async function createSqliteFile() {
  const folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
  const stop = () => rmSync(folder, { recursive: true, force: true });
  return { address: join(folder, 'store.db'), stop };
}

/** Makes the table that the page shows in a comment. */
async function startPostgresWithTable() {
  const server = await startPostgres();
  const { database, close } = await CONNECT.postgresStore(server.address);
  const [, table = ''] = /\/\/ (create table .*)/.exec(blockOf('postgresStore').code) ?? [];
  await (database as { query(sql: string): Promise<unknown> }).query(table);
  await close();
  return server;
}

const START = {
  postgresStore: startPostgresWithTable,
  sqliteStore: createSqliteFile,
  redisStore: startRedis,
};

const whyNot = { postgresStore: whyNoPostgres(), sqliteStore: '', redisStore: whyNoRedis() };
for (const line of Object.values(whyNot)) if (line !== '') console.warn(line);
const RECIPES = (Object.keys(START) as RecipeName[]).filter((name) => whyNot[name] === '');

const plusOne = (text: string | undefined) => String(Number(text ?? 0) + 1);

/** Starts a program of its own that shares the database, and is asked one thing at a time. */
function startProgram(name: RecipeName, address: string, onSent: (token: string) => void) {
  const { javascript } = compileBlock(blockOf(name).code);
  const child = fork(join(import.meta.dirname, 'program.ts'), [name, address, javascript], {
    execArgv: ['--import', 'tsx'],
  });
  let answer: (result: unknown) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      answer = resolve;
      fail = reject;
    });
  child.on('message', (message: { sent?: string; result?: unknown }) => {
    if (message.sent === undefined) answer(message.result);
    else onSent(message.sent);
  });
  const ended = new Promise<void>((resolve) => {
    child.on('exit', (code) => {
      fail(new Error(`the program ended with ${code}`));
      resolve();
    });
  });
  const ask = (action: string, value: number) => {
    const result = next();
    child.send([action, value]);
    return result;
  };
  const end = async () => {
    if (child.connected) child.send(['close', 0]);
    await ended;
  };
  return { ready: next(), ask, end };
}

describe.each(RECIPES)('%s of the guide', (name) => {
  let one: KeyValueStore;
  let other: KeyValueStore;
  let address = '';
  const ends: (() => unknown)[] = [];
  beforeAll(async () => {
    const server = await START[name]();
    ends.push(server.stop);
    address = server.address;
    const make = await recipe(name);
    const connections = [await CONNECT[name](address), await CONNECT[name](address)] as const;
    ends.push(...connections.map(({ close }) => close));
    one = make(connections[0].database);
    other = make(connections[1].database);
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

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

  it(
    `lets two programs renew with each refresh token once, ${ROUNDS} times`,
    async () => {
      const sent: string[] = [];
      const programs = [0, 1].map(() => startProgram(name, address, (token) => sent.push(token)));
      try {
        await Promise.all(programs.map(({ ready }) => ready));
        await one.delete('count');
        await Promise.all(programs.map(({ ask }) => ask('count', 100)));
        expect(await one.get('count')).toBe('200');

        const login = { accessToken: 'token-0', refreshToken: 'refresh-0', userId: 'ada' };
        await createSessions({ store: one, locks: false, renew: () => undefined as never }).signIn(
          login,
          { region: 'global' },
        );
        for (let round = 1; round <= ROUNDS; round++) {
          const tokens = await Promise.all(programs.map(({ ask }) => ask('token', round * 7)));
          expect(tokens).toEqual([`token-${round}`, `token-${round}`]);
        }
        expect(sent).toEqual(Array.from({ length: ROUNDS }, (__, round) => `refresh-${round}`));
      } finally {
        for (const { end } of programs) await end();
      }
    },
    60_000 + ROUNDS * 1_000,
  );
});
