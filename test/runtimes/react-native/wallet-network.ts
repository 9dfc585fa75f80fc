import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMockPlatform } from '../../../src/testing/index.js';
import { createMockWallet } from '../../../src/testing/wallets/index.js';
import { decodeValue, encodeValue } from './app/wire-values.mjs';

/**
 * The platform, its chains and a wallet app behind HTTP, as an app reaches them over the network.
 */
export type WalletNetwork = { url: string; stop: () => void };

type Method = (...args: never[]) => unknown;
type Call = { target: string; method: string; args: never[] };

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns the objects whose methods the app may call, by name. */
async function createTargets(baseUrl: string) {
  const platform = createMockPlatform({ baseUrl });
  const user = platform.users.add({ card: 'ACTIVE' });
  const wallet = await createMockWallet({ platform, network: 'linea' });
  const { chains } = wallet;
  const feature = async (name: string, input: object) => {
    const call = wallet.solana.features[name]?.[name.slice('solana:'.length)] as Method;
    const [output] = (await call(input as never)) as Record<string, Uint8Array>[];
    return output;
  };
  const targets: Readonly<Record<string, unknown>> = {
    scene: {
      read: () => ({
        clientKey: platform.credentials.clientKey,
        accessToken: platform.accessTokenFor(user),
        now: platform.now,
        evmAddress: wallet.evm.address,
        solanaAddress: wallet.solana.address,
        delegate: chains.solana.delegate,
      }),
      registered: () => platform.users.get(user.id).externalWallets,
      transactions: () => [
        chains.evm('linea').transactions.length,
        chains.solana.transactions.length,
      ],
    },
    clock: {
      sleep: async (milliseconds: number) => {
        await chains.runtime.sleep(milliseconds);
        return platform.now;
      },
    },
    solana: chains.solana,
    solanaWallet: {
      signMessage: async (message: Uint8Array) =>
        (await feature('solana:signMessage', { message }))?.['signature'],
      signTransaction: async (transaction: Uint8Array) =>
        (await feature('solana:signTransaction', { transaction }))?.['signedTransaction'],
    },
    evmWallet: wallet.evm,
    linea: chains.evm('linea'),
  };
  return { platform, targets };
}

/** Starts it on a free port of this machine. */
export async function startWalletNetwork(): Promise<WalletNetwork> {
  let world: ReturnType<typeof createTargets> | undefined;
  let url = '';
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const text = await readText(request);
    world ??= createTargets(`${url}/platform`);
    const { platform, targets } = await world;
    if (path.startsWith('/platform/')) {
      const headers = request.headers as Record<string, string>;
      const init = { method: request.method ?? 'GET', headers };
      const body = text === '' ? {} : { body: text };
      const reply = await platform.fetch(`${url}${path}`, { ...init, ...body });
      response.writeHead(reply.status, Object.fromEntries(reply.headers));
      response.end(await reply.text());
      return;
    }
    const { target, method, args } = decodeValue(text) as Call;
    const object = targets[target] as Readonly<Record<string, Method>>;
    try {
      response.end(encodeValue({ result: await object[method]?.(...args) }));
    } catch (error) {
      const { message, code } = error as { message: string; code?: unknown };
      response.end(encodeValue({ error: { message, code } }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
