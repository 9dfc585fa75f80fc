import { createWalletClient, custom } from 'viem';
import { linea } from 'viem/chains';
import { describe, expect, it } from 'vitest';
import {
  type EvmChainDetails,
  type SwitchEvmNetworkOptions,
  switchEvmNetwork,
} from '../../../src/evm/index.js';
import { type Behaviour, browserWallet } from './browser.js';
import { CHAIN_ID } from './chain.js';
import { OWNER, setUpScene } from './scene.js';

const SWITCH = 'wallet_switchEthereumChain';
const ADD = 'wallet_addEthereumChain';
const SIGN = 'personal_sign';
const SEND = 'eth_sendTransaction';

const DETAILS: EvmChainDetails = {
  chainName: 'Linea',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: ['https://node.example'],
  blockExplorerUrls: ['https://explorer.example'],
};
const failing =
  (fields: object, message = 'no'): Behaviour =>
  () => {
    throw Object.assign(new Error(message), fields);
  };

function setUp(behaviours?: Record<string, Behaviour>, knows?: number[]) {
  const scene = setUpScene();
  const wallet = browserWallet(scene, behaviours, knows);
  const change = (options: Partial<SwitchEvmNetworkOptions> = {}) =>
    switchEvmNetwork({ wallet, chainId: CHAIN_ID, runtime: scene.runtime, ...options });
  return { ...scene, browser: wallet, change };
}

describe('a flow whose wallet is on another network', () => {
  it('switches it, and delegates', async () => {
    const scene = setUp();
    await scene.run({ wallet: scene.browser, switchNetwork: true });
    expect(scene.browser.prompts()).toEqual([SWITCH, SIGN, SEND]);
    expect(scene.browser.requests).toContainEqual({
      method: SWITCH,
      params: [{ chainId: '0xe708' }],
    });
    expect(scene.progress.find(({ needsUser }) => needsUser)).toMatchObject({
      step: 'chain-check',
      message: 'Switch the network in your wallet.',
    });
  });

  it('does not, unless the caller asks for it', async () => {
    for (const option of [{}, { switchNetwork: false }]) {
      const scene = setUp();
      const { error } = await scene.fail({ wallet: scene.browser, ...option });
      expect(error).toMatchObject({ code: 'wrong_chain', actual: '1', outcome: 'not_sent' });
      expect(scene.browser.prompts()).toEqual([]);
    }
  });

  it('adds a network with the details that it has checked, whatever the caller does to them', async () => {
    const rpcUrls = ['https://node.example'];
    const blockExplorerUrls = ['https://explorer.example'];
    const details = { ...DETAILS, rpcUrls, blockExplorerUrls };
    const change: Behaviour = (_, usual) => {
      rpcUrls[0] = 'https://other.example';
      blockExplorerUrls.push('https://other.example');
      return usual();
    };
    const scene = setUp({ [SWITCH]: change }, [1]);
    await scene.run({ wallet: scene.browser, switchNetwork: details });
    expect(scene.browser.requests.find(({ method }) => method === ADD)?.params).toEqual([
      { chainId: '0xe708', ...DETAILS },
    ]);
  });

  it('adds a network that the wallet does not know', async () => {
    const scene = setUp({}, [1]);
    await scene.run({ wallet: scene.browser, switchNetwork: DETAILS });
    expect(scene.browser.prompts()).toEqual([SWITCH, ADD, SIGN, SEND]);
    expect(scene.browser.requests.find(({ method }) => method === ADD)?.params).toEqual([
      { chainId: '0xe708', ...DETAILS },
    ]);
  });

  it('switches it again if the user has switched back after signing', async () => {
    const scene = setUp({
      [SIGN]: async (_, usual) => {
        const signature = await usual();
        scene.browser.state.chainId = 1;
        return signature;
      },
    });
    await scene.run({ wallet: scene.browser, switchNetwork: true });
    expect(scene.browser.prompts()).toEqual([SWITCH, SIGN, SWITCH, SEND]);
  });

  it('asks once through a viem wallet client, although viem would repeat an internal error', async () => {
    const { browser, change } = setUp({ [SWITCH]: failing({ code: -32603 }) });
    const transport = custom(browser as never, { retryDelay: 0 });
    const wallet = createWalletClient({ account: OWNER, chain: linea, transport });
    await expect(change({ wallet })).rejects.toMatchObject({
      code: 'wallet_failed',
      outcome: 'not_sent',
    });
    expect(browser.prompts()).toEqual([SWITCH]);
  });

  it('adds the chain of a viem wallet client', async () => {
    const scene = setUp({}, [1]);
    const transport = custom(scene.browser as never);
    const wallet = createWalletClient({ account: OWNER, chain: linea, transport });
    await scene.run({ wallet, switchNetwork: true });
    const { params } = scene.browser.requests.find(({ method }) => method === ADD) ?? {};
    expect(params).toMatchObject([{ chainId: '0xe708', chainName: linea.name }]);
    expect(scene.proofs).toHaveLength(1);
  });
});

describe('switchEvmNetwork', () => {
  it('asks nothing if the wallet is on the network', async () => {
    const { browser, change } = setUp();
    browser.state.chainId = CHAIN_ID;
    await change({ details: DETAILS });
    expect(browser.prompts()).toEqual([]);
  });

  it.each<[string, Behaviour]>([
    ['code 4902', failing({ code: 4902 })],
    ['the code as text', failing({ code: '4902' })],
    ['the code inside', failing({ code: -32603, data: { originalError: { code: 4902 } } })],
    ['only the text', failing({ code: -32603 }, 'Unrecognized chain ID "0xe708".')],
    ['the name of the method', failing({ code: -32603 }, 'Try wallet_addEthereumChain first')],
  ])('adds a network that is unknown by %s', async (_, behaviour) => {
    const { browser, change } = setUp({ [SWITCH]: behaviour });
    await change({ details: DETAILS });
    expect(browser.prompts()).toEqual([SWITCH, ADD]);
    expect(browser.state.chainId).toBe(CHAIN_ID);
  });

  it('asks again to switch if the wallet has only added the network', async () => {
    const scene = setUp(
      {
        [ADD]: () => {
          scene.browser.learn(CHAIN_ID);
          return null;
        },
      },
      [1],
    );
    await scene.change({ details: DETAILS });
    expect(scene.browser.prompts()).toEqual([SWITCH, ADD, SWITCH]);
  });

  it.each<
    [
      string,
      object,
      Record<string, Behaviour>,
      number[] | undefined,
      Partial<SwitchEvmNetworkOptions>,
    ]
  >([
    ['user_rejected', {}, { [SWITCH]: failing({ code: 4001 }) }, undefined, {}],
    ['user_rejected', {}, { [ADD]: failing({ code: 4001 }) }, [1], { details: DETAILS }],
    ['wallet_failed', {}, { [SWITCH]: failing({ code: -32603 }) }, undefined, { details: DETAILS }],
    [
      'wallet_failed',
      { message: /answer the prompt/ },
      { [SWITCH]: failing({ code: -32002 }) },
      undefined,
      {},
    ],
    [
      'wrong_chain',
      { message: /does not let a page/ },
      { [SWITCH]: failing({ code: 4200 }) },
      undefined,
      {},
    ],
    [
      'wrong_chain',
      { message: /does not let a page/ },
      { [SWITCH]: failing({ code: -32601 }) },
      undefined,
      {},
    ],
    [
      'wrong_chain',
      { message: /does not let a page/ },
      { [SWITCH]: failing({ code: -32004 }) },
      undefined,
      {},
    ],
    [
      'wrong_chain',
      { message: /does not let a page/ },
      { [SWITCH]: failing({ code: 'UNSUPPORTED_OPERATION' }) },
      undefined,
      {},
    ],
    [
      'wrong_chain',
      { message: /does not let a page/ },
      { [ADD]: failing({ code: 4100 }) },
      [1],
      { details: DETAILS },
    ],
    ['wrong_chain', { message: /pass its details/ }, {}, [1], {}],
    [
      'wrong_chain',
      { message: /pass its details/ },
      { [ADD]: () => null },
      [1],
      { details: DETAILS },
    ],
    ['wrong_chain', { message: /did not happen/ }, { [SWITCH]: () => null }, undefined, {}],
    ['chain_unreadable', {}, { eth_chainId: failing({}) }, undefined, {}],
  ])('ends with %s: %o', async (code, {
    message = /./,
  }: { message?: RegExp }, behaviours, knows, options) => {
    const { browser, change } = setUp(behaviours, knows);
    const error: unknown = await change(options).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, outcome: 'not_sent' });
    expect(String(error)).toMatch(message);
    if (code === 'wrong_chain') expect(error).toMatchObject({ expected: '59144', actual: '1' });
    // Never the same prompt again.
    expect(browser.prompts().filter((name) => name === ADD).length).toBeLessThanOrEqual(1);
  });

  // Eight looks, with a pause of 250 ms between them.
  it.each([
    [1_750, true],
    [1_751, false],
  ])('a wallet that switches %i ms after it responded is believed: %s', async (at, isInTime) => {
    const scene = setUp({ [SWITCH]: () => null });
    scene.after(at, () => {
      scene.browser.state.chainId = CHAIN_ID;
    });
    const error: unknown = await scene.change().catch((reason: unknown) => reason);
    expect(error === undefined).toBe(isInTime);
    expect(scene.clock.waits).toEqual(Array(7).fill(250));
  });

  it('outlasts a wallet that responds to nothing while it switches', async () => {
    let reads = 0;
    const scene = setUp({
      eth_chainId: (_, usual) => {
        reads++;
        if (reads === 2) throw new Error('busy');
        return usual();
      },
    });
    await scene.change();
    expect(reads).toBe(3);
  });

  it('that the wallet never answers ends with prompt_timeout, or with the signal', async () => {
    const { change } = setUp({ [SWITCH]: () => new Promise(() => {}) });
    await expect(change({ promptTimeout: 60_000 })).rejects.toMatchObject({
      code: 'prompt_timeout',
      outcome: 'not_sent',
    });
    const reason = new Error('the page was left');
    await expect(change({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('takes a chain of viem as the details', async () => {
    const { browser, change } = setUp({}, [1]);
    await change({ details: linea });
    expect(browser.requests.find(({ method }) => method === ADD)?.params).toMatchObject([
      {
        chainName: linea.name,
        rpcUrls: linea.rpcUrls.default.http,
        blockExplorerUrls: [linea.blockExplorers.default.url],
      },
    ]);
  });

  it('needs a wallet that has a network, and can switch it', async () => {
    const { change, wallet } = setUp();
    await expect(change({ wallet: {} as never })).rejects.toMatchObject({
      issues: [{ path: 'wallet' }],
    });
    const plain = { ...wallet, getChainId: async () => 1 };
    await expect(change({ wallet: plain })).rejects.toMatchObject({ code: 'wrong_chain' });
  });

  it('adds no network with a plain object that can only switch', async () => {
    const { change, wallet } = setUp();
    const switchChain = async () => {
      throw Object.assign(new Error('unknown'), { code: 4902 });
    };
    const plain = { ...wallet, getChainId: async () => 1, switchChain };
    await expect(change({ wallet: plain, details: DETAILS })).rejects.toMatchObject({
      code: 'wrong_chain',
    });
  });

  const currency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  it.each<[string, unknown]>([
    ['', 'linea'],
    ['', 1],
    ['.chainName', { chainName: ' ' }],
    ['.nativeCurrency', { nativeCurrency: 'ETH' }],
    ['.nativeCurrency.name', { nativeCurrency: { ...currency, name: '' } }],
    ['.nativeCurrency.symbol', { nativeCurrency: { ...currency, symbol: 7 } }],
    ['.nativeCurrency.decimals', { nativeCurrency: { ...currency, decimals: 37 } }],
    ['.nativeCurrency.decimals', { nativeCurrency: { ...currency, decimals: '18' } }],
    ['.rpcUrls', { rpcUrls: [] }],
    ['.rpcUrls', { rpcUrls: 'https://node.example' }],
    ['.rpcUrls', { rpcUrls: ['http://node.example'] }],
    ['.rpcUrls', { rpcUrls: ['https://node.example', 'javascript:alert(1)'] }],
    ['.blockExplorerUrls', { blockExplorerUrls: ['http://explorer.example'] }],
    ['', { id: 1 }],
  ])('refuses invalid details before the wallet is asked: "%s" of %o', async (field, changes) => {
    const scene = setUp();
    const given = (
      typeof changes === 'object' && changes !== null ? { ...DETAILS, ...changes } : changes
    ) as EvmChainDetails;
    const refused = { code: 'request_invalid', outcome: 'not_sent' };
    await expect(scene.change({ details: given })).rejects.toMatchObject({
      ...refused,
      issues: [{ path: `details${field}` }],
    });
    const { error } = await scene.fail({ wallet: scene.browser, switchNetwork: given });
    expect(error).toMatchObject({ ...refused, issues: [{ path: `switchNetwork${field}` }] });
    expect(scene.browser.prompts()).toEqual([]);
  });

  it.each([
    ['chainId', { chainId: 0 }],
    ['chainId', { chainId: '59144' as never }],
    ['promptTimeout', { promptTimeout: -1 }],
  ])('refuses an invalid %s: %o', async (path, changes) => {
    const { browser, change } = setUp();
    await expect(change(changes)).rejects.toMatchObject({ issues: [{ path }] });
    expect(browser.requests).toEqual([]);
  });
});
