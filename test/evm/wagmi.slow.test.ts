import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { EvmDelegationOptions } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import {
  type Behaviour,
  type BrowserWallet,
  createBrowserWallet,
  declined,
} from './support/browser-wallet.js';
import { type Scene, setUpScene } from './support/scene.js';
import { connectedConfig, WAGMI } from './support/wagmi-page.js';

let linea: LocalChain;
let ethereum: LocalChain;

beforeAll(async () => {
  [linea, ethereum] = await Promise.all([startLocalChain(59144), startLocalChain(1)]);
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await Promise.all([linea.stop(), ethereum.stop()]);
});

/** A page whose user has connected a browser wallet through wagmi. */
async function connectedPage(
  kind: (typeof WAGMI)[number],
  { account }: Scene,
  { on = linea, behaviours = {} }: { on?: LocalChain; behaviours?: Record<string, Behaviour> } = {},
) {
  const other = on === linea ? ethereum : linea;
  const browser: BrowserWallet = createBrowserWallet(account, [on, other], behaviours);
  const config = await connectedConfig(kind, browser, [linea, ethereum]);
  const [, , { getPublicClient, getWalletClient, switchChain }] = kind;
  const options = async (): Promise<Partial<EvmDelegationOptions>> => {
    const publicClient = getPublicClient(config, { chainId: linea.chainId });
    if (publicClient === undefined) throw new Error('linea is not configured');
    return { wallet: await getWalletClient(config), node: publicClient };
  };
  return {
    browser,
    options,
    switchChain: (chainId: number) => switchChain(config, { chainId }),
  };
}

describe.each(WAGMI)('delegateEvm with the clients of wagmi %d, whose wallet is %s', (...kind) => {
  it('delegates with one signature and one transaction', async () => {
    const scene = await setUpScene(linea);
    const { browser, options } = await connectedPage(kind, scene);
    const result = await scene.delegate(await options());
    expect(result).toMatchObject({ registration: 'accepted', address: scene.account.address });
    expect(browser.prompts()).toEqual(['personal_sign', 'eth_sendTransaction']);
  });

  it.each([
    'personal_sign',
    'eth_sendTransaction',
  ])('ends with user_rejected when the user declines %s', async (method) => {
    const scene = await setUpScene(linea);
    const reject = () => Promise.reject(Object.assign(new Error(declined.message), declined));
    const { options } = await connectedPage(kind, scene, { behaviours: { [method]: reject } });
    const { error, state } = await scene.delegateAndCatch(await options());
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
  });

  it('has the outcome unknown when the wallet disconnects while it sends, and asks once', async () => {
    const scene = await setUpScene(linea);
    const disconnect = () =>
      Promise.reject(Object.assign(new Error('The Provider is disconnected.'), { code: 4900 }));
    const { browser, options } = await connectedPage(kind, scene, {
      behaviours: { eth_sendTransaction: disconnect },
    });
    const { error, state } = await scene.delegateAndCatch(await options());
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(state?.approval).toEqual({ status: 'requested' });
    expect(browser.prompts()).toEqual(['personal_sign', 'eth_sendTransaction']);
  });

  it('ends with wrong_chain on another network, and can be resumed after switchChain of wagmi', async () => {
    const scene = await setUpScene(linea);
    const { browser, switchChain, options } = await connectedPage(kind, scene, { on: ethereum });
    const { error, state } = await scene.delegateAndCatch(await options());
    expect(error).toMatchObject({ code: 'wrong_chain', expected: '59144', actual: '1' });
    expect(browser.prompts()).toEqual([]);
    await switchChain(linea.chainId);
    const result = await scene.delegate({ ...(await options()), resume: state });
    expect(result.registration).toBe('accepted');
  });

  it('switches the connected wallet with switchNetwork', async () => {
    const scene = await setUpScene(linea);
    const { browser, options } = await connectedPage(kind, scene, { on: ethereum });
    const result = await scene.delegate({ ...(await options()), switchNetwork: true });
    expect(result.registration).toBe('accepted');
    expect(browser.prompts()).toEqual([
      'wallet_switchEthereumChain',
      'personal_sign',
      'eth_sendTransaction',
    ]);
  });

  it('ends with user_rejected when the user declines to switch', async () => {
    const scene = await setUpScene(linea);
    const reject = () => Promise.reject(Object.assign(new Error(declined.message), declined));
    const { options } = await connectedPage(kind, scene, {
      on: ethereum,
      behaviours: { wallet_switchEthereumChain: reject },
    });
    const given = { ...(await options()), switchNetwork: true };
    const { error } = await scene.delegateAndCatch(given);
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
  });
});
