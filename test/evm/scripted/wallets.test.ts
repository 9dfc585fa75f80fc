import { createWalletClient, custom, getAddress, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { linea, mainnet } from 'viem/chains';
import { describe, expect, it } from 'vitest';
import {
  type EthersSigner,
  nodeFromEthers,
  walletFromEthers,
} from '../../../src/evm/ethers/index.js';
import { createDelegation } from '../../../src/evm/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { browserWallet } from './browser.js';
import { CHAIN_ID, OTHER, SPENDER } from './chain.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

const ACCOUNT = privateKeyToAccount(`0x${'11'.repeat(32)}`);

/** A browser wallet that is on linea. */
function onLinea(...args: Parameters<typeof browserWallet>) {
  const browser = browserWallet(...args);
  browser.state.chainId = CHAIN_ID;
  return browser;
}

/** A node that also takes signed transactions, for a wallet that signs by itself. */
function nodeFor(scene: Scene, sent: string[] = []) {
  return {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      if (method === 'eth_sendRawTransaction') {
        const [raw] = params as [`0x${string}`];
        sent.push(raw);
        const { to, data, nonce = 0 } = parseTransaction(raw);
        const { hash } = scene.chain.submit({
          from: OWNER,
          to: getAddress(to ?? OTHER),
          input: data ?? '0x',
          nonce: BigInt(nonce),
        });
        scene.chain.mine();
        return hash;
      }
      return scene.chain.request({ method, params });
    },
  };
}

describe('a delegation with a browser wallet', () => {
  it('signs and sends with the account that is connected', async () => {
    const scene = setUpScene();
    const wallet = onLinea(scene);
    await scene.run({ wallet });
    expect(wallet.requests.find(({ method }) => method === 'eth_sendTransaction')?.params).toEqual([
      expect.objectContaining({ from: OWNER, value: '0x0', chainId: '0xe708' }),
    ]);
    expect(wallet.requests.find(({ method }) => method === 'personal_sign')?.params[1]).toBe(OWNER);
    expect(scene.chain.allowanceAt(scene.chain.height, OWNER)).toBe(UNITS);
  });

  it('is of the account that the caller names, and requests no accounts', async () => {
    const scene = setUpScene();
    const wallet = onLinea(scene);
    await scene.run({ wallet, address: OWNER.toLowerCase() });
    const methods = wallet.requests.map(({ method }) => method);
    expect(methods).not.toContain('eth_accounts');
    expect(methods).not.toContain('eth_requestAccounts');
  });

  it.each<[string, () => unknown]>([
    ['no account is connected', () => []],
    ['no account is connected', () => [5]],
    ['no account is connected', () => 'text'],
    [
      'did not return its accounts',
      () => {
        throw new Error('locked');
      },
    ],
  ])('ends if %s', async (text, accounts) => {
    const scene = setUpScene();
    const { error } = await scene.fail({ wallet: onLinea(scene, { eth_accounts: accounts }) });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(String(error)).toContain(text);
    expect(scene.tokens.issued).toBe(0);
  });

  it.each([
    '0x',
    '0xabc',
    5,
    null,
    `0x${'1'.repeat(66)}`,
  ])('that returns %j in place of a hash may have sent the approval', async (response) => {
    const scene = setUpScene();
    const wallet = onLinea(scene, { eth_sendTransaction: () => response });
    const { error, state } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(state?.approval).toEqual({ status: 'requested' });
  });

  it.each([
    [-32003, 'unknown'],
    [-32004, 'not_sent'],
    [-32005, 'unknown'],
  ])('that fails to send with the code %i has the outcome %s', async (code, outcome) => {
    const scene = setUpScene();
    const eth_sendTransaction = () => {
      throw Object.assign(new Error('no'), { code });
    };
    const { error } = await scene.fail({ wallet: onLinea(scene, { eth_sendTransaction }) });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome });
  });
});

describe('a delegation with a viem wallet client', () => {
  /** A client with a local account, whose node is asked for nothing but what the scene has. */
  function localClient(scene: Scene, sent: string[]) {
    const transport = custom(nodeFor(scene, sent) as never);
    const prepareTransactionRequest = async (call: object) => ({
      ...call,
      nonce: 7,
      gas: 60_000n,
      maxFeePerGas: 9n,
      maxPriorityFeePerGas: 1n,
      type: 'eip1559',
    });
    const client = createWalletClient({ account: ACCOUNT, chain: linea, transport });
    return Object.assign(client, { prepareTransactionRequest });
  }

  it('of a browser wallet sends through it', async () => {
    const scene = setUpScene();
    const browser = onLinea(scene, {
      eth_getTransactionCount: (params) =>
        scene.chain.request({ method: 'eth_getTransactionCount', params }),
    });
    const transport = custom(browser as never);
    for (const chain of [linea, mainnet, undefined]) {
      const wallet = createWalletClient({ account: OWNER, chain, transport });
      await scene.run({ wallet, amount: String(browser.requests.length + 1) });
    }
    expect(browser.prompts()).toEqual(
      Array(3).fill(['personal_sign', 'eth_sendTransaction']).flat(),
    );
  });

  it('of a local account signs by itself, with the suffix that viem appends', async () => {
    for (const [dataSuffix, suffix] of [
      [undefined, ''],
      ['0xbeef', 'beef'],
      [{ value: '0xcafe' }, 'cafe'],
      ['text', ''],
    ] as const) {
      const scene = setUpScene();
      const sent: string[] = [];
      const wallet = Object.assign(localClient(scene, sent), { dataSuffix });
      await scene.run({ wallet: wallet as never });
      expect(sent).toHaveLength(1);
      const { data, chainId } = parseTransaction(sent[0] as `0x${string}`);
      expect(chainId).toBe(CHAIN_ID);
      expect(data?.slice(2 + 8 + 128)).toBe(suffix);
      expect(scene.chain.allowanceAt(scene.chain.height, OWNER)).toBe(UNITS);
    }
  });

  it('of a local account signs by itself, in whatever case the caller writes its address', async () => {
    const scene = setUpScene();
    const sent: string[] = [];
    const wallet = localClient(scene, sent) as never;
    await scene.run({ wallet, address: OWNER.toLowerCase() });
    expect(sent).toHaveLength(1);
    expect(scene.proofs).toMatchObject([{ address: OWNER }]);
  });

  it('without an account needs the address', async () => {
    const scene = setUpScene();
    const transport = custom(onLinea(scene) as never);
    const wallet = createWalletClient({ chain: linea, transport });
    const { error } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'address' }] });
    await scene.run({ wallet, address: OWNER });
    expect(scene.proofs).toHaveLength(1);
  });
});

describe('a delegation with a signer of ethers', () => {
  /** A provider of ethers over the scene. */
  const providerOf = (scene: Scene, sent?: string[]) => {
    const node = nodeFor(scene, sent);
    return {
      send: (method: string, params: unknown[]) =>
        method === 'eth_chainId'
          ? Promise.resolve(`0x${scene.walletDoes.chainId.toString(16)}`)
          : node.request({ method, params }),
    };
  };
  const signerOf = (scene: Scene, more: object = {}): EthersSigner => ({
    provider: providerOf(scene),
    getAddress: async () => OWNER,
    signMessage: scene.wallet.signMessage,
    sendTransaction: async (call) => ({ hash: await scene.wallet.sendTransaction(call) }),
    ...more,
  });

  it('that is a wallet of a browser is asked without waiting for the node', async () => {
    const scene = setUpScene();
    const signer = signerOf(scene, {
      sendUncheckedTransaction: scene.wallet.sendTransaction,
      sendTransaction: () => Promise.reject(new Error('waits for the node')),
      populateTransaction: () => Promise.reject(new Error('not asked')),
      signTransaction: () => Promise.reject(new Error('not asked')),
    });
    await scene.run({ wallet: await walletFromEthers(signer) });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('that has a key of its own saves the hash before it sends', async () => {
    const scene = setUpScene();
    const sent: string[] = [];
    const fees = { nonce: 7, gas: 60_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
    const signer = signerOf(scene, {
      provider: providerOf(scene, sent),
      populateTransaction: async (call: object) => ({ ...call, ...fees }),
      signTransaction: (call: object) => ACCOUNT.signTransaction(call as never),
    });
    const states: unknown[] = [];
    await scene.run({
      wallet: await walletFromEthers(signer),
      onProgress: ({ message, state }) => {
        if (message === 'Sending the transaction.') states.push([state.notes['raw'], sent.length]);
      },
    });
    expect(states).toEqual([[sent[0], 0]]);
  });

  it('that wraps another one sends by itself', async () => {
    const scene = setUpScene();
    const wallet = await walletFromEthers(
      signerOf(scene, {
        signer: {},
        populateTransaction: async () => ({}),
        signTransaction: async () => '0x',
      }),
    );
    expect(wallet.signTransaction).toBeUndefined();
    await scene.run({ wallet });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('that insists on its first network has sent nothing', async () => {
    const scene = setUpScene();
    const changed = Object.assign(new Error('network'), {
      code: 'NETWORK_ERROR',
      event: 'changed',
    });
    for (const [error, outcome] of [
      [changed, 'not_sent'],
      [Object.assign(new Error('network'), { code: 'NETWORK_ERROR' }), 'unknown'],
    ]) {
      const wallet = await walletFromEthers(
        signerOf(scene, { sendUncheckedTransaction: () => Promise.reject(error) }),
      );
      expect((await scene.fail({ wallet })).error).toMatchObject({
        code: 'wallet_failed',
        outcome,
      });
    }
  });

  it('needs a provider that can send', async () => {
    for (const signer of [null, {}, { provider: null }, { provider: {} }]) {
      await expect(walletFromEthers(signer as never)).rejects.toMatchObject({
        issues: [{ path: 'signer' }],
      });
    }
    expect(() => nodeFromEthers({} as never)).toThrow('provider');
  });

  it('reads the chain through the provider', async () => {
    const scene = setUpScene();
    await scene.run({ node: nodeFromEthers(providerOf(scene)) });
    expect(scene.proofs).toHaveLength(1);
  });
});

describe('a wallet or a node that is not one', () => {
  it.each<[string, unknown, RegExp]>([
    ['a promise', Promise.resolve(), /await it/],
    ['an ethers signer', { getAddress() {}, signMessage() {} }, /walletFromEthers\(signer\)/],
    ['an ethers provider', { getSigner() {} }, /getSigner\(\)/],
    ['a wagmi config', { connectors: [], chains: [], state: {} }, /getWalletClient/],
    ['a wagmi connector', { getProvider() {}, getAccounts() {}, connect() {} }, /getWalletClient/],
    ['a hook', { data: undefined, isPending: true }, /pass its data/],
    ['a hook', { data: undefined, isLoading: true }, /pass its data/],
    ['a public client', { type: 'publicClient' }, /cannot sign/],
    ['a public client', { readContract() {} }, /cannot sign/],
    ['a viem account', ACCOUNT, /createWalletClient/],
    ['a Solana wallet', { publicKey: {} }, /delegateSolana/],
    ['a Solana wallet', { features: {}, accounts: [] }, /delegateSolana/],
    ['nothing', {}, /cannot sign and send/],
  ])('is refused: %s', async (_, wallet, words) => {
    const scene = setUpScene();
    const { error } = await scene.fail({ wallet: wallet as never });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'wallet' }] });
    expect(String(error)).toMatch(words);
  });

  it.each<[string, unknown, RegExp]>([
    ['a URL', 'https://node.example', /createPublicClient/],
    ['a promise', Promise.resolve(), /await it/],
    ['an ethers provider', { send() {} }, /nodeFromEthers/],
    ['a wagmi config', { connectors: [], chains: [], state: {} }, /getPublicClient/],
  ])('is refused as a node: %s', async (_, node, words) => {
    const scene = setUpScene();
    const { error } = await scene.fail({ node: node as never });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'node' }] });
    expect(String(error)).toMatch(words);
  });

  it('of another account than the caller names is refused', async () => {
    const scene = setUpScene();
    const { error } = await scene.fail({ address: OTHER });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'address' }] });
  });
});

describe('a stored delegation', () => {
  it('runs once, and is found by chain, wallet, token and spender', async () => {
    const scene = setUpScene();
    const { amount: _, onProgress: __, ...options } = scene.options();
    const values = new Map<string, string>();
    const make = (more: object = {}) =>
      createDelegation({
        ...options,
        network: 'linea',
        currency: 'usdc',
        spender: SPENDER,
        store: memoryStore(values),
        ...more,
      });
    const wallet = {
      ...scene.wallet,
      sendTransaction: () => Promise.reject(new Error('User rejected the request.')),
    };
    const declined = make({ wallet }).start({ amount: '100.5' });
    await expect(declined).rejects.toMatchObject({ code: 'user_rejected' });
    expect(await make({ spender: OTHER }).resume()).toBeUndefined();
    expect(scene.countOf('send')).toBe(0);
    expect(await make().resume()).toMatchObject({ amount: '100.5' });
    expect(scene.countOf('sign')).toBe(1);
  });
});

describe('a page that was closed while the account signed', () => {
  it('asks again, because only the flow could have sent the approval', async () => {
    const scene = setUpScene();
    const states: unknown[] = [];
    const wallet = {
      ...scene.wallet,
      signTransaction: () => Promise.reject(new Error('the page was closed')),
      sendSigned: async () => undefined,
    };
    await scene.fail({ wallet, onProgress: ({ state }) => states.push(state) });
    const asked = JSON.parse(JSON.stringify(states)).filter(
      (state: { approval?: { status: string } }) => state.approval?.status === 'requested',
    );
    expect(asked.length).toBeGreaterThan(0);
    await scene.run({ resume: asked[0] });
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(scene.chain.countOf('eth_getLogs')).toBe(0);
  });
});

describe('a second click on a delegation that keeps its state', () => {
  it('joins the first one if the wallet spells its address in another case', async () => {
    const { client, node, wallet, spender, currency, domain, runtime, countOf } = (() => {
      const scene = setUpScene();
      return { ...scene.options(), countOf: scene.countOf };
    })();
    const store = memoryStore();
    const delegation = createDelegation({
      client,
      node,
      spender,
      currency,
      domain,
      runtime,
      store,
    });
    const first = delegation.start({ wallet, amount: '100.5' });
    const lower = { ...wallet, address: OWNER.toLowerCase() };
    expect(await delegation.start({ wallet: lower, amount: '100.5' })).toBe(await first);
    expect(countOf('send')).toBe(1);
  });
});
