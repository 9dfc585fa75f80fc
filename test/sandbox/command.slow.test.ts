import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { readOptions } from '../../src/sandbox/options.js';
import { UsageError } from '../../src/sandbox/usage-error.js';

const MAIN = fileURLToPath(new URL('../../src/sandbox/main.ts', import.meta.url));
let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

function start(...args: string[]): ChildProcess {
  child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], { stdio: 'pipe' });
  return child;
}

async function output(process: ChildProcess): Promise<{ text: string; code: number }> {
  let text = '';
  process.stdout?.on('data', (chunk) => (text += chunk));
  process.stderr?.on('data', (chunk) => (text += chunk));
  const [code] = await once(process, 'close');
  return { text, code };
}

describe('card-platform-sandbox', () => {
  it('listens on 127.0.0.1 only, prints its URL, and stops cleanly', async () => {
    const running = start('--port', '0', '--seed', 'empty');
    const ended = output(running);
    const [first] = await once(running.stdout as NodeJS.ReadableStream, 'data');
    const [, url = ''] = /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(String(first)) ?? [];
    const state = (await (await fetch(`${url}/sandbox/state`)).json()) as { users: unknown[] };
    expect(state.users).toEqual([]);
    running.kill('SIGTERM');
    const { text, code } = await ended;
    expect(code).toBe(0);
    expect(text).toContain('stopped');
  });

  it('prints its usage for --help', async () => {
    const { text, code } = await output(start('--help'));
    expect(code).toBe(0);
    expect(text).toContain('--seed <demo|empty|file.json>');
  });

  it('exits with code 1 and a message for an invalid port', async () => {
    const { text, code } = await output(start('--port', 'soon'));
    expect(code).toBe(1);
    expect(text).toContain('--port must be a number');
  });
});

describe('the options of card-platform-sandbox', () => {
  it('default to port 4010 and demo users', () => {
    expect(readOptions([])).toEqual({
      port: 4010,
      listen: '127.0.0.1',
      publicUrl: undefined,
      tls: undefined,
      hosts: [],
      origins: [],
      seed: 'demo',
      choices: {},
      webhooksTo: undefined,
    });
  });

  it.each([
    ['--port', '65536'],
    ['--port', '-1'],
    ['--port=1.5'],
    ['--port'],
    ['--seed', 'full'],
    ['--unknown'],
    ['surplus'],
  ])('are rejected when invalid: %s %s', (...args) => {
    expect(() => readOptions(args.filter((arg) => arg !== undefined))).toThrow(UsageError);
  });
});
