import { createClient } from '@redis/client';
import sqlite from 'node-sqlite3-wasm';
import pg from 'pg';

/** A connection as a recipe takes it. */
export type Connection = { database: unknown; close: () => unknown };

async function connectPostgres(folder: string): Promise<Connection> {
  const database = new pg.Pool({ host: folder, user: 'postgres', database: 'postgres' });
  return { database, close: () => database.end() };
}

async function connectRedis(path: string): Promise<Connection> {
  const database = await createClient({ socket: { path, tls: false } }).connect();
  return { database, close: () => database.close() };
}

/**
 * The database as `node:sqlite` shows it. The statements of this one keep their lock until they are
 * finalized, so each is prepared again for every use.
 */
async function connectSqlite(file: string): Promise<Connection> {
  const opened = new sqlite.Database(file);
  const database = {
    exec: (sql: string) => opened.exec(sql),
    prepare: (sql: string) => ({
      get: (...values: string[]) => opened.get(sql, values),
      run: (...values: string[]) => opened.run(sql, values),
    }),
  };
  return { database, close: () => opened.close() };
}

/** Connects to the database of a recipe. Its address is a socket, or a file. */
export const CONNECT = {
  postgresStore: connectPostgres,
  sqliteStore: connectSqlite,
  redisStore: connectRedis,
};

export type RecipeName = keyof typeof CONNECT;
