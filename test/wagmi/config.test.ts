import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDelegation, delegate, next, type WagmiConfig } from '../../src/wagmi/index.js';
import { type Behaviour, browserWallet } from '../evm/scripted/browser.js';
import { CHAIN_ID, OTHER, SPENDER } from '../evm/scripted/chain.js';
import { OWNER, setUpScene } from '../evm/scripted/scene.js';

const LINEA = {
  id: CHAIN_ID,
  name: 'Linea',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['https://node.example'] } },
};
const ETHEREUM = { ...LINEA, id: 1, name: 'Ethereum' };

/** The storage of a config, which counts its uses that are under way. */
function storageOf(kept = new Map<string, string>()) {
  const state = { underWay: 0, most: 0 };
  const inTime = async <T>(work: () => T): Promise<T> => {
    state.most = Math.max(state.most, ++state.underWay);
    await Promise.resolve();
    state.underWay--;
    return work();
  };
  return {
    kept,
    state,
    getItem: (key: string) => inTime(() => kept.get(key) ?? null),
    setItem: (key: string, value: string) => inTime(() => void kept.set(key, value)),
    removeItem: (key: string) => inTime(() => void kept.delete(key)),
  };
}

type Page = {
  behaviours?: Record<string, Behaviour>;
  knows?: number[];
  storage?: ReturnType<typeof storageOf>;
};

/** A page whose user has connected a browser wallet, which is on ethereum. */
function openPage({ behaviours, knows, storage }: Page = {}, scene = setUpScene()) {
  const browser = browserWallet(scene, behaviours, knows);
  const connector = { getProvider: async (): Promise<unknown> => browser };
  const unused = { accounts: [OTHER], connector };
  const config = {
    chains: [ETHEREUM, LINEA],
    state: {
      current: 'chosen' as string | null,
      connections: new Map([
        ['first', unused],
        ['chosen', { accounts: [OWNER as string, OTHER], connector }],
      ]),
    },
    storage,
    getClient: ({ chainId }: { chainId: number }) =>
      chainId === scene.chain.chainId
        ? scene.chain
        : { request: () => Promise.reject(new Error('another')) },
  };
  const { client, runtime } = scene;
  const asked = { client, chainId: CHAIN_ID, currency: 'usdc', spender: SPENDER };
  const options = { ...asked, domain: 'app.example', runtime };
  return { ...scene, browser, config: config satisfies WagmiConfig, options, scene };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the wallet of a delegation with wagmi', () => {
  it('is the first account of the current connection, whichever the wallet names first', async () => {
    const { config, options, proofs } = openPage({ behaviours: { eth_accounts: () => [OTHER] } });
    const result = await delegate(config, { ...options, amount: '100.5' });
    expect(result).toMatchObject({ address: OWNER, amount: '100.5', registration: 'accepted' });
    expect(proofs).toMatchObject([{ address: OWNER, network: 'linea' }]);
  });

  it.each<[string, (page: ReturnType<typeof openPage>) => void]>([
    ['nothing is connected', ({ config }) => void Object.assign(config.state, { current: null })],
    ['the connection is gone', ({ config }) => void config.state.connections.clear()],
    [
      'the page may use no account',
      ({ config }) => void config.state.connections.get('chosen')?.accounts.splice(0),
    ],
    [
      'wagmi has only restored the connection from storage',
      ({ config: { state } }) =>
        void state.connections.set('chosen', { accounts: [OWNER], connector: {} as never }),
    ],
  ])('is missing when %s', async (_, change) => {
    const page = openPage();
    change(page);
    const flow = delegate(page.config, { ...page.options, amount: '100.5' });
    const error: unknown = await flow.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(next(error)).toBe('retry');
    expect(page.browser.requests).toEqual([]);
    expect(page.tokens.issued).toBe(0);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['returns none', async () => undefined],
    ['returns something else', async () => ({})],
    ['rejects', () => Promise.reject(new Error('Provider not found.'))],
    [
      'throws',
      () => {
        throw new Error('Provider not found.');
      },
    ],
  ])('has failed when its connector, asked for the provider, %s', async (_, getProvider) => {
    const page = openPage();
    page.config.state.connections.set('chosen', { accounts: [OWNER], connector: { getProvider } });
    const flow = delegate(page.config, { ...page.options, amount: '100.5' });
    const error: unknown = await flow.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(String(error)).toContain('did not return its provider');
    expect(page.tokens.issued).toBe(0);
  });

  it('is asked to switch to the chain, with the details of the config if it does not know it', async () => {
    const { browser, config, options } = openPage({ knows: [1] });
    await delegate(config, { ...options, amount: '100.5' });
    expect(browser.prompts()).toEqual([
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'personal_sign',
      'eth_sendTransaction',
    ]);
    expect(browser.requests).toContainEqual({
      method: 'wallet_addEthereumChain',
      params: [
        {
          chainId: '0xe708',
          chainName: 'Linea',
          nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
          rpcUrls: ['https://node.example'],
        },
      ],
    });
  });
});

describe('the network of a delegation with wagmi', () => {
  const TESTNET = { chainId: CHAIN_ID, tokens: {} };

  it('is the one that has the chain, or the one that the caller names', async () => {
    const { config, options, proofs } = openPage();
    await delegate(config, { ...options, amount: '100.5' });
    const linea = { usdc: { address: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff', decimals: 6 } };
    const networks = { linea: TESTNET, own: { ...TESTNET, tokens: linea } };
    const named = { ...options, networks, network: 'own', amount: '7' };
    expect(await delegate(config, named)).toMatchObject({ network: 'own' });
    expect(proofs.map(({ network }) => network)).toEqual(['linea', 'own']);
  });

  it('is that of `networks` for a chain that the API contract does not have', async () => {
    const { scene, config, options, proofs } = openPage({ knows: [1, 59_141] });
    scene.chain.chainId = 59_141;
    config.chains.push({ ...LINEA, id: 59_141 });
    const usdc = { address: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff', decimals: 6 };
    const networks = { testnet: { chainId: 59_141, tokens: { usdc } } };
    await delegate(config, { ...options, chainId: 59_141, networks, amount: '100.5' });
    expect(proofs).toMatchObject([{ network: 'testnet' }]);
  });

  it('is the one of the API contract that has the chain, if the service says the rest', async () => {
    const { config, options, client } = openPage();
    const token = { address: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff', decimals: 6 };
    const entry = { network: 'linea', chainId: CHAIN_ID, delegationContract: SPENDER };
    const chainConfig = async () => ({ networks: [{ ...entry, tokens: { usdc: token } }] });
    const asking = { ...client, delegation: { ...client.delegation, chainConfig } };
    const result = await delegate(config, {
      ...options,
      client: asking,
      networks: 'chain-config',
      amount: '100.5',
    });
    expect(result).toMatchObject({ network: 'linea', registration: 'accepted' });
  });

  it.each([
    ['is not in the config', { chainId: 10 }, 'chainId'],
    ['is not a number', { chainId: '59144' as never }, 'chainId'],
  ])('is refused if the chain %s, before the wallet is asked', async (_, changes, path) => {
    const { browser, config, options } = openPage();
    const flow = delegate(config, { ...options, network: 'linea', ...changes, amount: '1' });
    await expect(flow).rejects.toMatchObject({ code: 'request_invalid', issues: [{ path }] });
    expect(browser.requests).toEqual([]);
  });
});

it('a second start for another chain is refused while the first one runs', async () => {
  const { config, options, proofs } = openPage();
  const delegation = createDelegation(config, options);
  const first = delegation.start({ amount: '100.5' });
  const other = delegation.start({ amount: '100.5', chainId: ETHEREUM.id });
  await expect(other).rejects.toMatchObject({ code: 'delegation_in_progress' });
  expect(await first).toMatchObject({ network: 'linea' });
  expect(proofs).toMatchObject([{ network: 'linea' }]);
});

describe('the store of a delegation with wagmi', () => {
  /** Stops once the approval is sent, as a page that is closed. */
  async function stopAfterApproval({ config, options }: ReturnType<typeof openPage>) {
    const delegation = createDelegation(config, options);
    delegation.subscribe(() => delegation.getState().step === 'confirmed' && delegation.cancel());
    await expect(delegation.start({ amount: '100.5' })).rejects.toMatchObject({
      name: 'AbortError',
    });
  }

  it('is the storage of the config, in which nothing stays', async () => {
    const storage = storageOf();
    const page = openPage({ storage });
    await stopAfterApproval(page);
    const keys = [...storage.kept.keys()];
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.every((key) => key.startsWith('card-platform.delegation.'))).toBe(true);
    const reloaded = openPage({ storage: storageOf(storage.kept) }, page.scene);
    const resumed = createDelegation(reloaded.config, reloaded.options).resume({});
    expect(await resumed).toMatchObject({ amount: '100.5', registration: 'accepted' });
    expect(page.countOf('send')).toBe(1);
    expect([...storage.kept]).toEqual([]);
  });

  it('is memory for each config without storage', async () => {
    const page = openPage();
    await stopAfterApproval(page);
    const other = openPage({}, page.scene);
    expect(await createDelegation(other.config, other.options).resume({})).toBeUndefined();
    const resumed = createDelegation(page.config, page.options).resume({});
    expect(await resumed).toMatchObject({ amount: '100.5', registration: 'accepted' });
    expect(page.countOf('send')).toBe(1);
  });

  it('is IndexedDB where there is one: the storage may be a cookie', async () => {
    const open = vi.fn(() => {
      throw new Error('closed');
    });
    vi.stubGlobal('indexedDB', { open });
    const storage = storageOf();
    const { config, options } = openPage({ storage });
    const flow = delegate(config, { ...options, amount: '100.5' });
    await expect(flow).rejects.toMatchObject({ code: 'delegation_not_saved' });
    expect(open).toHaveBeenCalled();
    expect([...storage.kept]).toEqual([]);
  });

  it('goes on after a use of the storage that failed', async () => {
    const storage = storageOf();
    const page = openPage({
      storage: {
        ...storage,
        setItem: vi.fn(storage.setItem).mockRejectedValueOnce(new Error('full')),
      },
    });
    const delegation = createDelegation(page.config, page.options);
    const failed = delegation.start({ amount: '100.5' });
    await expect(failed).rejects.toMatchObject({ code: 'delegation_not_saved' });
    expect(await delegation.start({ amount: '100.5' })).toMatchObject({ registration: 'accepted' });
  });

  it('uses the storage for one thing at a time, because its changes are not atomic', async () => {
    const storage = storageOf();
    const page = openPage({ storage });
    const asked = [SPENDER, OTHER].map((spender) =>
      delegate(page.config, {
        ...page.options,
        spender,
        allowSpenderWithoutCode: true,
        amount: '1',
      }),
    );
    await Promise.allSettled(asked);
    expect(storage.state).toEqual({ underWay: 0, most: 1 });
  });
});
