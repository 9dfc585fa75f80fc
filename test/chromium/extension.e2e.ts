import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { afterEach, expect, it } from 'vitest';
import { type ProxyFailure, toNodeHandler } from '../../src/server/index.js';
import { BASE_PATH, mockProxy } from '../server/support.js';
import { EXTENSION_ORIGIN, launchExtension } from '../support/extension.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server of a partner: its page, whose login sets a cookie, and the proxy. */
async function serve(origins: readonly string[]) {
  const failures: ProxyFailure[] = [];
  let accessToken = '';
  const { proxy, mock, user } = mockProxy({
    origins,
    session: ({ headers }) =>
      /\bsession=ada\b/.test(headers.get('cookie') ?? '') ? { accessToken } : undefined,
    onFailure: (failure) => failures.push(failure),
  });
  accessToken = mock.accessTokenFor(user);
  const onProxy = toNodeHandler(proxy);
  const server: Server = createServer((request, response) => {
    if (request.url?.startsWith(BASE_PATH)) return void onProxy(request, response);
    response.setHeader('content-type', 'text/html');
    response.setHeader('set-cookie', 'session=ada; HttpOnly; SameSite=Strict');
    response.end('<!doctype html><title>app</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, failures };
}

/** The service worker of the extension. The test calls its functions. */
async function worker(url: string): Promise<string> {
  const contents = `
    import { CardPlatformClient } from './src/index.js';
    const userClient = new CardPlatformClient({
      baseUrl: '${url}${BASE_PATH}',
      throughProxy: true,
    });
    globalThis.freeze = async () => {
      try {
        await userClient.card.freeze();
        return (await userClient.card.status()).status;
      } catch ({ code, message }) {
        return code + ': ' + message;
      }
    };
  `;
  const stdin = { contents, resolveDir: process.cwd(), loader: 'ts' as const };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm' });
  return outputFiles[0]?.text ?? '';
}

/** Logs in on the partner's page, and freezes the card from the extension. */
async function freezeFromExtension(url: string, manifest: object): Promise<string> {
  const { context, close } = await launchExtension({ 'worker.js': await worker(url) }, manifest);
  ends.push(close);
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  const [running = await context.waitForEvent('serviceworker')] = context.serviceWorkers();
  return running.evaluate('globalThis.freeze()');
}

const PERMISSION = { host_permissions: ['http://127.0.0.1/*'] };

it('an extension that the option origins lists calls the proxy with the cookie of the page', async () => {
  const { url, failures } = await serve([EXTENSION_ORIGIN]);
  expect(await freezeFromExtension(url, PERMISSION)).toBe('FROZEN');
  expect(failures).toEqual([]);
});

it('an extension that is not listed is told which option to set', async () => {
  const { url, failures } = await serve([]);
  const result = await freezeFromExtension(url, PERMISSION);
  expect(result).toContain(`the browser extension ${EXTENSION_ORIGIN}`);
  expect(result).toContain('option origins');
  expect(failures).toMatchObject([{ reason: 'cross_site', operation: 'card.freeze' }]);
});

it('an extension without permission for the host gets nothing through', async () => {
  const { url } = await serve([EXTENSION_ORIGIN]);
  expect(await freezeFromExtension(url, {})).toMatch(/^connection_failed: /);
});
