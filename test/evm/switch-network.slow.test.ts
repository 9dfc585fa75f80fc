import { BrowserProvider, type Eip1193Provider as EthersProvider } from 'ethers';
import { providers } from 'ethers5';
import { createWalletClient, custom, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walletFromEthers } from '../../src/evm/ethers/index.js';
import {
  type AnyEvmWallet,
  type EvmChainDetails,
  type SwitchEvmNetworkOptions,
  switchEvmNetwork,
} from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import {
  type Behaviour,
  type BrowserWallet,
  createBrowserWallet,
  declined,
  unrecognizedChain,
} from './support/browser-wallet.js';
import { type Scene, setUpScene } from './support/scene.js';

const SWITCH = 'wallet_switchEthereumChain';
const ADD = 'wallet_addEthereumChain';
const SIGN = 'personal_sign';
const SEND = 'eth_sendTransaction';

let linea: LocalChain;
let ethereum: LocalChain;
let details: EvmChainDetails;

beforeAll(async () => {
  [linea, ethereum] = await Promise.all([startLocalChain(59144), startLocalChain(1)]);
  details = {
    chainName: 'Local Linea',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [linea.url],
    blockExplorerUrls: ['https://explorer.example'],
  };
});

afterAll(() => Promise.all([linea.stop(), ethereum.stop()]));

type Behaviours = Readonly<Record<string, Behaviour>>;

/** A wallet that is on ethereum, and knows linea unless it is left out of `known`. */
function walletOnEthereum({ account }: Scene, behaviours?: Behaviours, known?: LocalChain[]) {
  return createBrowserWallet(account, [ethereum, linea], behaviours, known);
}

type Library = (wallet: BrowserWallet, scene: Scene) => AnyEvmWallet | Promise<AnyEvmWallet>;

const LIBRARIES: [string, Library][] = [
  ['an EIP-1193 provider', (wallet) => wallet],
  [
    'a viem wallet client',
    (wallet, { account }) =>
      createWalletClient({
        account: account.address,
        chain: linea.chain,
        transport: custom(wallet),
      }),
  ],
  [
    'an ethers 6 signer',
    async (wallet) =>
      walletFromEthers(await new BrowserProvider(wallet as EthersProvider, 'any').getSigner()),
  ],
  [
    'an ethers 5 signer',
    (wallet) => walletFromEthers(new providers.Web3Provider(wallet as never, 'any').getSigner()),
  ],
];

describe.each(LIBRARIES)('delegateEvm with switchNetwork and %s', (_, library) => {
  it('switches a wallet that is on another network, and delegates', async () => {
    const scene = await setUpScene(linea);
    const browser = walletOnEthereum(scene);
    const wallet = await library(browser, scene);
    const result = await scene.delegate({ wallet, switchNetwork: true });
    expect(result.registration).toBe('accepted');
    expect(browser.prompts()).toEqual([SWITCH, SIGN, SEND]);
    expect(browser.requests).toContainEqual({ method: SWITCH, params: [{ chainId: '0xe708' }] });
    expect(scene.progress.filter(({ needsUser }) => needsUser)[0]).toMatchObject({
      step: 'chain-check',
      status: 'waiting',
      message: 'Switch the network in your wallet.',
    });
  });

  it('adds a network that the wallet does not know, and delegates', async () => {
    const scene = await setUpScene(linea);
    const browser = walletOnEthereum(scene, {}, [ethereum]);
    const wallet = await library(browser, scene);
    const result = await scene.delegate({ wallet, switchNetwork: details });
    expect(result.registration).toBe('accepted');
    expect(browser.prompts()).toEqual([SWITCH, ADD, SIGN, SEND]);
    const { params } = browser.requests.find(({ method }) => method === ADD) ?? {};
    expect(params).toEqual([{ chainId: '0xe708', ...details }]);
  });

  it.each<[string, object]>([
    ['code 4902', unrecognizedChain],
    [
      'code -32603 around 4902',
      { code: -32603, message: 'Internal error', data: { originalError: { code: 4902 } } },
    ],
    ['code -32603 and only the text', { code: -32603, message: unrecognizedChain.message }],
  ])('takes an error with %s for a network that must be added', async (__, failure) => {
    const scene = await setUpScene(linea);
    const refuse = () => Promise.reject(Object.assign(new Error(), failure));
    const browser = walletOnEthereum(scene, { [SWITCH]: refuse });
    const wallet = await library(browser, scene);
    await switchEvmNetwork({ wallet, chainId: 59144, details });
    expect(browser.prompts()).toEqual([SWITCH, ADD]);
  });

  it('ends with user_rejected when the user declines to switch or to add', async () => {
    const scene = await setUpScene(linea);
    const refuse = () => Promise.reject(Object.assign(new Error(declined.message), declined));
    for (const [method, known] of [
      [SWITCH, undefined],
      [ADD, [ethereum]],
    ] as const) {
      const browser = walletOnEthereum(scene, { [method]: refuse }, known && [...known]);
      const wallet = await library(browser, scene);
      const { error, state } = await scene.delegateAndCatch({ wallet, switchNetwork: details });
      expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
      expect(state?.approval).toBeUndefined();
      expect(browser.prompts().at(-1)).toBe(method);
      expect(browser.prompts()).toHaveLength(method === SWITCH ? 1 : 2);
    }
  });

  it('asks once when the wallet fails with an internal error', async () => {
    const scene = await setUpScene(linea);
    const fail = () => Promise.reject(Object.assign(new Error('Internal error'), { code: -32603 }));
    const browser = walletOnEthereum(scene, { [SWITCH]: fail });
    const wallet = await library(browser, scene);
    const { error } = await scene.delegateAndCatch({ wallet, switchNetwork: details });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(browser.prompts()).toEqual([SWITCH]);
  });

  it('asks the user to answer a prompt that is already open', async () => {
    const scene = await setUpScene(linea);
    const fail = () => Promise.reject(Object.assign(new Error('Busy'), { code: -32002 }));
    const wallet = await library(walletOnEthereum(scene, { [SWITCH]: fail }), scene);
    const { error } = await scene.delegateAndCatch({ wallet, switchNetwork: true });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect((error as Error).message).toContain('answer the prompt that is there');
  });

  it.each([
    4200, -32601,
  ])('reports what to do when the wallet cannot switch (code %d)', async (code) => {
    const scene = await setUpScene(linea);
    const fail = () => Promise.reject(Object.assign(new Error('Not supported'), { code }));
    const wallet = await library(walletOnEthereum(scene, { [SWITCH]: fail }), scene);
    const { error } = await scene.delegateAndCatch({ wallet, switchNetwork: true });
    expect(error).toMatchObject({ code: 'wrong_chain', expected: '59144', actual: '1' });
    expect((error as Error).message).toContain('Switch the network in the wallet');
  });
});

describe('a wallet that is asked to switch', () => {
  it('is not trusted when it responds that it switched and did not', async () => {
    const scene = await setUpScene(linea);
    const wallet = walletOnEthereum(scene, { [SWITCH]: () => null });
    const { error } = await scene.delegateAndCatch({ wallet, switchNetwork: true });
    expect(error).toMatchObject({ code: 'wrong_chain', actual: '1', outcome: 'not_sent' });
    expect((error as Error).message).toContain('a switch that did not happen');
    expect(wallet.prompts()).toEqual([SWITCH]);
  });

  it('is trusted when it switches some time after it responded', async () => {
    const scene = await setUpScene(linea);
    const wallet = walletOnEthereum(scene, { [SWITCH]: () => null });
    let pauses = 0;
    const sleep = async () => {
      if (++pauses === 3) wallet.switchTo(59144);
    };
    await switchEvmNetwork({ wallet, chainId: 59144, runtime: { sleep } });
    expect(pauses).toBe(3);
    expect(wallet.prompts()).toEqual([SWITCH]);
  });

  it('is asked again to switch after it only added the network', async () => {
    const scene = await setUpScene(linea);
    const onlyAdd: Behaviour = () => {
      wallet.learn(59144);
      return null;
    };
    const wallet = walletOnEthereum(scene, { [ADD]: onlyAdd }, [ethereum]);
    const result = await scene.delegate({ wallet, switchNetwork: details });
    expect(result.registration).toBe('accepted');
    expect(wallet.prompts()).toEqual([SWITCH, ADD, SWITCH, SIGN, SEND]);
  });

  it('is asked again before the approval when the user has switched back after signing', async () => {
    const scene = await setUpScene(linea);
    const signThenSwitchBack: Behaviour = async (__, next) => {
      const signature = await next();
      wallet.switchTo(1);
      return signature;
    };
    const wallet = walletOnEthereum(scene, { [SIGN]: signThenSwitchBack });
    const result = await scene.delegate({ wallet, switchNetwork: true });
    expect(result.registration).toBe('accepted');
    expect(wallet.prompts()).toEqual([SWITCH, SIGN, SWITCH, SEND]);
  });

  it('needs the details of a network that it does not know', async () => {
    const scene = await setUpScene(linea);
    const wallet = walletOnEthereum(scene, {}, [ethereum]);
    const { error } = await scene.delegateAndCatch({ wallet, switchNetwork: true });
    expect(error).toMatchObject({ code: 'wrong_chain', expected: '59144', actual: '1' });
    expect((error as Error).message).toContain('pass its details');
    expect(wallet.prompts()).toEqual([SWITCH]);
  });

  it('gets the details from the chain of its viem wallet client', async () => {
    const scene = await setUpScene(linea);
    const browser = walletOnEthereum(scene, {}, [ethereum]);
    const wallet = createWalletClient({
      account: scene.account.address,
      chain: linea.chain,
      transport: custom(browser),
    });
    await scene.delegate({ wallet, switchNetwork: true });
    expect(browser.requests.find(({ method }) => method === ADD)?.params).toEqual([
      {
        chainId: '0xe708',
        chainName: 'local 59144',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: [linea.url],
      },
    ]);
  });

  it('gets the details from a chain of viem that the caller passes', async () => {
    const scene = await setUpScene(linea);
    const wallet = walletOnEthereum(scene, {}, [ethereum]);
    const blockExplorers = { default: { name: 'E', url: 'https://explorer.example' } };
    await switchEvmNetwork({
      wallet,
      chainId: 59144,
      details: { ...linea.chain, blockExplorers },
    });
    expect(wallet.requests.find(({ method }) => method === ADD)?.params).toMatchObject([
      { chainName: 'local 59144', blockExplorerUrls: ['https://explorer.example'] },
    ]);
  });

  it('is not asked when it is on the network already', async () => {
    const scene = await setUpScene(linea);
    const wallet = createBrowserWallet(scene.account, [linea]);
    await switchEvmNetwork({ wallet, chainId: 59144, details });
    expect(wallet.prompts()).toEqual([]);
  });

  it('is not asked without the option', async () => {
    const scene = await setUpScene(linea);
    const wallet = walletOnEthereum(scene);
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wrong_chain', actual: '1', outcome: 'not_sent' });
    expect(wallet.prompts()).toEqual([]);
  });

  it('may be only a node, which cannot switch: the error says so', async () => {
    const scene = await setUpScene(linea);
    const wallet = createWalletClient({ account: scene.account, transport: http(ethereum.url) });
    const { error } = await scene.delegateAndCatch({ wallet, switchNetwork: true });
    expect(error).toMatchObject({ code: 'wrong_chain', actual: '1' });
    expect((error as Error).message).toContain('does not let a page switch its network');
  });

  it('can be a plain object, with or without a method for it', async () => {
    const scene = await setUpScene(linea);
    let chainId = 1;
    const without = { ...scene.wallet, getChainId: async () => chainId };
    const { error } = await scene.delegateAndCatch({ wallet: without, switchNetwork: true });
    expect(error).toMatchObject({ code: 'wrong_chain', actual: '1' });
    const wallet = {
      ...without,
      switchChain: async (to: number) => {
        chainId = to;
      },
    };
    expect((await scene.delegate({ wallet, switchNetwork: true })).registration).toBe('accepted');
  });

  it('and never responds ends with prompt_timeout', async () => {
    const scene = await setUpScene(linea);
    const wallet = walletOnEthereum(scene, { [SWITCH]: () => new Promise(() => {}) });
    const sleep = async () => {};
    const asked = { wallet, chainId: 59144, promptTimeout: 60_000, runtime: { sleep } };
    await expect(switchEvmNetwork(asked)).rejects.toMatchObject({
      code: 'prompt_timeout',
      outcome: 'not_sent',
    });
    const inFlow = await scene.delegateAndCatch({
      wallet,
      switchNetwork: true,
      promptTimeout: 60_000,
    });
    expect(inFlow.error).toMatchObject({ code: 'prompt_timeout', outcome: 'not_sent' });
  });

  it('and never responds can be aborted', async () => {
    const scene = await setUpScene(linea);
    const page = new AbortController();
    const leave = () => {
      page.abort(new Error('gone'));
      return new Promise(() => {});
    };
    const wallet = walletOnEthereum(scene, { [SWITCH]: leave });
    const asked = { wallet, chainId: 59144, signal: page.signal };
    await expect(switchEvmNetwork(asked)).rejects.toThrow('gone');
    await expect(switchEvmNetwork(asked)).rejects.toThrow('gone');
    expect(wallet.prompts()).toEqual([SWITCH]);
  });

  it('and cannot be read ends with chain_unreadable', async () => {
    const scene = await setUpScene(linea);
    const fail = () => Promise.reject(new Error('https://node.example/key'));
    const wallet = walletOnEthereum(scene, { eth_chainId: fail });
    await expect(switchEvmNetwork({ wallet, chainId: 59144 })).rejects.toMatchObject({
      code: 'chain_unreadable',
      outcome: 'not_sent',
    });
  });
});

describe('before anything is sent, switching is refused with', () => {
  const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  it.each<[string, object | string | number]>([
    ['', 'linea'],
    ['', 1],
    ['.chainName', { chainName: ' ' }],
    ['.chainName', { chainName: undefined }],
    ['.nativeCurrency', { nativeCurrency: 'ETH' }],
    ['.nativeCurrency.name', { nativeCurrency: { ...currency, name: '' } }],
    ['.nativeCurrency.symbol', { nativeCurrency: { ...currency, symbol: 7 } }],
    ['.nativeCurrency.decimals', { nativeCurrency: { ...currency, decimals: 1.5 } }],
    ['.nativeCurrency.decimals', { nativeCurrency: { ...currency, decimals: '18' } }],
    ['.rpcUrls', { rpcUrls: [] }],
    ['.rpcUrls', { rpcUrls: 'https://node.example' }],
    ['.rpcUrls', { rpcUrls: ['http://node.example'] }],
    ['.rpcUrls', { rpcUrls: ['https://node.example', 'node.example'] }],
    ['.rpcUrls', { rpcUrls: ['javascript:alert(1)'] }],
    ['.blockExplorerUrls', { blockExplorerUrls: ['http://explorer.example'] }],
    ['', { id: 1 }],
  ])('an invalid field of the network’s details: "%s" of %j', async (field, changes) => {
    const scene = await setUpScene(linea);
    const wallet = walletOnEthereum(scene);
    const given = (
      typeof changes === 'object' ? { ...details, ...changes } : changes
    ) as EvmChainDetails;
    const { error } = await scene.delegateAndCatch({ wallet, switchNetwork: given });
    const refused = { code: 'request_invalid', outcome: 'not_sent' };
    expect(error).toMatchObject({ ...refused, issues: [{ path: `switchNetwork${field}` }] });
    expect(scene.mock.requests).toHaveLength(0);
    await expect(
      switchEvmNetwork({ wallet, chainId: 59144, details: given }),
    ).rejects.toMatchObject({ ...refused, issues: [{ path: `details${field}` }] });
    expect(wallet.prompts()).toEqual([]);
  });

  it.each<[string, Partial<Record<keyof SwitchEvmNetworkOptions, unknown>>]>([
    ['chainId', { chainId: 0 }],
    ['chainId', { chainId: '59144' }],
    ['promptTimeout', { promptTimeout: -1 }],
    ['wallet', { wallet: {} }],
  ])('an invalid option %s: %j', async (path, changes) => {
    const scene = await setUpScene(linea);
    const wallet = walletOnEthereum(scene);
    const options = { wallet, chainId: 59144, ...changes } as SwitchEvmNetworkOptions;
    await expect(switchEvmNetwork(options)).rejects.toMatchObject({
      code: 'request_invalid',
      issues: [{ path }],
    });
    expect(wallet.requests).toHaveLength(0);
  });
});
