import { createSolanaRpc, generateKeyPairSigner } from '@solana/kit';
import { UnsafeBurnerWalletAdapter } from '@solana/wallet-adapter-unsafe-burner';
import { Connection, Keypair } from '@solana/web3.js';
import { createConfig, mock } from '@wagmi/core';
import { JsonRpcProvider, Wallet } from 'ethers';
import { providers as providers5, Wallet as Wallet5 } from 'ethers5';
import { createPublicClient, createWalletClient, custom } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { linea } from 'viem/chains';
import { describe, expect, it, vi } from 'vitest';
import { delegateEvm, type EvmDelegationOptions } from '../../src/evm/index.js';
import { delegateSolana, type SolanaDelegationOptions } from '../../src/solana/index.js';

const URL = 'http://127.0.0.1:9';
const KEY = generatePrivateKey();
const account = privateKeyToAccount(KEY);
const transport = custom({ request: () => Promise.reject(new Error('not asked')) });
const walletClient = createWalletClient({ account, chain: linea, transport });
const publicClient = createPublicClient({ chain: linea, transport });
const provider6 = new JsonRpcProvider(URL, 59144, { staticNetwork: true });
const provider5 = new providers5.StaticJsonRpcProvider(URL, 59144);
const config = createConfig({
  chains: [linea],
  connectors: [mock({ accounts: [account.address] })],
  transports: { [linea.id]: () => transport({}) },
});

// It warns on the console of a use in applications.
const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
const burnerAdapter = new UnsafeBurnerWalletAdapter();
warn.mockRestore();

/** A client of which nothing may be asked. */
function createClient() {
  const asked = vi.fn(() => Promise.reject(new Error('the service was asked')));
  const delegation = {
    getToken: asked,
    submitEvmApproval: asked,
    submitSolanaApproval: asked,
    chainConfig: asked,
  };
  return { client: { delegation }, asked };
}

async function problemOf(
  run: (client: ReturnType<typeof createClient>['client']) => Promise<unknown>,
) {
  const { client, asked } = createClient();
  const error: unknown = await run(client).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'request_invalid' });
  expect(asked).not.toHaveBeenCalled();
  return String(error);
}

const evm = (changes: object) =>
  problemOf((client) =>
    delegateEvm({
      client,
      wallet: walletClient,
      node: publicClient,
      network: 'linea',
      currency: 'usdc',
      amount: '1',
      spender: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
      domain: 'app.example',
      uri: 'https://app.example',
      ...changes,
    } as unknown as EvmDelegationOptions),
  );

const solana = (changes: object) =>
  problemOf((client) =>
    delegateSolana({
      client,
      wallet: Keypair.generate(),
      node: new Connection(URL),
      currency: 'usdc',
      amount: '1',
      spender: Keypair.generate().publicKey.toBase58(),
      domain: 'app.example',
      ...changes,
    } as unknown as SolanaDelegationOptions),
  );

describe('delegateEvm', () => {
  it.each<[string, unknown, string]>([
    ['an ethers 6 Wallet', new Wallet(KEY, provider6), 'walletFromEthers'],
    ['an ethers 5 Wallet', new Wallet5(KEY, provider5), 'walletFromEthers'],
    ['a promise', Promise.resolve(walletClient), 'await it'],
    ['an ethers 5 signer of a node', provider5.getSigner(account.address), 'walletFromEthers'],
    ['an ethers 6 provider', provider6, 'walletFromEthers'],
    ['an ethers 5 provider', provider5, 'walletFromEthers'],
    ['a wagmi config', config, 'getWalletClient'],
    ['a wagmi connector', config.connectors[0], 'getWalletClient'],
    ['the result of a hook', { data: walletClient, isPending: false }, 'its data'],
    ['a viem public client', publicClient, 'getWalletClient'],
    ['a viem account', account, 'createWalletClient'],
    ['a Solana adapter', burnerAdapter, 'delegateSolana'],
  ])('refuses %s before anything, and says what to pass', async (_, wallet, advice) => {
    const problem = await evm({ wallet });
    expect(problem).toContain('wallet');
    expect(problem).toContain(advice);
  });

  it.each<[string, unknown, string]>([
    ['an ethers provider', provider6, 'nodeFromEthers'],
    ['a wagmi config', config, 'getPublicClient'],
  ])('refuses %s as the node', async (_, node, advice) => {
    expect(await evm({ node })).toContain(advice);
  });
});

describe('delegateSolana', () => {
  it('refuses other kinds of wallets before anything, and says what to pass', async () => {
    await burnerAdapter.connect();
    expect(await solana({ wallet: burnerAdapter })).toContain('walletFromAdapter');
    const signer = await generateKeyPairSigner();
    expect(await solana({ wallet: signer })).toContain('walletFromKitSigner');
    expect(await solana({ wallet: walletClient })).toContain('delegateEvm');
  });

  it('refuses the RPC of @solana/kit as the node', async () => {
    expect(await solana({ node: createSolanaRpc(URL) })).toContain('connectionFromKitRpc');
  });
});
