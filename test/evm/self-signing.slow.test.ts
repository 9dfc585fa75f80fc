import { LockedDeviceError, TransportStatusError } from '@ledgerhq/errors';
import { JsonRpcProvider, Wallet } from 'ethers';
import { providers as providers5, Wallet as Wallet5 } from 'ethers5';
import { createWalletClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount, toAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { walletFromEthers } from '../../src/evm/ethers/index.js';
import type { AnyEvmWallet } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { type HttpNode, startHttpNode } from './support/http-node.js';
import { type Scene, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

type Account = { key: `0x${string}`; scene: Scene; node: HttpNode };

/** A scene for an account whose key the libraries have, and a node that can fail. */
async function setUp(): Promise<Account> {
  const scene = await setUpScene(chain);
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  await chain.testClient.setBalance({ address, value: 10n ** 18n });
  const node = await startHttpNode(chain.url);
  onTestFinished(() => node.stop());
  return { key, scene, node };
}

const LIBRARIES: [string, (account: Account) => AnyEvmWallet | Promise<AnyEvmWallet>][] = [
  [
    'a viem local account',
    ({ key, node }) =>
      createWalletClient({
        account: privateKeyToAccount(key),
        chain: chain.chain,
        transport: http(node.url, { retryCount: 0 }),
      }),
  ],
  [
    'an ethers 6 Wallet',
    ({ key, node }) => {
      const provider = new JsonRpcProvider(node.url, chain.chainId, { staticNetwork: true });
      onTestFinished(() => provider.destroy());
      return walletFromEthers(new Wallet(key, provider));
    },
  ],
  [
    'an ethers 5 Wallet',
    ({ key, node }) =>
      walletFromEthers(new Wallet5(key, new providers5.StaticJsonRpcProvider(node.url))),
  ],
];

const REFUSALS = [
  [-32000, 'max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: 7'],
  [-32000, 'transaction underpriced'],
  [-32000, 'intrinsic gas too low: gas 20000, minimum needed 21000'],
  [-32000, 'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)'],
  [-32000, 'exceeds block gas limit'],
] as const;

describe.each(LIBRARIES)('%s', (_, library) => {
  it('saves the hash before it sends', async () => {
    const account = await setUp();
    const saved: string[] = [];
    account.node.fault = ({ method }) => {
      if (method === 'eth_sendRawTransaction') {
        saved.push(JSON.stringify(account.scene.progress.at(-1)?.state.notes));
      }
      return undefined;
    };
    const { transactionId } = await account.scene.delegate({ wallet: await library(account) });
    expect(saved).toHaveLength(1);
    const progress = account.scene.progress.map(({ state }) => state);
    const before = progress.find(({ approval }) => approval?.status === 'requested');
    expect(before).toBeDefined();
    expect(saved[0]).toContain('"raw":"0x02');
    expect(account.scene.progress.some((one) => one.transactionId === transactionId)).toBe(true);
  });

  it.each(REFUSALS)('proves that nothing was sent after %i %s', async (code, message) => {
    const account = await setUp();
    const { scene, node } = account;
    node.fault = ({ method }) =>
      method === 'eth_sendRawTransaction' ? { error: { code, message } } : undefined;
    const wallet = await library(account);
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    node.fault = () => undefined;
    const result = await scene.delegate({ wallet, resume: state });
    expect(result.registration).toBe('accepted');
  });

  it('is not asked again when the response of the node is lost, or wrong', async () => {
    const account = await setUp();
    const { scene, node } = account;
    let sent = 0;
    node.fault = ({ method, params }) => {
      if (method !== 'eth_sendRawTransaction') return undefined;
      sent++;
      if (sent > 1) return undefined;
      void chain.publicClient.request({ method, params } as never);
      return { error: { code: -32603, message: 'Internal error' } };
    };
    const { key } = account;
    const result = await scene.delegate({ wallet: await library(account) });
    expect(result.registration).toBe('accepted');
    const { address } = privateKeyToAccount(key);
    expect(await chain.publicClient.getTransactionCount({ address })).toBe(1);
  });

  it('continues with the signed transaction after a reload before it was sent', async () => {
    const account = await setUp();
    const { scene, node, key } = account;
    const stop = new AbortController();
    node.fault = ({ method }) => {
      if (method !== 'eth_sendRawTransaction') return undefined;
      stop.abort();
      return 'hang-up';
    };
    const wallet = await library(account);
    await scene.delegateAndCatch({ wallet, signal: stop.signal });
    node.fault = () => undefined;
    const last = scene.progress.findLast(({ state }) => state.approval !== undefined)?.state;
    const result = await scene.delegate({ wallet, resume: JSON.parse(JSON.stringify(last)) });
    expect(result.registration).toBe('accepted');
    const { address } = privateKeyToAccount(key);
    expect(await chain.publicClient.getTransactionCount({ address })).toBe(1);
  });
});

describe('a Ledger account', () => {
  it.each([
    ['locked', new LockedDeviceError(''), 'wallet_failed'],
    ['with another app', new TransportStatusError(0x6e00), 'wallet_failed'],
    ['without an open app', new TransportStatusError(0x6511), 'wallet_failed'],
    ['with blind signing off', new TransportStatusError(0x6a80), 'wallet_failed'],
    ['whose user declines', new TransportStatusError(0x6985), 'user_rejected'],
  ])('that is %s has sent nothing', async (_, failure, code) => {
    const { scene, key, node } = await setUp();
    const own = privateKeyToAccount(key);
    let isReady = false;
    const device = toAccount({
      address: own.address,
      signMessage: own.signMessage,
      signTypedData: own.signTypedData,
      signTransaction: (transaction, options) =>
        isReady ? own.signTransaction(transaction, options) : Promise.reject(failure),
    });
    const wallet = createWalletClient({
      account: device,
      chain: chain.chain,
      transport: http(node.url),
    });
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code, outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    isReady = true;
    const result = await scene.delegate({ wallet, resume: state });
    expect(result.registration).toBe('accepted');
    const { address } = own;
    expect(await chain.publicClient.getTransactionCount({ address })).toBe(1);
  });
});

describe('an outage of the node', () => {
  it('that is shorter than the time limit does not end the flow', async () => {
    const { scene, node } = await setUp();
    let left = 30;
    node.fault = ({ method }) =>
      method === 'eth_getTransactionReceipt' && left-- > 0 ? { status: 503 } : undefined;
    const publicClient = { request: requestOf(node.url) };
    const result = await scene.delegate({ node: publicClient, pollingInterval: 2_000 });
    expect(result.registration).toBe('accepted');
    expect(left).toBeLessThan(0);
  });

  it('that is longer ends with chain_unreadable at the time limit', async () => {
    const { scene, node } = await setUp();
    node.fault = ({ method }) =>
      method === 'eth_getTransactionReceipt' ? { status: 503 } : undefined;
    const publicClient = { request: requestOf(node.url) };
    const start = scene.mock.now;
    const { error } = await scene.delegateAndCatch({ node: publicClient, pollingInterval: 2_000 });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(scene.mock.now - start).toBeGreaterThanOrEqual(180_000);
  });
});

function requestOf(url: string) {
  return async ({ method, params }: { method: string; params?: unknown }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', body, headers });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const { result, error } = (await response.json()) as { result: unknown; error?: object };
    if (error !== undefined) throw error;
    return result;
  };
}
