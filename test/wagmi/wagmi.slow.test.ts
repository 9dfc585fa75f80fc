import { createStorage } from '@wagmi/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../../src/stores/index.js';
import { createDelegation, delegate, next, say } from '../../src/wagmi/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import {
  type Behaviour,
  type BrowserWallet,
  createBrowserWallet,
  declined,
} from '../evm/support/browser-wallet.js';
import { type Scene, SPENDER, setUpScene } from '../evm/support/scene.js';
import { connectedConfig, WAGMI } from '../evm/support/wagmi-page.js';

let linea: LocalChain;
let ethereum: LocalChain;

beforeAll(async () => {
  vi.stubGlobal('location', new URL('https://app.example/cards'));
  [linea, ethereum] = await Promise.all([startLocalChain(59144), startLocalChain(1)]);
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await Promise.all([linea.stop(), ethereum.stop()]);
});

type PageOptions = {
  on?: LocalChain;
  behaviours?: Record<string, Behaviour>;
  kept?: Map<string, string>;
};

/** A page whose user has connected a browser wallet through wagmi. */
async function openPage(
  kind: (typeof WAGMI)[number],
  { account }: Pick<Scene, 'account'>,
  { on = linea, behaviours = {}, kept = new Map<string, string>() }: PageOptions = {},
) {
  const other = on === linea ? ethereum : linea;
  const browser: BrowserWallet = createBrowserWallet(account, [on, other], behaviours);
  const storage = createStorage({
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  });
  const config = await connectedConfig(kind, browser, [linea, ethereum], storage);
  return { browser, config, kept };
}

/** The options that the local chain needs in place of the real one. */
function optionsOf(scene: Scene) {
  const { networks, pollingInterval, runtime } = scene.options();
  const local = { networks, network: 'linea', pollingInterval, runtime };
  return { client: scene.client, spender: SPENDER, currency: 'usdc', chainId: 59144, ...local };
}

const caught = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const delegations = (kept: Map<string, string>) =>
  [...kept.keys()].filter((key) => key.includes('card-platform.delegation'));

describe.each(WAGMI)('a delegation with wagmi %d, whose wallet is %s', (...kind) => {
  const [, , { disconnect }] = kind;
  const pageOf = (scene: Pick<Scene, 'account'>, options?: PageOptions) =>
    openPage(kind, scene, options);

  it('takes wallet, node, chain and storage from the config', async () => {
    const scene = await setUpScene(linea);
    const { browser, config, kept } = await pageOf(scene);
    const seen: number[] = [];
    const delegation = createDelegation(config, optionsOf(scene));
    delegation.subscribe(() => seen.push(delegations(kept).length));
    const result = await delegation.start({ amount: '100.5' });
    expect(result).toMatchObject({ registration: 'accepted', address: scene.account.address });
    expect(browser.prompts()).toEqual(['personal_sign', 'eth_sendTransaction']);
    expect(Math.max(...seen)).toBeGreaterThan(1);
    expect(delegations(kept)).toEqual([]);
  });

  it('is one call', async () => {
    const scene = await setUpScene(linea);
    const { config } = await pageOf(scene);
    const result = await delegate(config, { ...optionsOf(scene), amount: '100.5' });
    expect(result).toMatchObject({ registration: 'accepted', amount: '100.5' });
  });

  it('asks the wallet to switch to the chain', async () => {
    const scene = await setUpScene(linea);
    const { browser, config } = await pageOf(scene, { on: ethereum });
    await delegate(config, { ...optionsOf(scene), amount: '100.5' });
    expect(browser.prompts()[0]).toBe('wallet_switchEthereumChain');
    expect(await scene.allowance()).toBe(100_500_000n);
  });

  it.each([
    'personal_sign',
    'eth_sendTransaction',
  ])('says so when the user declines %s, and continues with the next click', async (method) => {
    const scene = await setUpScene(linea);
    let isDeclining = true;
    const { browser, config } = await pageOf(scene, {
      behaviours: {
        [method]: (_, pass) =>
          isDeclining
            ? Promise.reject(Object.assign(new Error(declined.message), declined))
            : pass(),
      },
    });
    const delegation = createDelegation(config, optionsOf(scene));
    const error = await caught(delegation.start({ amount: '100.5' }));
    expect([say(error), next(error)]).toEqual([
      'You declined in your wallet. Continue when you are ready.',
      'retry',
    ]);
    isDeclining = false;
    await delegation.start({ amount: '100.5' });
    expect(browser.prompts().filter((prompt) => prompt === 'eth_sendTransaction')).toHaveLength(
      method === 'personal_sign' ? 1 : 2,
    );
    expect(await scene.transactionCount()).toBe(1);
  });

  it('continues after a reload, with the storage of the config', async () => {
    const scene = await setUpScene(linea);
    const first = await pageOf(scene);
    const page = createDelegation(first.config, optionsOf(scene));
    // The page is closed once the approval is sent.
    page.subscribe(() => page.getState().step === 'confirmed' && page.cancel());
    expect(await caught(page.start({ amount: '100.5' }))).toMatchObject({ name: 'AbortError' });
    const { config, browser } = await pageOf(scene, { kept: first.kept });
    const delegation = createDelegation(config, optionsOf(scene));
    const other = await caught(delegation.start({ amount: '7' }));
    expect([say(other), next(other)]).toEqual([
      'An earlier approval is not finished. Continue that one first, then change it.',
      'resume',
    ]);
    expect(await delegation.resume({})).toMatchObject({ amount: '100.5' });
    expect(browser.prompts()).not.toContain('eth_sendTransaction');
    expect(await scene.transactionCount()).toBe(1);
  });

  it('has a state for each account, whichever is connected', async () => {
    const scene = await setUpScene(linea);
    const { config, kept } = await pageOf(scene);
    const delegation = createDelegation(config, optionsOf(scene));
    delegation.subscribe(() => delegation.getState().step === 'confirmed' && delegation.cancel());
    await caught(delegation.start({ amount: '100.5' }));
    const other = await setUpScene(linea);
    const page = await pageOf(other, { kept });
    const result = await delegate(page.config, { ...optionsOf(other), amount: '7' });
    expect(result).toMatchObject({ amount: '7', address: other.account.address });
    expect(await createDelegation(config, optionsOf(scene)).resume({})).toMatchObject({
      address: scene.account.address,
      amount: '100.5',
    });
  });

  it('says that no wallet is connected', async () => {
    const scene = await setUpScene(linea);
    const { config, browser } = await pageOf(scene);
    await disconnect(config);
    const error = await caught(delegate(config, { ...optionsOf(scene), amount: '1' }));
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(browser.prompts()).toEqual([]);
  });

  it.each([
    ['is not in the config', { chainId: 10 }, 'chainId'],
    ['is not a number', { chainId: '59144' as never }, 'chainId'],
    ['has no name', { chainId: 1_337, network: undefined }, 'network'],
  ])('refuses a chain that %s, before the wallet is asked', async (_, changes, path) => {
    const scene = await setUpScene(linea);
    const { config, browser } = await pageOf(scene);
    const options = { ...optionsOf(scene), ...changes, amount: '1', store: memoryStore() };
    expect(await caught(delegate(config, options))).toMatchObject({
      code: 'request_invalid',
      issues: [{ path }],
    });
    expect(browser.prompts()).toEqual([]);
  });
});
