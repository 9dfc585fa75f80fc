import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../src/sandbox/command-line.js';
import { readForwardOptions } from '../../src/sandbox/commands/forward.js';
import { readRecordOptions } from '../../src/sandbox/commands/record.js';
import { startupText } from '../../src/sandbox/commands/serve.js';
import { DEMO_LOGINS } from '../../src/sandbox/demo-users.js';
import { loadCertificate, readOptions } from '../../src/sandbox/options.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { selfSignedCertificate } from '../faults/certificate.js';

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

/** Starts the sandbox, and returns the text that it prints when it listens. */
async function startupOf(...args: string[]): Promise<string> {
  const { stdout, stderr } = start('--port', '0', ...args);
  let text = '';
  stderr?.on('data', (chunk) => (text += chunk));
  for await (const chunk of stdout ?? []) {
    text += chunk;
    if (text.includes('Ctrl+C')) return text;
  }
  throw new Error(`the sandbox has ended: ${text}`);
}

const addressIn = (text: string) => /listens on (https?:\/\/\S+)/.exec(text)?.[1] ?? '';

/** Sends a GET request, over TLS with only the given authority trusted. */
const get = (url: string, headers: Record<string, string> = {}, ca?: string) =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const send = url.startsWith('https:') ? requestOverTls : request;
    send(url, { headers, ...(ca !== undefined && { ca }) }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    })
      .on('error', reject)
      .end();
  });

describe('the console of card-platform-sandbox', () => {
  it('prints the page, the demo logins, and where the code appears', async () => {
    const text = await startupOf();
    expect(text).toContain(`page         ${addressIn(text)}/`);
    expect(text).toContain('password     correct horse battery staple');
    expect(text).toContain('alan@example.com: password; can withdraw\n');
    for (const [email, way] of DEMO_LOGINS) expect(text).toContain(`${email}: ${way}`);
    expect(text).toContain('column "Code sent"');
    const { text: page } = await get(addressIn(text));
    expect(page).toContain('<th>Code sent</th>');
  });
});

describe('card-platform-sandbox --add and --credentials', () => {
  it('accepts the keys of an app, and what it adds to the lists', async () => {
    const text = await startupOf('--add', 'base', '--credentials', 'clientKey=key-of-the-app');
    expect(text).toContain('clientKey key-of-the-app');
    const url = addressIn(text);
    const headers = { 'content-type': 'application/json', 'x-client-key': 'key-of-the-app' };
    const post = (path: string, body: object, more: Record<string, string> = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...headers, ...more },
      });
    const login = { email: 'alan@example.com', password: 'correct horse battery staple' };
    const { accessToken } = (await (await post('/v1/auth/login', login)).json()) as {
      accessToken: string;
    };
    const authorization = `Bearer ${accessToken}`;
    const create = (network: string) =>
      post('/v1/wallet/internal', { wallets: [{ network, currency: 'usdc' }] }, { authorization });
    expect([(await create('base')).status, (await create('near')).status]).toEqual([201, 422]);
    const other = await post('/v1/auth/login', login, { 'x-client-key': 'mock-client-key' });
    expect(other.status).toBe(498);
  });
});

describe('card-platform-sandbox --tls-cert', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-tls-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => join(folder, name);
  const { cert, key } = selfSignedCertificate('sandbox');
  writeFileSync(file('cert.pem'), cert);
  writeFileSync(file('key.pem'), key);
  writeFileSync(file('other-key.pem'), selfSignedCertificate('other').key);

  it('serves https with a certificate from files', async () => {
    const files = ['--tls-cert', file('cert.pem'), '--tls-key', file('key.pem')];
    const url = addressIn(await startupOf(...files, '--allow-host', '10.0.2.2'));
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    await expect(get(url)).rejects.toThrow('self-signed certificate');
    expect((await get(`${url}/sandbox/state`, {}, cert)).status).toBe(200);
    const { text } = await get(`${url}/sandbox/state`, { host: '10.0.2.2' }, cert);
    expect(JSON.parse(text)).toMatchObject({ baseUrl: url });
  });

  it('refuses files that do not fit together or cannot be used', async () => {
    const load = (certFile: string, keyFile: string) => () =>
      loadCertificate({ certFile: file(certFile), keyFile: file(keyFile) });
    expect(load('cert.pem', 'key.pem')()).toEqual({ cert, key });
    expect(load('cert.pem', 'other-key.pem')).toThrow('must be PEM files that belong together');
    expect(load('key.pem', 'cert.pem')).toThrow('must be PEM files');
    expect(load('missing.pem', 'key.pem')).toThrow('--tls-cert cannot be read');
    expect(load('cert.pem', 'missing.pem')).toThrow('--tls-key cannot be read');
    const files = ['--tls-cert', file('cert.pem'), '--tls-key', file('missing.pem')];
    const { text, code } = await output(start(...files));
    expect(code).toBe(1);
    expect(text).toContain('--tls-key cannot be read');
  });
});

describe('card-platform-sandbox for other machines', () => {
  it('uses its public URL in responses and accepts its host', async () => {
    const text = await startupOf('--public-url', 'https://my-tunnel.example/');
    expect(text).toContain('base URL     https://my-tunnel.example\n');
    const headers = { host: 'my-tunnel.example' };
    const state = await get(`${addressIn(text)}/sandbox/state`, headers);
    expect(JSON.parse(state.text)).toMatchObject({ baseUrl: 'https://my-tunnel.example' });
    expect((await get(addressIn(text), { host: 'other.example' })).status).toBe(421);
  });

  it('listens on another address of the machine, and accepts it as its host', async () => {
    const url = addressIn(await startupOf('--listen', '127.0.0.2'));
    expect(new URL(url).hostname).toBe('127.0.0.2');
    expect((await get(`${url}/sandbox/state`)).status).toBe(200);
  });

  it('warns that a network can use it', () => {
    const options = readOptions(['--listen', '0.0.0.0']);
    if (options === undefined) throw new Error('there are no options');
    const sandbox = { url: 'http://127.0.0.1:4010', platform: createMockPlatform(), options };
    expect(startupText(sandbox)).toContain('Every device that reaches 0.0.0.0 can use the sandbox');
    for (const listen of ['127.0.0.1', '127.0.0.2', '::1']) {
      const text = startupText({ ...sandbox, options: { ...options, listen } });
      expect(text).not.toContain('Every device');
    }
  });
});

describe('card-platform-sandbox --seed', () => {
  it('starts with the users of a file, and exits with code 1 for a mistake in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-seed-'));
    const path = join(folder, 'users.json');
    try {
      writeFileSync(path, '{"users":[{"email":"ada@acme.test","card":"FROZEN"}]}');
      const url = addressIn(await startupOf('--seed', path));
      const { text } = await get(`${url}/sandbox/state`);
      expect(JSON.parse(text)).toMatchObject({
        users: [{ email: 'ada@acme.test', card: { status: 'FROZEN' } }],
      });
      child?.kill('SIGKILL');
      writeFileSync(path, '{"users":[{"emial":"ada@acme.test"}]}');
      const ended = await output(start('--seed', path));
      expect(ended.code).toBe(1);
      expect(ended.text).toContain(
        '--seed: users.add: emial is not a known option. Did you mean email?',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the commands of card-platform-sandbox', () => {
  it('are found by name', async () => {
    const { text, code } = await output(start('serve', '--help'));
    expect(code).toBe(0);
    expect(text).toContain('card-platform-sandbox [serve]');
  });

  it('are listed by --help, each with what it does', async () => {
    const { text: refusal } = await output(start('server'));
    const names = /must be one of ([\w, ]+)/.exec(refusal)?.[1]?.split(', ') ?? [];
    expect(names).toEqual(['serve', 'trigger', 'forward', 'record']);
    const { text } = await output(start('--help'));
    for (const name of names) expect(text).toMatch(new RegExp(`^  ${name} {2,}\\w+ \\w+`, 'm'));
  });

  it.each([
    ['serve', 'port to listen on; 0 picks a free one', readOptions([])?.port],
    ['serve', 'address to listen on', readOptions([])?.listen],
    ['forward', 'the sandbox', readForwardOptions(['--to', 'http://127.0.0.1:1'])?.from],
    [
      'record',
      '0 picks a free one',
      readRecordOptions(['--service', 'https://api.example', '--out', 'out'])?.port,
    ],
  ])('show in --help the default that they have: %s, %s', async (name, what, value) => {
    expect(value).toBeDefined();
    const { text } = await output(start(name, '--help'));
    expect(text).toContain(`${what} (default ${value})`);
  });

  it('are listed when the name is unknown', async () => {
    const { text, code } = await output(start('server'));
    expect(code).toBe(1);
    expect(text).toMatch(/the command must be one of serve/);
  });
});

describe('the options of card-platform-sandbox', () => {
  it('default to port 4010 and demo users', () => {
    expect(readOptions([])).toEqual({
      port: 4010,
      additions: [],
      credentials: {},
      listen: '127.0.0.1',
      publicUrl: undefined,
      tls: undefined,
      hosts: [],
      origins: [],
      seed: 'demo',
      choices: {},
      observed: false,
      webhooksTo: undefined,
    });
  });

  it('name hosts, origins, a public URL and certificates', () => {
    const made = readOptions([
      ...['--allow-host', '10.0.2.2', '--allow-host', 'fd00::1'],
      ...[
        '--allow-origin',
        'capacitor://localhost',
        '--public-url',
        'https://Tunnel.example:8443/',
      ],
      ...['--listen', '0.0.0.0', '--seed', './users.json'],
    ]);
    expect(made).toMatchObject({
      hosts: ['10.0.2.2', '[fd00::1]'],
      origins: ['capacitor://localhost'],
      publicUrl: 'https://tunnel.example:8443',
      listen: '0.0.0.0',
      seed: './users.json',
    });
    expect(readOptions(['--tls-cert', 'cert.pem', '--tls-key', 'key.pem'])?.tls).toEqual({
      certFile: 'cert.pem',
      keyFile: 'key.pem',
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
    ['--seed', ''],
    ['--listen', 'localhost'],
    ['--listen', '256.0.0.1'],
    ['--public-url', 'my-tunnel.example'],
    ['--public-url', 'https://my-tunnel.example/api'],
    ['--public-url', 'ftp://my-tunnel.example'],
    ['--public-url', 'https://*.example'],
    ['--allow-host', '*'],
    ['--allow-host', 'http://10.0.2.2'],
    ['--allow-host', '10.0.2.2:4010'],
    ['--allow-host', ''],
    ['--allow-origin', '*'],
    ['--allow-origin', 'null'],
    ['--allow-origin', 'http://shop.test/page'],
    ['--tls-cert', 'cert.pem'],
    ['--tls-key', 'key.pem'],
  ])('are rejected when invalid: %s %s', (...args) => {
    expect(() => readOptions(args.filter((arg) => arg !== undefined))).toThrow(UsageError);
  });
});
