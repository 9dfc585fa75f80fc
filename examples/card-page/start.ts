import { fileURLToPath } from 'node:url';
import { type Connect, createServer, type Plugin } from 'vite';
import { startSandbox } from '../../src/sandbox/server.js';
import { memoryStore } from '../../src/stores/index.js';
import { startLocalChain } from '../../test/chain/local-chain.js';
import { createAnvilVerifier } from '../../test/chain/proof-verifier.js';
import { createPageServer, SERVER_PATH } from './server.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));
const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const LINEA = 59144;
/** The account of the test wallet, and its balance in base units. */
const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BALANCE = 500_000_000n;

/** Adds the page's own server, the chain settings and the test wallet to the page. */
function localPage(chainSettings: unknown, server: Connect.SimpleHandleFunction): Plugin {
  return {
    name: 'local-page',
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: '/local-wallet.ts' }, injectTo: 'head' },
    ],
    configureServer({ middlewares }) {
      middlewares.use(SERVER_PATH, server);
      middlewares.use('/chain-settings.json', (_request, response) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(chainSettings));
      });
    },
  };
}

/** Starts the chain, the sandbox and the page, each on 127.0.0.1. Port 0 picks a free port. */
export async function startCardPage(ports: { page: number; sandbox: number }) {
  const chain = await startLocalChain(LINEA);
  const mint = { ...chain.usdc, functionName: 'mint', args: [ACCOUNT, BALANCE] };
  const hash = await chain.bank.writeContract({ chain: chain.chain, ...mint });
  await chain.receiptOf(hash);
  const sandbox = await startSandbox(ports.sandbox, 'demo', Date.now, {
    verifyEvmProof: createAnvilVerifier({ chain, spender: SPENDER, now: () => clock() }),
    chainConfig: {
      networks: [
        {
          network: 'linea',
          environment: 'local',
          chainId: LINEA,
          delegationContract: SPENDER,
          tokens: { usdc: { symbol: 'USDC', decimals: 6, address: chain.usdc.address } },
        },
      ],
    },
  });
  const clock = () => sandbox.platform.now;
  const { clientKey } = sandbox.platform.credentials;
  const server = createPageServer({ baseUrl: sandbox.url, clientKey }, memoryStore());
  const vite = await createServer({
    root: HERE,
    configFile: false,
    logLevel: 'error',
    cacheDir: fileURLToPath(new URL('../../node_modules/.vite-card-page', import.meta.url)),
    resolve: {
      alias: [
        { find: /^card-platform-sdk$/, replacement: `${SOURCE}index.ts` },
        { find: /^card-platform-sdk\/(card-reveal|evm)$/, replacement: `${SOURCE}$1/index.ts` },
      ],
    },
    plugins: [localPage({ rpcUrl: '/chain', networks: chain.networks }, server)],
    server: {
      host: '127.0.0.1',
      port: ports.page,
      strictPort: ports.page !== 0,
      proxy: {
        '^/chain$': { target: chain.url, changeOrigin: true, rewrite: () => '/' },
      },
    },
  });
  await vite.listen();
  const address = vite.httpServer?.address();
  const port = typeof address === 'object' && address !== null ? address.port : ports.page;
  return {
    url: `http://127.0.0.1:${port}/`,
    sandbox,
    chain,
    stop: async () => {
      await vite.close();
      await sandbox.stop();
      await chain.stop();
    },
  };
}
