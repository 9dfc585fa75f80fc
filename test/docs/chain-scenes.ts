import * as kit from '@solana/kit';
import { address } from '@solana/kit';
import { UnsafeBurnerWalletAdapter } from '@solana/wallet-adapter-unsafe-burner';
import * as web3 from '@solana/web3.js';
import * as wagmi from '@wagmi/core';
import * as evm from 'card-platform-sdk/evm';
import { delegateEvm, EVM_NETWORKS } from 'card-platform-sdk/evm';
import * as solana from 'card-platform-sdk/solana';
import { SOLANA_CURRENCIES, type StandardWallet } from 'card-platform-sdk/solana';
import { memoryStore } from 'card-platform-sdk/stores';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import * as viem from 'viem';
import { linea } from 'viem/chains';
import { expect, vi } from 'vitest';
import { walletFromKeypair } from '../../src/solana/wallets/keypair.js';
import { findAnvil } from '../chain/anvil.js';
import { startLocalChain } from '../chain/local-chain.js';
import { type LocalMint, LocalVm } from '../chain/local-vm.js';
import { createAnvilVerifier } from '../chain/proof-verifier.js';
import { SolanaNode } from '../chain/solana-node.js';
import { createLitesvmVerifier } from '../chain/solana-proof-verifier.js';
import { type OpenPage, tryBadCases } from './bad-cases.js';
import type { DocsPlatform } from './docs-platform.js';
import { call, type PageSetup } from './page-setup.js';
import type { Exported } from './run-block.js';

const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';

/** The globals of a page. */
function inPage() {
  const kept = new Map<string, string>();
  const location = new URL('https://app.example/cards');
  vi.stubGlobal('location', location);
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  };
  return { location, sessionStorage, document: { title: '' } };
}

/** In place of IndexedDB, the default: one store, which every page of the user's browser shares. */
function browserStores() {
  const store = memoryStore();
  const create = (createDelegation: (options: never) => unknown) => (options: object) =>
    createDelegation({ store, ...options } as never);
  return {
    'card-platform-sdk/evm': { ...evm, createDelegation: create(evm.createDelegation) },
    'card-platform-sdk/solana': { ...solana, createDelegation: create(solana.createDelegation) },
  };
}

type Provider = { request(call: never): Promise<unknown> };

/** The storage of each wallet's browser, which outlives its pages. */
const storages = new WeakMap<Provider, Map<string, string>>();

function storageOf(provider: Provider): wagmi.Storage {
  const kept = storages.get(provider) ?? new Map<string, string>();
  storages.set(provider, kept);
  return wagmi.createStorage({
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  });
}

/** The wagmi config of a page whose user has connected a wallet. */
export async function connectedConfig(provider: Provider, url: string): Promise<[wagmi.Config]> {
  vi.stubGlobal('window', globalThis);
  const withEvents = { ...provider, on: () => {}, removeListener: () => {} };
  const target = () => ({ id: 'local', name: 'Local wallet', provider: withEvents as never });
  const config = wagmi.createConfig({
    chains: [linea],
    connectors: [wagmi.injected({ target, shimDisconnect: false })],
    transports: { [linea.id]: viem.http(url) },
    storage: storageOf(provider),
    multiInjectedProviderDiscovery: false,
  });
  const [connector] = config.connectors;
  if (connector !== undefined) await wagmi.connect(config, { connector });
  return [config];
}

/**
 * A local chain in place of linea, with the user's wallet in the page. `walletOf` returns the
 * argument that the page's function takes after the client.
 */
export async function evmScene(
  { mock, ada, userClient, verifiers }: DocsPlatform,
  walletOf: (provider: Provider, url: string) => unknown[] | Promise<unknown[]> = (it) => [it],
): Promise<PageSetup> {
  const names = inPage();
  // The chain exists only on Linux: on other systems the flow is defined but not run.
  if (findAnvil() === undefined) return { names };

  const chain = await startLocalChain(EVM_NETWORKS.linea.chainId);
  const token = EVM_NETWORKS.linea.tokens.usdc.address;
  const bytecode = await chain.publicClient.getCode(chain.usdc);
  await chain.testClient.setCode({ address: token, bytecode: bytecode ?? '0x' });
  mock.state.chainConfig = {
    networks: [
      {
        network: 'linea',
        chainId: '59144',
        delegationContract: SPENDER,
        tokens: { usdc: { address: token, decimals: 6 } },
      },
    ],
  };
  const itsChain = { ...chain, usdc: { ...chain.usdc, address: token } };
  const now = () => mock.now;
  verifiers.evm = createAnvilVerifier({ chain: itsChain, spender: SPENDER, now });

  const accounts = [await chain.newAccount(), await chain.newAccount()] as const;
  const wallets = [chain.walletFor(accounts[0]), chain.walletFor(accounts[1])] as const;
  const [account] = accounts;
  const [wallet] = wallets;
  let chosen: 0 | 1 = 0;
  type Request = { method: string; params: [{ to: viem.Hex; data: viem.Hex } & viem.Hex] };
  let isDeclining = false;
  let isLosing = false;
  const provider = {
    async request({ method, params }: Request): Promise<unknown> {
      if (/^eth_(requestAccounts|accounts)$/.test(method)) return [accounts[chosen].address];
      if (method === 'personal_sign' && isDeclining) throw { code: 4001 };
      if (method === 'personal_sign') {
        return wallets[chosen].signMessage({ message: { raw: params[0] } });
      }
      if (method === 'eth_sendTransaction') {
        if (isLosing) throw new Error('the connection to the wallet was lost');
        return wallets[chosen].sendTransaction({ to: params[0].to, data: params[0].data });
      }
      return chain.publicClient.request({ method, params } as never);
    },
  };
  const delegate = async ({ createLimit, delegate }: Exported) => {
    if (createLimit !== undefined) {
      const open = async () => {
        const limit = (await call(createLimit, userClient)) as OpenPage['limit'];
        return { limit, press: () => limit.start({ wallet: provider, amount: '250' }) };
      };
      await tryBadCases({ ...use, open });
      expect(await call(delegate, userClient, provider)).toMatchObject({ amount: '250' });
      return;
    }
    const result = await call(delegate, userClient, ...(await walletOf(provider, chain.url)));
    expect(result).toMatchObject({ registration: 'accepted', amount: '250' });
    expect(ada.externalWallets).toMatchObject([{ address: account.address, currency: 'usdc' }]);
  };
  const options = {
    client: userClient,
    wallet,
    node: chain.publicClient,
    network: 'linea',
    currency: 'usdc',
    amount: '100',
    spender: SPENDER,
    domain: 'app.example',
    uri: 'https://app.example',
    pollingInterval: 10,
  };
  const approvals = async () => {
    const counts = accounts.map(({ address }) =>
      chain.publicClient.getTransactionCount({ address, blockTag: 'pending' }),
    );
    const [first, second] = await Promise.all(counts);
    return Number(first) + Number(second);
  };
  const use = {
    choose: (index: number) => (chosen = index === 1 ? 1 : 0),
    decline: (it: boolean) => (isDeclining = it),
    approvals,
  };
  /** A page with the hook of the wagmi guide. `press` rejects with what the page shows. */
  const openHook = async ({ createLimit, useLimit }: Exported, amount = '250') => {
    const limit = (await call(
      createLimit,
      ...(await walletOf(provider, chain.url)),
      userClient,
    )) as OpenPage['limit'];
    type Button = 'press' | 'startAgain';
    const press = async (button: Button = 'press') => {
      let shown: Partial<Record<Button, (amount: string) => Promise<unknown>>> = {};
      const component = () => {
        shown = (useLimit as (it: unknown) => typeof shown)(limit);
        return null;
      };
      renderToString(createElement(component));
      await shown[button]?.(amount);
      const { status, error } = limit.getState();
      if (status !== 'done') throw error ?? new DOMException('closed', 'AbortError');
    };
    return { limit, press };
  };
  const runHook = async (exported: Exported) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    await tryBadCases({ ...use, open: () => openHook(exported) });
    expect(ada.externalWallets).toMatchObject([
      { address: accounts[1].address, allowance: '250' },
      { address: account.address, allowance: '250' },
    ]);
    // Another amount, while an approval is under way that an earlier page has sent.
    const closed = await openHook(exported, '300');
    closed.limit.subscribe(() => {
      if (closed.limit.getState().step === 'confirmed') closed.limit.cancel();
    });
    await expect(closed.press()).rejects.toThrow('closed');
    const { limit, press } = await openHook(exported, '400');
    await expect(press()).rejects.toMatchObject({ code: 'state_mismatch' });
    await press();
    expect(limit.getState().message).toBe('Done: your card may spend up to 300 USDC.');
    await press();
    expect(limit.getState().message).toBe('Done: your card may spend up to 400 USDC.');
    // A stop before anything is known of the delegation: the next click begins it.
    const early = await openHook(exported, '450');
    const unsubscribe = early.limit.subscribe(() => early.limit.cancel());
    await expect(early.press()).rejects.toThrow('closed');
    unsubscribe();
    await early.press();
    expect(early.limit.getState().message).toBe('Done: your card may spend up to 450 USDC.');
    // The wallet sends nothing and does not say so. Only the user can.
    const lost = await openHook(exported, '500');
    const before = await approvals();
    isLosing = true;
    await expect(lost.press()).rejects.toMatchObject({ code: 'wallet_failed' });
    isLosing = false;
    await expect(lost.press()).rejects.toMatchObject({ code: 'approval_unknown' });
    await expect(lost.press()).rejects.toMatchObject({ code: 'approval_unknown' });
    expect(await approvals()).toBe(before);
    await lost.press('startAgain');
    expect(lost.limit.getState().message).toBe('Done: your card may spend up to 500 USDC.');
    expect(await approvals()).toBe(before + 1);
    warn.mockRestore();
  };
  /** A user who first declines, and then continues on another page. */
  const declineThenContinue = async (delegateOrContinue: unknown) => {
    let kept: string | null = null;
    const place = { read: () => kept, write: (text: string) => (kept = text) };
    const input = { ...options, wallet: provider };
    isDeclining = true;
    await expect(call(delegateOrContinue, input, place)).rejects.toMatchObject({
      code: 'user_rejected',
    });
    expect(kept).toContain('"seal"');
    isDeclining = false;
    const result = await call(delegateOrContinue, input, place);
    expect(result).toMatchObject({ registration: 'accepted', amount: '100' });
    const asked = mock.requests.matching({ operation: 'delegation.getToken' }).length;
    await call(delegateOrContinue, input, place);
    expect(mock.requests.matching({ operation: 'delegation.getToken' })).toHaveLength(asked);
  };
  const useBlock = async (exported: Exported) => {
    const { confirmationPage, clientForEveryNetwork, revoke, bars, useLinea } = exported;
    if (exported['useLimit'] !== undefined) {
      await runHook(exported);
    } else if (exported['createLimit'] !== undefined) {
      const [ethereum, nodeUrl] = await walletOf(provider, chain.url);
      const open = async () => {
        const limit = (await call(
          exported['createLimit'],
          userClient,
          nodeUrl,
        )) as OpenPage['limit'];
        return { limit, press: () => call(exported['setLimit'], limit, ethereum) };
      };
      await tryBadCases({ ...use, open });
    } else if (exported['setLimit'] !== undefined) {
      const args = await walletOf(provider, chain.url);
      expect(await call(exported['setLimit'], userClient, ...args, SPENDER)).toBe(
        'Done: up to 250 USDC.',
      );
    } else if (confirmationPage !== undefined) {
      const page = await call(confirmationPage, options);
      expect(page).toMatchObject({ title: `${SPENDER} may spend 100 usdc` });
    } else if (clientForEveryNetwork !== undefined) {
      const { clientKey } = mock.credentials;
      await call(clientForEveryNetwork, mock.baseUrl, clientKey, mock.accessTokenFor(ada));
    } else if (revoke !== undefined) {
      expect(await call(revoke, options)).toContain('Nothing can be spent any more.');
    } else if (bars !== undefined) {
      await delegateEvm(options);
      // The wallet has no tokens, so nothing of its limit can be spent.
      const power = { cap: '100', spendable: '0', spent: '0' };
      expect(await call(bars, userClient, chain.publicClient, SPENDER)).toMatchObject([power]);
    } else if (useLinea !== undefined) {
      expect(await call(useLinea, provider)).toBe(true);
    } else if (exported['delegateOrContinue'] !== undefined) {
      await declineThenContinue(exported['delegateOrContinue']);
    }
  };
  return {
    names,
    // No public node is used: the local one responds.
    modules: {
      viem: { ...viem, http: (url?: string) => viem.http(url ?? chain.url) },
      ...browserStores(),
    },
    use: (exported) => ('delegate' in exported ? delegate(exported) : useBlock(exported)),
    end: () => chain.stop(),
  };
}

/** A wallet of the wallet standard in a page. */
function standardWallet(key: web3.Keypair, isDeclining: () => boolean): StandardWallet {
  const { address, signMessage, signTransaction } = walletFromKeypair(key);
  const sign = async ({ message }: { message: Uint8Array }) => {
    if (isDeclining()) throw DECLINED;
    return [{ signedMessage: message, signature: await signMessage(message) }];
  };
  const signSome = async ({ transaction }: { transaction: Uint8Array }) => [
    { signedTransaction: await signTransaction?.(transaction) },
  ];
  return {
    accounts: [{ address }],
    features: {
      'solana:signMessage': { signMessage: sign },
      'solana:signTransaction': { signTransaction: signSome },
    },
  };
}

const DECLINED = { code: 4001, message: 'User rejected the request.' };

/** A Solana VM of this process in place of the main network, with its USDC and the user's wallet. */
async function startSolana({ mock, verifiers, userClient }: DocsPlatform) {
  const vm = await LocalVm.start();
  const made = await vm.newMint();
  const mint = { ...made, address: SOLANA_CURRENCIES.usdc.mint };
  const account = vm.svm.getAccount(address(made.address));
  if (account.exists) vm.svm.setAccount({ ...account, address: address(mint.address) });
  const keys = [vm.newWallet(), vm.newWallet()] as const;
  const [key] = keys;
  const owner = key.publicKey.toBase58();
  for (const { publicKey } of keys) await vm.fund(publicKey.toBase58(), mint, 500_000_000n);
  let chosen: 0 | 1 = 0;
  let isDeclining = false;
  const user = {
    key: () => keys[chosen],
    isDeclining: () => isDeclining,
    choose: (index: number) => (chosen = index === 1 ? 1 : 0),
    decline: (it: boolean) => (isDeclining = it),
    approvals: async () => vm.sentCount,
  };
  const delegate = vm.newWallet().publicKey.toBase58();
  const now = () => mock.now;
  verifiers.solana = createLitesvmVerifier({ vm, delegate, mints: { usdc: mint }, now });
  /** Uses the code of a guide in the bad cases, with a wallet of its kind. */
  const tryGuide = async (
    { createLimit, setLimit }: Exported,
    walletOf: () => unknown,
    others: { choose?: (index: number) => unknown } = {},
  ) => {
    const open = async () => {
      const limit = (await call(createLimit, userClient, delegate)) as OpenPage['limit'];
      return { limit, press: async () => call(setLimit, limit, await walletOf()) };
    };
    await tryBadCases({ ...user, ...others, open });
  };
  return { vm, mint, owner, delegate, user, tryGuide };
}

/** The guide of the Solana delegation. */
export async function solanaScene(docsPlatform: DocsPlatform): Promise<PageSetup> {
  const { mock, ada, userClient } = docsPlatform;
  const { vm, owner, mint, delegate, user, tryGuide } = await startSolana(docsPlatform);
  const use = async (exported: Exported, block: number) => {
    if (block === 1) {
      await tryGuide(exported, () => standardWallet(user.key(), user.isDeclining));
      expect(ada.externalWallets).toHaveLength(2);
      ada.externalWallets = ada.externalWallets.filter(({ address: it }) => it === owner);
      expect(ada.externalWallets).toMatchObject([{ network: 'solana', allowance: '250' }]);
    }
    if (block === 2) {
      mock.state.chainConfig = {
        networks: [
          {
            network: 'solana',
            delegationContract: delegate,
            tokens: { usdc: { address: mint.address, decimals: 6 } },
          },
        ],
      };
      expect(await call(exported['usdcOf'], userClient)).toMatchObject({ spender: delegate });
    }
    if (block === 3) {
      const bars = await call(exported['bars'], userClient, vm.connection, delegate);
      expect(bars).toEqual(['250 of 250 usdc']);
    }
    if (block === 4) {
      expect(await call(exported['revokeAll'], vm.connection, owner)).toBeDefined();
    }
  };
  const Connection = function connect() {
    return vm.connection;
  };
  const modules = { '@solana/web3.js': { ...web3, Connection }, ...browserStores() };
  return { names: inPage(), modules, use };
}

/** The guide of @solana/kit: its real RPC reads a node of this process. */
export async function solanaKitScene(docsPlatform: DocsPlatform): Promise<PageSetup> {
  const { ada } = docsPlatform;
  const { vm, user, tryGuide } = await startSolana(docsPlatform);
  const node = await SolanaNode.start(vm);
  const signerOf = async () => {
    const signer = await kit.createKeyPairSignerFromBytes(user.key().secretKey);
    const signMessages: typeof signer.signMessages = async (...input) => {
      if (user.isDeclining()) throw DECLINED;
      return signer.signMessages(...input);
    };
    return { ...signer, signMessages };
  };
  const use = async (exported: Exported, block: number) => {
    if (block !== 1) return;
    await tryGuide(exported, signerOf);
    expect(ada.externalWallets).toMatchObject([{ allowance: '250' }, { allowance: '250' }]);
  };
  const createSolanaRpc = () => kit.createSolanaRpc(node.url);
  const modules = { '@solana/kit': { ...kit, createSolanaRpc }, ...browserStores() };
  return { names: inPage(), modules, use, end: () => node.stop() };
}

/** A connected burner wallet with coins and tokens. */
async function burnerOf(vm: LocalVm, mint: LocalMint): Promise<UnsafeBurnerWalletAdapter> {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const adapter = new UnsafeBurnerWalletAdapter();
  warn.mockRestore();
  await adapter.connect();
  const owner = adapter.publicKey?.toBase58() ?? '';
  vm.setLamports(owner, 1_000_000_000n);
  await vm.fund(owner, mint, 500_000_000n);
  return adapter;
}

/** The guide of the wallet adapters, with a real one. */
export async function walletAdapterScene(docsPlatform: DocsPlatform): Promise<PageSetup> {
  const { ada } = docsPlatform;
  const { vm, mint, user, tryGuide } = await startSolana(docsPlatform);
  const node = await SolanaNode.start(vm);
  const adapters = [await burnerOf(vm, mint), await burnerOf(vm, mint)] as const;
  for (const adapter of adapters) {
    const signMessage = adapter.signMessage.bind(adapter);
    adapter.signMessage = async (message) => {
      if (user.isDeclining()) throw DECLINED;
      return signMessage(message);
    };
  }
  let [adapter] = adapters as readonly UnsafeBurnerWalletAdapter[];
  const use = async (exported: Exported) => {
    const choose = (index: number) => (adapter = adapters[index === 1 ? 1 : 0]);
    await tryGuide(exported, () => adapter, { choose });
    expect(ada.externalWallets).toMatchObject([{ allowance: '250' }, { allowance: '250' }]);
  };
  const Connection = function connect() {
    return node.connect();
  };
  return {
    names: inPage(),
    modules: { '@solana/web3.js': { ...web3, Connection }, ...browserStores() },
    use,
    end: () => node.stop(),
  };
}
