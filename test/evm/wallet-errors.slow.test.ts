import { BrowserProvider, type Eip1193Provider, type JsonRpcSigner } from 'ethers';
import { providers } from 'ethers5';
import { createWalletClient, custom, type EIP1193RequestFn } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walletFromEthers } from '../../src/evm/ethers/index.js';
import type { AnyEvmWallet, EvmWallet } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { approve } from './support/chain-actions.js';
import { type Scene, setUpScene } from './support/scene.js';

let linea: LocalChain;
let ethereum: LocalChain;

beforeAll(async () => {
  [linea, ethereum] = await Promise.all([startLocalChain(59144), startLocalChain(1)]);
});

afterAll(async () => {
  await Promise.all([linea.stop(), ethereum.stop()]);
});

/**
 * Throws the node's own error as JSON when the node cannot estimate a transaction, because no
 * library is in between.
 */
async function estimate({ chain }: Scene, params: unknown): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_estimateGas', params });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(chain.url, { method: 'POST', body, headers });
  const { error } = (await response.json()) as { error?: object };
  if (error !== undefined) throw error;
}

/** A browser wallet: it signs itself, and the node sends, unless it fails as given. */
function providerOf(
  scene: Scene,
  failure?: unknown,
  estimates = false,
): { request: EIP1193RequestFn } {
  const { chain, account } = scene;
  const request = async ({ method, params }: { method: string; params?: unknown }) => {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [account.address];
    if (method === 'personal_sign') {
      const [raw] = params as [`0x${string}`];
      return account.signMessage({ message: { raw } });
    }
    if (method === 'eth_sendTransaction') {
      if (failure !== undefined) throw failure;
      if (estimates) await estimate(scene, params);
      await chain.testClient.impersonateAccount({ address: account.address });
    }
    return chain.bank.request({ method, params } as never);
  };
  return { request: request as EIP1193RequestFn };
}

function ethersWallet(signer: JsonRpcSigner, address: string): EvmWallet {
  return {
    address,
    getChainId: async () => Number((await signer.provider.getNetwork()).chainId),
    signMessage: (text) => signer.signMessage(text),
    sendTransaction: async ({ to, data, value }) =>
      (await signer.sendTransaction({ to, data, value })).hash,
  };
}

type Library = (scene: Scene, failure?: unknown) => AnyEvmWallet | Promise<AnyEvmWallet>;

const VIEM: Library = (scene, failure) =>
  createWalletClient({
    account: scene.account.address,
    chain: scene.chain.chain,
    transport: custom(providerOf(scene, failure)),
  });
/** MetaMask and others estimate themselves, and pass on the error of their node. */
const ESTIMATING: Library = (scene) =>
  createWalletClient({
    account: scene.account.address,
    chain: scene.chain.chain,
    transport: custom(providerOf(scene, undefined, true)),
  });
const ESTIMATING_RAW: Library = (scene) => providerOf(scene, undefined, true);
const ETHERS5: Library = async (scene, failure) => {
  const provider = new providers.Web3Provider(providerOf(scene, failure) as never, 'any');
  return walletFromEthers(provider.getSigner());
};
const ETHERS: Library = async (scene, failure) => {
  const provider = new BrowserProvider(providerOf(scene, failure) as Eip1193Provider);
  return ethersWallet(await provider.getSigner(), scene.account.address);
};
const LOCAL: Library = ({ chain, account }) => chain.walletFor(account);
const RAW: Library = (scene, failure) => providerOf(scene, failure);

const FUNDS = 'insufficient funds for gas * price + value: balance 0, tx cost 100';
const ALLOWANCE = 'gas required exceeds allowance (0)';
const UPFRONT = 'Upfront cost exceeds account balance';

const LIBRARIES: [string, Library][] = [
  ['a viem JSON-RPC account', VIEM],
  ['an ethers 6 signer', ETHERS],
  ['an ethers 5 signer', ETHERS5],
  ['an EIP-1193 provider', RAW],
];

describe.each(LIBRARIES)('an error of %s', (_, library) => {
  it.each([
    [{ code: 4001, message: 'User denied' }, 'user_rejected', 'not_sent'],
    [{ code: 5000, message: 'User rejected.' }, 'user_rejected', 'not_sent'],
    [{ code: -32603, message: 'no', data: { code: 4001 } }, 'user_rejected', 'not_sent'],
    [{ code: 4900, message: 'Disconnected' }, 'wallet_failed', 'unknown'],
    [{ code: 4901, message: 'Chain disconnected' }, 'wallet_failed', 'unknown'],
    [{ code: -32002, message: 'Already pending' }, 'wallet_failed', 'unknown'],
    [{ code: -32603, message: 'Internal error' }, 'wallet_failed', 'unknown'],
    [{ code: -32000, message: 'nonce too low' }, 'wallet_failed', 'unknown'],
    // Responses of the nodes of wallets: geth (twice), Besu, and geth for a reverted estimate.
    [{ code: -32000, message: FUNDS }, 'insufficient_funds', 'not_sent'],
    [{ code: -32000, message: ALLOWANCE }, 'insufficient_funds', 'not_sent'],
    [{ code: -32004, message: UPFRONT }, 'insufficient_funds', 'not_sent'],
    [{ code: 3, message: 'execution reverted' }, 'approval_would_revert', 'not_sent'],
  ])('after %j is reported as %s with the outcome %s', async (failure, code, outcome) => {
    const scene = await setUpScene(linea);
    const { error, state } = await scene.delegateAndCatch({
      wallet: await library(scene, failure),
    });
    expect(error).toMatchObject({ code, outcome });
    expect(state?.approval).toEqual(outcome === 'not_sent' ? undefined : { status: 'requested' });
    if (failure.code === -32002) expect(String(error)).toContain('answer the prompt');
  });

  it('about an open prompt while signing sends nothing', async () => {
    const scene = await setUpScene(linea);
    const wallet = {
      ...scene.wallet,
      signMessage: () => Promise.reject({ code: -32002, message: 'Already pending' }),
    };
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(String(error)).toContain('answer the prompt');
  });

  it('about a missing fee is insufficient_funds, and the flow can be resumed', async () => {
    const scene = await setUpScene(linea);
    const { address } = scene.account;
    await linea.testClient.setBalance({ address, value: 0n });
    const { error, state } = await scene.delegateAndCatch({ wallet: await library(scene) });
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    await linea.testClient.setBalance({ address, value: 10n ** 18n });
    const result = await scene.delegate({ wallet: await library(scene), resume: state });
    expect(result.registration).toBe('accepted');
  });
});

// anvil sends eth_sendTransaction without an estimate, so here the library or the wallet estimates.
// Without dryRun: false the flow would not ask them.
describe.each([
  ['a viem local account', LOCAL],
  ['a viem JSON-RPC account', ESTIMATING],
  ['an EIP-1193 provider', ESTIMATING_RAW],
  ['an ethers 6 signer', ETHERS],
])('a failed gas estimate of %s', (_, library) => {
  it('for a token that is paused proves that nothing was sent', async () => {
    const scene = await setUpScene(linea);
    const { address } = await linea.deploy('PausedToken');
    const networks = { linea: { chainId: 59144, tokens: { usdc: { address, decimals: 6 } } } };
    const wallet = await library(scene);
    const { error, state } = await scene.delegateAndCatch({ networks, wallet, dryRun: false });
    expect(error).toMatchObject({ code: 'approval_would_revert', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    expect(await scene.transactionCount()).toBe(0);
  });

  it('for a wallet without coins is insufficient_funds', async () => {
    const scene = await setUpScene(linea);
    await linea.testClient.setBalance({ address: scene.account.address, value: 0n });
    const wallet = await library(scene);
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
  });

  it('for USDT with an old limit proves that nothing was sent', async () => {
    const scene = await setUpScene(ethereum);
    await approve(scene, 5n);
    const tokens = { usdt: { address: ethereum.usdt.address, decimals: 6 } };
    const networks = { ethereum: { chainId: 1, tokens } };
    const { error } = await scene.delegateAndCatch({
      currency: 'usdt',
      networks,
      wallet: await library(scene),
      dryRun: false,
    });
    expect(error).toMatchObject({ code: 'approval_would_revert', outcome: 'not_sent' });
  });
});

it('an ethers error about a mined transaction is not taken for a failed estimate', async () => {
  const scene = await setUpScene(linea);
  const { address } = await linea.deploy('PausedToken');
  const networks = { linea: { chainId: 59144, tokens: { usdc: { address, decimals: 6 } } } };
  const provider = new BrowserProvider(providerOf(scene) as Eip1193Provider);
  const signer = await provider.getSigner();
  const wallet: EvmWallet = {
    ...ethersWallet(signer, scene.account.address),
    async sendTransaction({ to, data }) {
      const sent = await signer.sendTransaction({ to, data, gasLimit: 100_000 });
      await sent.wait();
      return sent.hash;
    },
  };
  const { error } = await scene.delegateAndCatch({ networks, wallet, dryRun: false });
  expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
  expect(await scene.transactionCount()).toBe(1);
});
