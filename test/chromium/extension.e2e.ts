import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { afterEach, expect, it } from 'vitest';
import { type ProxyFailure, toNodeHandler } from '../../src/server/index.js';
import { BASE_PATH, mockProxy } from '../server/support.js';
import { CHROMIUM_EXTENSION_ORIGIN, launchChromiumExtension } from '../support/extension.js';

const ADA = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
const WALLET = {
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  currency: 'usdc',
  balance: '0',
  allowance: '1',
  network: 'linea',
};

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server of a partner: its page, whose login sets a cookie, and the proxy. */
async function serve(origins: readonly string[]) {
  const failures: ProxyFailure[] = [];
  let accessToken = '';
  const { proxy, mock } = mockProxy({
    origins,
    session: ({ headers }) =>
      /\bsession=ada\b/.test(headers.get('cookie') ?? '') ? { accessToken } : undefined,
    onFailure: (failure) => failures.push(failure),
  });
  const ada = mock.users.add({
    id: ADA,
    card: 'ACTIVE',
    creditBalance: '100',
    externalWallets: [WALLET],
  });
  accessToken = mock.accessTokenFor(ada);
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

/** The script of the extension: the client of the guide, and a function that the test calls. */
async function script(url: string): Promise<string> {
  const contents = `
    import { CardPlatformClient } from './src/index.js';
    import { createJournal } from './src/journal/index.js';
    import { indexedDbStore } from './src/stores/index.js';
    const userClient = new CardPlatformClient({
      baseUrl: '${url}${BASE_PATH}',
      throughProxy: true,
      journal: createJournal({ store: indexedDbStore(), user: '${ADA}' }),
    });
    globalThis.use = async () => {
      try {
        await userClient.card.freeze();
        const { status } = await userClient.card.status();
        const { txHash } = await userClient.wallets.credit.withdraw({ amount: '1' });
        const open = await userClient.journal.pending();
        return status + ', sent: ' + /^0x/.test(txHash) + ', open: ' + open.length;
      } catch ({ code, message }) {
        return code + ': ' + message;
      }
    };
  `;
  const stdin = { contents, resolveDir: process.cwd(), loader: 'ts' as const };
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm' });
  return outputFiles[0]?.text ?? '';
}

const USE = 'globalThis.use()';

/** Logs in on the partner's page, with this extension installed. */
async function logIn(url: string, manifest: object) {
  const code = await script(url);
  const page = '<!doctype html><script type="module" src="worker.js"></script>';
  const files = { 'worker.js': code, 'page.html': page };
  const { context, close } = await launchChromiumExtension(files, manifest);
  ends.push(close);
  const tab = await context.newPage();
  await tab.goto(`${url}/login`);
  const [worker = await context.waitForEvent('serviceworker')] = context.serviceWorkers();
  return { tab, worker };
}

const PERMISSION = { host_permissions: ['http://127.0.0.1/*'] };
const DONE = 'FROZEN, sent: true, open: 0';

it('the service worker of a listed extension calls the proxy with the cookie of the page', async () => {
  const { url, failures } = await serve([CHROMIUM_EXTENSION_ORIGIN]);
  const { worker } = await logIn(url, PERMISSION);
  expect(await worker.evaluate(USE)).toBe(DONE);
  expect(failures).toEqual([]);
});

it('a page of a listed extension calls the proxy with the cookie of the page', async () => {
  const { url, failures } = await serve([CHROMIUM_EXTENSION_ORIGIN]);
  const { tab } = await logIn(url, PERMISSION);
  await tab.goto(`${CHROMIUM_EXTENSION_ORIGIN}/page.html`);
  await tab.waitForFunction('globalThis.use !== undefined');
  expect(await tab.evaluate(USE)).toBe(DONE);
  expect(failures).toEqual([]);
});

it('an extension that is not listed gets the name of the option', async () => {
  const { url, failures } = await serve([]);
  const { worker } = await logIn(url, PERMISSION);
  const result = await worker.evaluate(USE);
  expect(result).toContain(`the browser extension ${CHROMIUM_EXTENSION_ORIGIN}`);
  expect(result).toContain('option origins');
  expect(failures).toMatchObject([{ reason: 'cross_site', operation: 'card.freeze' }]);
});

it('an extension without permission for the host gets nothing through', async () => {
  const { url } = await serve([CHROMIUM_EXTENSION_ORIGIN]);
  const { worker } = await logIn(url, {});
  expect(await worker.evaluate(USE)).toMatch(/^connection_failed: /);
});
