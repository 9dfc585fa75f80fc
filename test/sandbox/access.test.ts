import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { parseHost, parseOrigin } from '../../src/sandbox/access.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox(0, 'demo', () => Date.UTC(2026, 0, 1), {
    publicUrl: 'https://my-tunnel.example',
    access: { hosts: ['10.0.2.2', '[fd00::1]'], origins: ['capacitor://localhost'] },
  });
});
afterEach(() => sandbox.stop());

type Received = { status: number | undefined; headers: Record<string, unknown>; text: string };

/** Sends headers that `fetch` does not allow, such as `Host` and `Sec-Fetch-Site`. */
const send = (method: string, path: string, headers: Record<string, string>, body = '') =>
  new Promise<Received>((resolve, reject) => {
    const sent = request(`${sandbox.url}${path}`, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, text }),
      );
    });
    sent.on('error', reject).end(body);
  });

describe('the hosts of the sandbox', () => {
  it.each([
    '127.0.0.1',
    'localhost:4010',
    '10.0.2.2:4010',
    'fd00::1',
    'my-tunnel.example',
    'MY-TUNNEL.example:443',
  ])('include %s, which was allowed', async (host) => {
    const sent = host.includes('::') ? `[${host}]:4010` : host;
    expect((await send('GET', '/sandbox/state', { host: sent })).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil-localhost',
    'evil.localhost',
    'localhost.evil.example',
    'evil-my-tunnel.example',
    '1127.0.0.1',
    'my-tunnel.example.evil.example',
    '10.0.2.2.nip.io',
    '10.0.2.2@evil.example',
    '192.168.1.5',
    '0.0.0.0:4010',
  ])('do not include "%s"', async (host) => {
    expect((await send('GET', '/sandbox/state', { host })).status).toBe(421);
    expect((await send('GET', '/v1/card/status', { host })).status).toBe(421);
  });
});

/** Sends bytes over a socket, and returns the first line of the response. */
const sendRaw = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(sandbox.url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => (received += part));
    socket.on('error', reject).on('close', () => resolve(received.split('\r\n')[0] ?? ''));
  });

describe('a request with two Host headers', () => {
  const start = 'GET /sandbox/state HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\n';

  it.each(['evil.example', 'localhost', ''])('is refused: %j', async (second) => {
    expect(await sendRaw(`${start}\r\n`)).toBe('HTTP/1.1 200 OK');
    for (const name of ['Host', 'hOST']) {
      const line = await sendRaw(`${start}${name}: ${second}\r\n\r\n`);
      expect(line).toBe('HTTP/1.1 400 Bad Request');
    }
    expect(sandbox.platform.requests).toHaveLength(0);
  });
});

describe('the pages that may use the sandbox', () => {
  it.each([
    'http://localhost:5173',
    'http://10.0.2.2:8081',
    'https://my-tunnel.example',
    'capacitor://localhost',
  ])('include those of %s, with the headers that they ask for', async (origin) => {
    const preflight = await send('OPTIONS', '/v1/card/status', {
      origin,
      'access-control-request-headers': 'x-client-key, x-request-id, traceparent',
      'access-control-request-private-network': 'true',
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'x-client-key, x-request-id, traceparent',
      'access-control-allow-private-network': 'true',
      vary: 'origin, access-control-request-headers',
    });
  });

  it.each([
    'https://evil.example',
    'http://evil-localhost:5173',
    'http://evil.localhost',
    'capacitor://evil',
    'ionic://localhost',
    'https://my-tunnel.example.evil.example',
    'http://10.0.2.2.nip.io',
    'null',
  ])('do not include those of %s', async (origin) => {
    for (const [method, path] of [
      ['OPTIONS', '/v1/card/status'],
      ['GET', '/v1/card/status'],
      ['POST', '/sandbox/actions/reset'],
    ] as const) {
      const { status, headers } = await send(method, path, { origin });
      expect(status).toBe(403);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect(sandbox.platform.requests).toHaveLength(0);
  });
});

describe('the control routes', () => {
  const crossSite = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };

  it.each([
    ['POST', '/sandbox/actions/reset'],
    ['POST', '/sandbox/actions'],
    ['GET', '/sandbox/state'],
    ['GET', '/sandbox/snapshot?x'],
    ['GET', '/sandbox/openapi.json'],
  ])('refuse %s %s of an image, frame or form of another site', async (method, path) => {
    sandbox.platform.users.add({ email: 'kept@example.com' });
    for (const site of ['cross-site', 'same-site']) {
      const headers = { ...crossSite, 'sec-fetch-site': site };
      expect((await send(method, path, headers)).status).toBe(403);
    }
    const frame = { ...crossSite, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect((await send(method, path, frame)).status).toBe(403);
    expect(sandbox.platform.users.find('kept@example.com')).toBeDefined();
  });

  it('accept the page itself, an allowed page, and a link that a person opens', async () => {
    const own = { 'sec-fetch-site': 'same-origin' };
    const page = { ...crossSite, origin: 'http://localhost:5173' };
    const link = {
      ...crossSite,
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    for (const headers of [own, page, link, {}]) {
      expect((await send('GET', '/sandbox/state', headers)).status).toBe(200);
    }
  });

  it('refuse a form that another site opens as a page', async () => {
    const headers = {
      ...crossSite,
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    for (const origin of ['https://evil.example', 'null', undefined]) {
      const sent = origin === undefined ? headers : { ...headers, origin };
      expect((await send('POST', '/sandbox/actions', sent, 'action=reset')).status).toBe(403);
    }
  });

  it('leave the API to images of other sites, as the images of cards need', async () => {
    expect((await send('GET', '/details-image?token=x', crossSite)).status).not.toBe(403);
  });
});

it('the guide names only addresses that a client takes', () => {
  const guide = readFileSync(new URL('../../docs/test/sandbox.md', import.meta.url), 'utf8');
  const named = [...guide.matchAll(/(?:--public-url |`)(https?:\/\/[^`\s]+)`/g)];
  expect(named.length).toBeGreaterThanOrEqual(4);
  for (const [, baseUrl = ''] of named) {
    expect(new CardPlatformClient({ baseUrl, clientKey: 'key' })).toBeInstanceOf(
      CardPlatformClient,
    );
  }
});

describe('--public-url', () => {
  it('is the start of every URL in responses', async () => {
    const { platform } = sandbox;
    const ada = platform.users.get('ada@example.com');
    const { text } = await send('POST', '/v1/card/pin/token', {
      'x-client-key': platform.credentials.clientKey,
      authorization: `Bearer ${platform.accessTokenFor(ada)}`,
    });
    const { imageUrl } = JSON.parse(text) as { imageUrl: string };
    expect(new URL(imageUrl).origin).toBe('https://my-tunnel.example');
    const { pathname, search } = new URL(imageUrl);
    const image = await send('GET', `${pathname}${search}`, { host: 'my-tunnel.example' });
    expect(image.headers['content-type']).toBe('image/svg+xml');
  });
});

describe('the text of a host and an origin', () => {
  it.each([
    ['10.0.2.2', '10.0.2.2'],
    ['Laptop.Local', 'laptop.local'],
    ['my_service', 'my_service'],
    ['fd00:0::1', '[fd00::1]'],
    ['[fd00::1]', '[fd00::1]'],
  ])('is read: host %s', (text, host) => {
    expect(parseHost(text)).toBe(host);
  });

  it('of a host has at most 253 characters', () => {
    const longest = `${'a.'.repeat(126)}a`;
    expect(parseHost(longest)).toBe(longest);
    expect(parseHost(`${longest}a`)).toBeUndefined();
  });

  it.each([
    '',
    '*',
    '*.local',
    'a:80',
    'http://a',
    'a/b',
    'a b',
    'user@a',
    '.',
    '.a',
    'a..b',
    'a?b',
    'a#b',
    '0x7f.1',
    '1',
    '[::1]:80',
    'fe80::1%eth0',
  ])('is refused: host "%s"', (text) => {
    expect(parseHost(text)).toBeUndefined();
  });

  it.each([
    ['https://Shop.test:443', 'https://shop.test'],
    ['http://shop.test:5173', 'http://shop.test:5173'],
    ['capacitor://localhost', 'capacitor://localhost'],
    ['chrome-extension://abcdef', 'chrome-extension://abcdef'],
  ])('is read: origin %s', (text, origin) => {
    expect(parseOrigin(text)).toBe(origin);
  });

  it.each([
    'null',
    '*',
    'http://*.test',
    'shop.test',
    'http://shop.test/',
    'http://shop.test/page',
    'http://user@shop.test',
    'file://',
  ])('is refused: origin %s', (text) => {
    expect(parseOrigin(text)).toBeUndefined();
  });
});
