import { getAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EvmDelegationOptions,
  type EvmNode,
  previewEvmDelegation,
} from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { approve, mint, waitUntilMined } from './support/chain-actions.js';
import { type Scene, SPENDER, setUpScene } from './support/scene.js';

let linea: LocalChain;
let ethereum: LocalChain;

beforeAll(async () => {
  [linea, ethereum] = await Promise.all([startLocalChain(59144), startLocalChain(1)]);
});

afterAll(async () => {
  await Promise.all([linea.stop(), ethereum.stop()]);
});

/** A USDT-like token, although `networks` does not mark it as one that must be reset. */
const unflagged = () => ({
  ethereum: { chainId: 1, tokens: { usdt: { address: ethereum.usdt.address, decimals: 6 } } },
});

async function tokenNetworks(name: string) {
  const { address, abi } = await linea.deploy(name);
  return {
    address,
    abi,
    networks: { linea: { chainId: 59144, tokens: { usdc: { address, decimals: 6 } } } },
  };
}

async function block(scene: Scene, token: Awaited<ReturnType<typeof tokenNetworks>>, who: string) {
  const hash = await linea.bank.writeContract({
    chain: linea.chain,
    ...token,
    functionName: 'setBlocked',
    args: [who, true],
  });
  await waitUntilMined(scene.chain, hash);
}

/** A node that fails for some methods. */
const nodeWithout = (...methods: string[]): EvmNode => ({
  async request(call) {
    const [first] = (call.params ?? []) as { to?: string }[];
    // A call without a receiver reads everything at once.
    const isBatch = call.method === 'eth_call' && first?.to === undefined;
    if (isBatch || methods.includes(call.method)) throw new Error(`${call.method} failed`);
    return linea.publicClient.request(call as never) as Promise<unknown>;
  },
});

describe('the preview of an EVM delegation', () => {
  it('returns what delegateEvm would do with the same options, and does not ask the wallet', async () => {
    const scene = await setUpScene(ethereum);
    await approve(scene, 7_500_000n);
    await mint(scene, 50_000_000n);
    const options = scene.options({ currency: 'usdt', amount: '0100.50' });
    const preview = await previewEvmDelegation(options);
    expect(preview).toMatchObject({
      owner: scene.account.address,
      chainId: 1,
      network: 'ethereum',
      currency: 'usdt',
      token: getAddress(ethereum.usdt.address),
      decimals: 6,
      spender: SPENDER,
      amount: '100.5',
      baseUnits: '100500000',
      isUnlimited: false,
      wireAmount: '100.5',
      oldLimit: '7.5',
      oldLimitBaseUnits: '7500000',
      transactions: 2,
      resetsFirst: true,
      needsFaucet: false,
      tokenBalance: '50',
    });
    expect(BigInt(preview.estimatedFee ?? 0)).toBeGreaterThan(0n);
    expect(BigInt(preview.nativeBalance ?? 0)).toBeGreaterThan(0n);
    expect(preview.problems.map(({ code }) => code)).toEqual([
      'resets-first',
      'balance-below-amount',
    ]);
    expect(JSON.parse(JSON.stringify(preview))).toEqual(preview);
    expect(scene.prompts).toEqual([]);
    expect(scene.mock.requests).toEqual([]);
  });

  it('estimates a fee that covers what the transactions cost', async () => {
    const scene = await setUpScene(ethereum);
    await approve(scene, 7n);
    const balance = () => ethereum.publicClient.getBalance(scene.account);
    const before = await balance();
    const preview = await previewEvmDelegation(scene.options({ currency: 'usdt' }));
    await scene.delegate({ currency: 'usdt' });
    const paid = before - (await balance());
    const estimated = BigInt(preview.estimatedFee ?? 0);
    expect(estimated).toBeGreaterThanOrEqual(paid / 2n);
    expect(estimated).toBeLessThan(paid * 4n);
  });

  it('needs no wallet and no client where the address and the spender are given', async () => {
    const { account } = await setUpScene(linea);
    const preview = await previewEvmDelegation({
      node: linea.publicClient,
      address: account.address.toLowerCase(),
      network: 'linea',
      currency: 'usdc',
      networks: linea.networks,
      amount: '5',
      cap: '5',
      unlimited: true,
      spender: SPENDER,
    });
    expect(preview).toMatchObject({
      owner: account.address,
      isUnlimited: true,
      baseUnits: '5000000',
      oldLimit: '0',
      transactions: 1,
    });
    expect(preview.problems.map(({ code }) => code)).toEqual(['balance-below-amount']);
  });

  it('notices a token that must be reset first although the networks do not say so', async () => {
    const scene = await setUpScene(ethereum);
    const options = scene.options({ currency: 'usdt', networks: unflagged() });
    expect(await previewEvmDelegation(options)).toMatchObject({ resetsFirst: false });
    await approve(scene, 7n);
    expect(await previewEvmDelegation(options)).toMatchObject({
      resetsFirst: true,
      transactions: 2,
    });
  });

  it.each([
    ['is paused', 'PausedToken'],
    ['returns false', 'FalseToken'],
  ])('finds a token that %s', async (_, name) => {
    const scene = await setUpScene(linea);
    const { networks } = await tokenNetworks(name);
    const { problems, estimatedFee } = await previewEvmDelegation(scene.options({ networks }));
    expect(problems[0]).toMatchObject({ code: 'approval-refused', isBlocking: true });
    if (name === 'PausedToken') expect(estimatedFee).toBeUndefined();
  });

  it('finds that the token blocks the account or the spender', async () => {
    for (const who of ['owner', 'spender']) {
      const scene = await setUpScene(linea);
      const token = await tokenNetworks('BlocklistToken');
      const { networks } = token;
      const before = await previewEvmDelegation(scene.options({ networks }));
      expect(before.problems.map(({ code }) => code)).not.toContain('approval-refused');
      await block(scene, token, who === 'owner' ? scene.account.address : SPENDER);
      const { problems } = await previewEvmDelegation(scene.options({ networks }));
      expect(problems[0]).toMatchObject({ code: 'approval-refused' });
    }
  });

  it('shows that the faucet is needed when the wallet cannot pay the fee', async () => {
    const scene = await setUpScene(linea);
    const { address } = scene.account;
    for (const value of [0n, 1n]) {
      await linea.testClient.setBalance({ address, value });
      const preview = await previewEvmDelegation(scene.options({ faucet: false }));
      expect(preview).toMatchObject({ needsFaucet: true, nativeBalance: String(value) });
      expect(preview.problems[0]).toMatchObject({ code: 'no-gas', isBlocking: true });
    }
  });

  it.each([
    [['eth_gasPrice'], { estimatedFee: undefined, needsFaucet: undefined }],
    [['eth_estimateGas'], { estimatedFee: undefined, needsFaucet: undefined }],
    [['eth_getBalance'], { nativeBalance: undefined, needsFaucet: undefined }],
  ])('leaves out what the node does not report: %s fails', async (methods, expected) => {
    const scene = await setUpScene(linea);
    const publicClient = nodeWithout(...methods);
    const preview = await previewEvmDelegation(scene.options({ node: publicClient }));
    expect(preview).toMatchObject({ ...expected, oldLimit: '0', amount: '100.5' });
  });

  it('reports that an empty wallet needs the faucet even when the fee is not known', async () => {
    const scene = await setUpScene(linea);
    await linea.testClient.setBalance({ address: scene.account.address, value: 0n });
    const publicClient = nodeWithout('eth_gasPrice');
    const preview = await previewEvmDelegation(scene.options({ node: publicClient }));
    expect(preview.needsFaucet).toBe(true);
  });

  it('fails when the node fails', async () => {
    const scene = await setUpScene(linea);
    const publicClient = nodeWithout('eth_call');
    const preview = previewEvmDelegation(scene.options({ node: publicClient }));
    await expect(preview).rejects.toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
  });

  it.each([
    [{ amount: '1e3' }, 'request_invalid'],
    [{ cap: '1' }, 'request_invalid'],
    [{ spender: 'nobody' }, 'request_invalid'],
    [{ readTimeout: 0 }, 'request_invalid'],
    [{ spender: '0x52908400098527886E0F7030069857D2E4169EE7' }, 'spender_without_code'],
    [{ network: 'ethereum' }, 'wrong_chain'],
  ] satisfies [
    Partial<EvmDelegationOptions>,
    string,
  ][])('refuses %j as the flow does', async (changes, code) => {
    const scene = await setUpScene(linea);
    await expect(previewEvmDelegation(scene.options(changes))).rejects.toMatchObject({ code });
  });

  it('ends when it is aborted', async () => {
    const scene = await setUpScene(linea);
    const signal = AbortSignal.abort(new Error('left'));
    await expect(previewEvmDelegation(scene.options({ signal }))).rejects.toThrow('left');
  });
});

describe('the test run of delegateEvm', () => {
  it.each([
    ['is paused', 'PausedToken'],
    ['returns false', 'FalseToken'],
  ])('ends the flow before any prompt when the token %s', async (_, name) => {
    const scene = await setUpScene(linea);
    const { networks } = await tokenNetworks(name);
    const { error } = await scene.delegateAndCatch({ networks });
    expect(error).toMatchObject({ code: 'approval_would_revert', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });

  it('resets the limit first for a token that needs it although the networks do not say so', async () => {
    const scene = await setUpScene(ethereum);
    await approve(scene, 7n);
    const result = await scene.delegate({ currency: 'usdt', networks: unflagged() });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
    expect(await scene.allowance('usdt')).toBe(100_500_000n);
  });

  it('continues a reset that was sent before a reload', async () => {
    const scene = await setUpScene(ethereum);
    await approve(scene, 7n);
    const { wallet } = scene;
    const page = new AbortController();
    const leaving = {
      ...wallet,
      async sendTransaction(call: Parameters<typeof wallet.sendTransaction>[0]) {
        const hash = await wallet.sendTransaction(call);
        page.abort(new Error('left'));
        return hash;
      },
    };
    const changes = { currency: 'usdt', networks: unflagged() };
    const { state } = await scene.delegateAndCatch({
      ...changes,
      wallet: leaving,
      signal: page.signal,
    });
    await scene.walletSettled();
    const result = await scene.delegate({ ...changes, resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
  });

  it('is made on a node that refuses calls without a receiver, which costs six reads more', async () => {
    const nodeOf = (methods: string[]): EvmNode => ({
      async request(call) {
        methods.push(call.method);
        const [first] = (call.params ?? []) as { to?: string }[];
        if (call.method === 'eth_call' && first?.to === undefined) throw new Error('no receiver');
        return linea.publicClient.request(call as never) as Promise<unknown>;
      },
    });
    const refused = await setUpScene(linea);
    const { networks } = await tokenNetworks('PausedToken');
    const { error } = await refused.delegateAndCatch({ networks, node: nodeOf([]) });
    expect(error).toMatchObject({ code: 'approval_would_revert' });
    expect(refused.prompts).toEqual([]);
    const methods: string[] = [];
    const scene = await setUpScene(linea);
    await scene.delegate({ node: nodeOf(methods) });
    const look = methods.slice(0, methods.indexOf('eth_blockNumber'));
    expect(look.sort()).toEqual([
      // All at once, which the node refuses; then decimals, limit and test run.
      ...Array(4).fill('eth_call'),
      'eth_chainId',
      'eth_gasPrice',
      'eth_getBalance',
      // Of the spender and of the wallet.
      ...Array(2).fill('eth_getCode'),
    ]);
  });

  it('that the node cannot make does not end the flow', async () => {
    const scene = await setUpScene(linea);
    const publicClient: EvmNode = {
      async request(call) {
        const [target, , overrides] = (call.params ?? []) as [
          { from?: string }?,
          unknown?,
          unknown?,
        ];
        if (overrides || (call.method === 'eth_call' && target?.from)) throw new Error('no');
        return linea.publicClient.request(call as never) as Promise<unknown>;
      },
    };
    const result = await scene.delegate({ node: publicClient });
    expect(result.registration).toBe('accepted');
  });
});
