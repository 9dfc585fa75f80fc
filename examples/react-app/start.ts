import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin } from 'vite';
import { startSandbox } from '../../src/sandbox/server.js';
import { createMockWallet, type MockWallet } from '../../src/testing/wallets/index.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

type Request = (call: { method: string; params?: unknown }) => Promise<unknown>;

/** Makes the test wallet and its chain available to the page, like a browser wallet and a node. */
function testWallet(wallet: MockWallet): Plugin {
  const routes: Record<string, Request> = {
    '/wallet': (call) => wallet.evm.request(call),
    '/chain': (call) => wallet.chains.evm('linea').request(call as never),
  };
  return {
    name: 'test-wallet',
    configureServer({ middlewares }) {
      for (const [path, run] of Object.entries(routes)) {
        middlewares.use(path, async (request, response) => {
          const { id = 1, ...call } = JSON.parse(await text(request));
          const result = await run(call).then(
            (value) => ({ result: value ?? null }),
            ({ code, message, data }) => ({ error: { code, message, data } }),
          );
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));
        });
      }
    },
  };
}

/** Starts the sandbox and the page, each on 127.0.0.1. Port 0 picks a free port. */
export async function startReactApp(ports: { page: number; sandbox: number }) {
  const sandbox = await startSandbox(ports.sandbox, 'demo', Date.now);
  const { platform } = sandbox;
  const ada = platform.users.get('ada@example.com');
  ada.otpEnabled = false;
  // Withdrawals go to a wallet of the user.
  ada.externalWallets.push({
    address: '0x52908400098527886E0F7030069857D2E4169EE7',
    network: 'linea',
    currency: 'usdc',
    balance: '0',
    allowance: '0',
  });
  const wallet = await createMockWallet({ platform, network: 'linea' });
  const vite = await createServer({
    root: HERE,
    configFile: false,
    logLevel: 'error',
    cacheDir: fileURLToPath(new URL('../../node_modules/.vite-react-app', import.meta.url)),
    resolve: {
      alias: [
        { find: /^card-platform-sdk$/, replacement: `${SOURCE}index.ts` },
        { find: /^card-platform-sdk\/(evm|query|sessions)$/, replacement: `${SOURCE}$1/index.ts` },
      ],
    },
    plugins: [testWallet(wallet)],
    // A dependency that Vite finds late would reload the page.
    optimizeDeps: {
      include: [
        '@tanstack/react-query',
        '@wagmi/core',
        'react',
        'react-dom/client',
        'react/jsx-dev-runtime',
        'viem',
        'viem/chains',
      ],
    },
    server: {
      host: '127.0.0.1',
      port: ports.page,
      strictPort: ports.page !== 0,
      proxy: {
        // The page's own server: it adds the client key, which a page must not have.
        '^/platform/': {
          target: sandbox.url,
          changeOrigin: true,
          headers: { 'x-client-key': platform.credentials.clientKey },
          rewrite: (path) => path.replace('/platform', ''),
        },
      },
    },
  });
  await vite.listen();
  const address = vite.httpServer?.address();
  const port = typeof address === 'object' && address !== null ? address.port : ports.page;
  return {
    url: `http://127.0.0.1:${port}/`,
    platform,
    wallet,
    stop: async () => {
      await vite.close();
      await sandbox.stop();
    },
  };
}
