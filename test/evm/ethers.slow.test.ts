import {
  BrowserProvider,
  type Eip1193Provider,
  FallbackProvider,
  JsonRpcProvider,
  NonceManager,
  Wallet,
} from 'ethers';
import { providers, Wallet as Wallet5 } from 'ethers5';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EthersSigner, nodeFromEthers, walletFromEthers } from '../../src/evm/ethers/index.js';
import { buildApprovalCalls, type EvmWallet, readAllowance } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import {
  type Behaviour,
  type BrowserWallet,
  createBrowserWallet,
} from './support/browser-wallet.js';
import { waitUntilMined } from './support/chain-actions.js';
import { type Scene, SPENDER, setUpScene } from './support/scene.js';

let linea: LocalChain;
let ethereum: LocalChain;

beforeAll(async () => {
  [linea, ethereum] = await Promise.all([startLocalChain(59144), startLocalChain(1)]);
});

afterAll(() => Promise.all([linea.stop(), ethereum.stop()]));

const OPTIONS = { cacheTimeout: -1, polling: true, pollingInterval: 20 };

type Signer = (browser: BrowserWallet) => EthersSigner | Promise<EthersSigner>;

/** The signers of a browser wallet. */
const BROWSER: [string, Signer][] = [
  ['ethers 6', (browser) => new BrowserProvider(browser as Eip1193Provider, 'any').getSigner()],
  ['ethers 5', (browser) => new providers.Web3Provider(browser as never, 'any').getSigner()],
];

function polling(provider: providers.JsonRpcProvider): providers.JsonRpcProvider {
  provider.pollingInterval = 20;
  return provider;
}

/** A user with a local key, and the same key as a signer of ethers. */
async function localScene(version: string, chain: LocalChain) {
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  await chain.testClient.setBalance({ address, value: 10n ** 18n });
  const signer: EthersSigner =
    version === 'ethers 6'
      ? new Wallet(key, new JsonRpcProvider(chain.url, undefined, OPTIONS))
      : new Wallet5(key, polling(new providers.JsonRpcProvider(chain.url)));
  return { scene: await setUpScene(chain), address: address as `0x${string}`, signer };
}

describe.each(BROWSER)('a browser wallet through %s', (_, signerOf) => {
  const walletOf = async (scene: Scene, behaviours?: Record<string, Behaviour>) => {
    const browser = createBrowserWallet(scene.account, [linea, ethereum], behaviours);
    return { browser, wallet: await walletFromEthers(await signerOf(browser)) };
  };

  it('delegates with one signature and one transaction', async () => {
    const scene = await setUpScene(linea);
    const { browser, wallet } = await walletOf(scene);
    const result = await scene.delegate({ wallet });
    expect(result).toMatchObject({ registration: 'accepted', address: scene.account.address });
    expect(browser.prompts()).toEqual(['personal_sign', 'eth_sendTransaction']);
    const sent = browser.requests.find(({ method }) => method === 'eth_sendTransaction');
    expect(sent?.params).toMatchObject([{ chainId: '0xe708', value: '0x0' }]);
  });

  it('does not lose the hash when the node fails after the transaction was sent', async () => {
    const scene = await setUpScene(linea);
    let isSent = false;
    const failOnceSent: Behaviour = (__, next) =>
      isSent ? Promise.reject(new Error('the node is gone')) : next();
    const { wallet } = await walletOf(scene, {
      eth_sendTransaction: async (__, next) => {
        const hash = await next();
        isSent = true;
        return hash;
      },
      eth_getTransactionByHash: failOnceSent,
      eth_blockNumber: failOnceSent,
    });
    const result = await scene.delegate({ wallet });
    expect(result.registration).toBe('accepted');
  });

  it('reads the chain that the wallet is on now', async () => {
    const scene = await setUpScene(linea);
    const { browser, wallet } = await walletOf(scene);
    expect(await wallet.getChainId()).toBe(59144);
    browser.switchTo(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(await wallet.getChainId()).toBe(1);
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wrong_chain', actual: '1' });
  });

  it('has the outcome unknown when it lost the connection while it sent', async () => {
    const scene = await setUpScene(linea);
    const { wallet } = await walletOf(scene, {
      eth_sendTransaction: async (__, next) => {
        await waitUntilMined(linea, (await next()) as Hex);
        throw Object.assign(new Error('could not be read'), { code: -32603 });
      },
    });
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    const resumed = await scene.delegate({ wallet, resume: state });
    expect(resumed.registration).toBe('accepted');
    expect(await scene.transactionCount()).toBe(1);
  });
});

describe.each(['ethers 6', 'ethers 5'])('a local key of %s', (version) => {
  it('delegates', async () => {
    const { scene, address, signer } = await localScene(version, linea);
    const result = await scene.delegate({ wallet: await walletFromEthers(signer) });
    expect(result).toMatchObject({ registration: 'accepted', address });
  });

  it('without coins for the fee fails with insufficient_funds, and nothing was sent', async () => {
    const { scene, address, signer } = await localScene(version, linea);
    await linea.testClient.setBalance({ address, value: 0n });
    const wallet = await walletFromEthers(signer);
    const { error, state } = await scene.delegateAndCatch({ wallet, faucet: false });
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
  });

  it('whose nonce was used in the meantime has the outcome unknown', async () => {
    const { scene, signer, address } = await localScene(version, linea);
    await linea.testClient.setNonce({ address, nonce: 3 });
    const wallet: EvmWallet = {
      ...(await sendingWallet(signer)),
      sendTransaction: async ({ to, data }) =>
        (await signer.sendTransaction({ to, data, nonce: 1, gasLimit: 100_000n } as never)).hash,
    };
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(codeOf(error)).toBe('NONCE_EXPIRED');
    expect(state?.approval).toEqual({ status: 'requested' });
  });

  it('that waits for a transaction which was replaced has the outcome unknown', async () => {
    const { scene, signer, address } = await localScene(version, linea);
    await linea.stopMining();
    try {
      const send = (to: string, data: string, fee: bigint) =>
        signer.sendTransaction({
          to,
          data,
          nonce: 0,
          gasLimit: 100_000n,
          maxFeePerGas: fee,
          maxPriorityFeePerGas: fee,
        } as never) as Promise<{ hash: string; wait(): Promise<unknown> }>;
      const wallet: EvmWallet = {
        ...(await sendingWallet(signer)),
        async sendTransaction({ to, data }) {
          const sent = await send(to, data, 3_000_000_000n);
          const waiting = sent.wait();
          await send(address, '0x', 9_000_000_000n);
          let isWaiting = true;
          const ended = waiting.finally(() => {
            isWaiting = false;
          });
          ended.catch(() => undefined);
          // ethers looks for the replacement when it sees another block.
          while (isWaiting) {
            await linea.testClient.mine({ blocks: 1 });
          }
          await ended;
          return sent.hash;
        },
      };
      const { error } = await scene.delegateAndCatch({ wallet });
      expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
      expect(codeOf(error)).toBe('TRANSACTION_REPLACED');
    } finally {
      await linea.startMining();
    }
  }, 20_000);
});

/** The wallet of a signer that sends by itself, as one behind another library does. */
async function sendingWallet(signer: EthersSigner): Promise<EvmWallet> {
  const { signTransaction: _, ...wallet } = await walletFromEthers(signer);
  return wallet;
}

/** The code of the library's error, which the cause keeps. */
function codeOf(error: unknown): string {
  return ((error as Error).cause as Error).message;
}

// anvil sends eth_sendTransaction without an estimate: ethers estimates first.
describe.each([
  'a local key of ethers 6',
  'a local key of ethers 5',
  ...BROWSER.map(([name]) => `a browser wallet through ${name}`),
])('a failed gas estimate of %s', (name) => {
  const version = name.slice(-8);
  const sceneOf = async (chain: LocalChain) => {
    if (name.startsWith('a local')) {
      const { scene, signer, address } = await localScene(version, chain);
      return { scene, wallet: await walletFromEthers(signer), address };
    }
    const scene = await setUpScene(chain);
    const signerOf = BROWSER.find(([library]) => library === version)?.[1];
    const browser = createBrowserWallet(scene.account, [chain]);
    const signer = (await signerOf?.(browser)) as EthersSigner;
    return { scene, wallet: await walletFromEthers(signer), address: scene.account.address };
  };

  it('for a token that is paused proves that nothing was sent', async () => {
    const { scene, wallet, address } = await sceneOf(linea);
    const token = await linea.deploy('PausedToken');
    const tokens = { usdc: { address: token.address, decimals: 6 } };
    const networks = { linea: { chainId: 59144, tokens } };
    const { error, state } = await scene.delegateAndCatch({ networks, wallet, dryRun: false });
    expect(error).toMatchObject({ code: 'approval_would_revert', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    expect(await linea.publicClient.getTransactionCount({ address })).toBe(0);
  });

  it('for USDT with an old limit proves that nothing was sent', async () => {
    const { scene, wallet } = await sceneOf(ethereum);
    await approveFrom(wallet, 5n);
    const tokens = { usdt: { address: ethereum.usdt.address, decimals: 6 } };
    const networks = { ethereum: { chainId: 1, tokens } };
    const asked = { currency: 'usdt', networks, wallet, dryRun: false };
    const { error } = await scene.delegateAndCatch(asked);
    expect(error).toMatchObject({ code: 'approval_would_revert', outcome: 'not_sent' });
  });
});

async function approveFrom(wallet: EvmWallet, units: bigint): Promise<void> {
  const amount = (Number(units) / 1e6).toFixed(6);
  const usdt = { address: ethereum.usdt.address, decimals: 6 };
  const networks = { ethereum: { chainId: 1, tokens: { usdt } } };
  const asset = { network: 'ethereum', currency: 'usdt', networks, spender: SPENDER };
  for (const call of buildApprovalCalls({ ...asset, amount })) {
    await waitUntilMined(ethereum, (await wallet.sendTransaction(call)) as `0x${string}`);
  }
}

describe('an ethers provider without the network any', () => {
  it('of ethers 6 still sends after the wallet has switched', async () => {
    const scene = await setUpScene(linea);
    const browser = createBrowserWallet(scene.account, [ethereum, linea]);
    const provider = new BrowserProvider(browser as Eip1193Provider);
    await provider.getNetwork();
    const wallet = await walletFromEthers(await provider.getSigner());
    const result = await scene.delegate({ wallet, switchNetwork: true });
    expect(result.registration).toBe('accepted');
  });

  it('of ethers 5 refuses to send after the wallet has switched: nothing is sent', async () => {
    const scene = await setUpScene(linea);
    const browser = createBrowserWallet(scene.account, [ethereum, linea]);
    const provider = new providers.Web3Provider(browser as never);
    await provider.getNetwork();
    const wallet = await walletFromEthers(provider.getSigner());
    const { error, state } = await scene.delegateAndCatch({ wallet, switchNetwork: true });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect((error as Error).message).toContain("network 'any'");
    expect(state?.approval).toBeUndefined();
    expect(await scene.transactionCount()).toBe(0);
  });
});

describe('nodeFromEthers', () => {
  it.each([
    ['ethers 6', () => new JsonRpcProvider(linea.url, undefined, OPTIONS)],
    ['ethers 5', () => new providers.JsonRpcProvider(linea.url)],
  ] as const)('makes a provider of %s the node of the flow', async (_, providerOf) => {
    const scene = await setUpScene(linea);
    const publicClient = nodeFromEthers(providerOf());
    const result = await scene.delegate({ node: publicClient });
    expect(result.registration).toBe('accepted');
    const asset = { network: 'linea', currency: 'usdc', networks: linea.networks };
    const owner = scene.account.address;
    const allowance = await readAllowance({
      node: publicClient,
      ...asset,
      owner,
      spender: SPENDER,
    });
    expect(allowance).toBe(100_500_000n);
  });

  it.each([null, undefined, {}, 'url'])('refuses %j', (provider) => {
    expect(() => nodeFromEthers(provider as never)).toThrow(/provider: must have the method send/);
  });
});

describe('walletFromEthers', () => {
  it('uses any signer, also one that wraps another', async () => {
    const { scene, signer } = await localScene('ethers 6', linea);
    const wallet = await walletFromEthers(new NonceManager(signer as Wallet));
    expect((await scene.delegate({ wallet })).registration).toBe('accepted');
  });

  it('refuses a signer without a provider, and one whose provider cannot send JSON-RPC', async () => {
    const key = generatePrivateKey();
    const fallback = new FallbackProvider([new JsonRpcProvider(linea.url)]);
    for (const signer of [new Wallet(key), new Wallet5(key), new Wallet(key, fallback), null]) {
      await expect(walletFromEthers(signer as EthersSigner)).rejects.toMatchObject({
        code: 'request_invalid',
        issues: [{ path: 'signer' }],
      });
    }
    fallback.destroy();
  });
});
