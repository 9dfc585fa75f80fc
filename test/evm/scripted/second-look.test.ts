import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { createDelegation, type EvmWallet, revokeEvmDelegation } from '../../../src/evm/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { failureOf } from '../../delegation/scripted-world.js';
import { approveData, OTHER, ScriptedChain, SPENDER, TOKEN } from './chain.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

const listed = (allowance: string) => [
  { address: OWNER, currency: 'usdc', network: 'linea', allowance },
];
const approveElsewhere = ({ chain }: Scene, units: bigint) => {
  chain.submit({ from: OWNER, input: approveData(units) });
  chain.mine();
};
/** The options of a stored delegation, which has its client and its progress elsewhere. */
const stored = (scene: Scene, changes: object = {}) => {
  const { client: _, onProgress: __, ...rest } = scene.options(changes);
  return rest as never;
};
const CONFIG = {
  networks: [
    {
      network: 'linea',
      chainId: 59_144,
      delegationContract: SPENDER,
      tokens: { usdc: { address: TOKEN, decimals: 6 } },
    },
  ],
};
const withConfig = ({ client }: Scene) => ({
  ...client,
  delegation: { ...client.delegation, chainConfig: async () => CONFIG },
});

describe('a resumed revocation', () => {
  it.each([
    ['the list does not have the wallet', [] as object[]],
    ['the list shows the new limit', listed('100.5')],
  ])('does not say zero after another approval, if %s', async (_, list) => {
    const scene = setUpScene();
    scene.chain.firstAllowance = UNITS;
    scene.service.registered = list;
    scene.walletDoes.mines = false;
    const { amount: __, ...options } = scene.options({ confirmationTimeout: 4_000 });
    const { state } = await failureOf(revokeEvmDelegation(options));
    scene.chain.mine();
    approveElsewhere(scene, UNITS);
    const { error } = await failureOf(revokeEvmDelegation({ ...options, resume: state }));
    expect(scene.messages()).not.toContain('The limit of your wallet is zero.');
    expect(error).toMatchObject({ code: 'allowance_raced' });
  });

  it('does not say zero after another approval, if its proof was submitted', async () => {
    const scene = setUpScene();
    scene.chain.firstAllowance = UNITS;
    scene.service.submit = () => Promise.reject(new Error('lost'));
    scene.service.registered = listed('100.5');
    const { amount: _, ...options } = scene.options();
    const { error, state } = await failureOf(revokeEvmDelegation(options));
    expect(error).toMatchObject({ code: 'revocation_not_registered' });
    approveElsewhere(scene, UNITS);
    scene.service.registered = [];
    await failureOf(revokeEvmDelegation({ ...options, resume: state }));
    expect(scene.messages()).not.toContain('The limit of your wallet is zero.');
  });
});

it('an account to which the user switched while the spender was confirmed approves nothing', async () => {
  const scene = setUpScene();
  scene.walletDoes.mines = false;
  const store = memoryStore();
  let account: string = OTHER;
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown }) {
      const [first] = params as [never];
      if (method === 'eth_accounts') return [account];
      if (method === 'eth_chainId') return '0xe708';
      if (method === 'personal_sign') {
        return scene.wallet.signMessage(Buffer.from(String(first).slice(2), 'hex').toString());
      }
      await scene.wallet.sendTransaction(first);
      // The page is closed before the response.
      return new Promise(() => undefined);
    },
  };
  const start = (confirmSpender: () => boolean) => {
    const delegation = createDelegation({ client: withConfig(scene), store });
    const changes = { spender: 'chain-config', wallet: provider, confirmSpender };
    return { delegation, work: failureOf(delegation.start(stored(scene, changes))) };
  };
  const first = start(() => {
    account = OWNER;
    return true;
  });
  const { error } = await first.work;
  expect(error).toMatchObject({ code: 'signer_mismatch', outcome: 'not_sent' });
  expect(scene.countOf('send')).toBe(0);
});

it('a reset that one node refused and another one took is not taken for the approval', async () => {
  const scene = setUpScene();
  scene.chain.firstAllowance = 40_000_000n;
  scene.chain.onlyFromZero = true;
  const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
  const calls = new Map<string, { to: string; input: string; nonce: bigint }>();
  let nonce = 7;
  let late: (() => void) | undefined;
  const wallet: EvmWallet = {
    ...scene.wallet,
    async signTransaction({ to, data, chainId }) {
      const fees = { gas: 60_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
      const raw = await account.signTransaction({ to, data, chainId, nonce, ...fees });
      calls.set(raw, { to, input: data, nonce: BigInt(nonce) });
      return raw;
    },
    async sendSigned(raw) {
      const take = () => {
        const hash = keccak256(raw as `0x${string}`);
        scene.chain.submit({ from: OWNER, hash, ...calls.get(raw) });
        scene.chain.mine();
        nonce++;
      };
      if (late !== undefined) return take();
      late = take;
      throw Object.assign(new Error('insufficient funds for gas * price + value'), {
        code: -32000,
      });
    },
  };
  const { error, state } = await scene.fail({ wallet });
  expect(error).toMatchObject({ code: 'insufficient_funds' });
  late?.();
  const { error: next } = await scene.fail({ wallet, resume: state });
  expect(String(next)).not.toContain('the wallet approved 0');
  expect(next).toBeUndefined();
  expect(scene.chain.allowanceAt(scene.chain.height, OWNER)).toBe(UNITS);
});

it.each([
  ['replacement', 5n, OTHER],
  ['cancellation', 0n, OWNER],
])('a %s on another chain says nothing about the approval', async (_, value, to) => {
  const scene = setUpScene();
  scene.walletDoes.mines = false;
  const other = new ScriptedChain();
  other.chainId = 1;
  other.height = 2_000n;
  const hash = `0x${'e7'.repeat(32)}`;
  other.submit({ hash, from: OWNER, nonce: 7n, to, value, block: 1_500n });
  let node: ScriptedChain = scene.chain;
  scene.after(4_000, () => {
    node = other;
  });
  const { error, state } = await scene.fail({
    node: { request: (call) => node.request(call) },
    confirmationTimeout: 20_000,
  });
  expect(error).toMatchObject({ code: 'wrong_chain', outcome: 'unknown' });
  expect(state?.approval).toMatchObject({ status: 'sent' });
});

describe('what a page is told', () => {
  it('the limit in units of the currency', async () => {
    const scene = setUpScene();
    const delegation = createDelegation({ client: scene.client, store: memoryStore() });
    await delegation.start(stored(scene, { wireAmount: 'base-units' }));
    expect(delegation.getState().message).toBe('Done: your card may spend up to 100.5 USDC.');
  });

  it.each([
    0n,
    1n << 128n,
    (1n << 256n) - 1n,
  ])('not to continue with a changed limit of %s, which cannot be continued', async (units) => {
    const scene = setUpScene();
    scene.walletDoes.changes = () => ({ input: approveData(units) });
    const store = memoryStore();
    const one = createDelegation({ client: scene.client, store });
    await failureOf(one.start(stored(scene)));
    const said = one.getState().message;
    const two = createDelegation({ client: scene.client, store });
    await failureOf(two.resume(stored(scene)) as Promise<unknown>);
    expect(two.getState().status).not.toBe('done');
    expect(said).toContain('Please start again.');
  });

  it('not that no approval is on the chain, if nobody could look', async () => {
    const scene = setUpScene();
    const { sendTransaction } = scene.wallet;
    const wallet: EvmWallet = {
      ...scene.wallet,
      async sendTransaction(call) {
        await sendTransaction(call);
        throw new Error('lost');
      },
    };
    const { state } = await scene.fail({ wallet });
    scene.chain.mine(300n);
    scene.chain.script('eth_getLogs', () => {
      throw new Error('query returned more than 10000 results');
    });
    scene.chain.script('eth_getTransactionCount', ([, block], usual) => {
      if (block === 'latest' || block === 'pending') return usual();
      throw new Error('missing trie node');
    });
    const { error } = await scene.fail({ resume: state });
    expect(error).toMatchObject({ code: 'approval_unknown' });
    expect(scene.chain.allowanceAt(scene.chain.height, OWNER)).toBe(UNITS);
    expect(String(error)).not.toContain('no approval is on the chain');
  });
});

describe('a flow that waits', () => {
  it('cancel stops a delegation whose question about the spender was closed', async () => {
    const scene = setUpScene();
    const delegation = createDelegation({ client: withConfig(scene), store: memoryStore() });
    let asked!: () => void;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const confirmSpender = () => {
      asked();
      return new Promise<boolean>(() => undefined);
    };
    const options = stored(scene, { spender: 'chain-config', confirmSpender });
    const work = failureOf(delegation.start(options));
    await isAsked;
    delegation.cancel();
    expect((await work).error).toMatchObject({ name: 'AbortError' });
    expect(delegation.getState().status).toBe('idle');
  });

  it('a wallet that responds no more does not keep the flow beyond confirmationTimeout', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    const { sendTransaction } = scene.wallet;
    const wallet: EvmWallet = {
      ...scene.wallet,
      sendTransaction(call) {
        wallet.getChainId = () => new Promise(() => undefined);
        return sendTransaction(call);
      },
    };
    const options = { wallet, confirmationTimeout: 4_000, readTimeout: 1 };
    expect((await scene.fail(options)).error).toMatchObject({ code: 'confirmation_timeout' });
  });
});

it('a lost proof is not found in a list that shows a higher limit of another approval', async () => {
  const scene = setUpScene();
  scene.service.submit = async () => {
    approveElsewhere(scene, 500_000_000n);
    scene.service.registered = listed('500');
    throw new Error('lost');
  };
  expect((await scene.fail()).error).toMatchObject({ code: 'proof_unknown' });
});

/** Loses a delegation of 100.5 at a point, sets another limit on the chain and in the list, and starts it again. */
async function startAgain(
  lostAt: 'confirmation' | 'proof',
  { onChain, inList }: { onChain: bigint; inList: string },
) {
  const scene = setUpScene();
  if (lostAt === 'proof') scene.service.submit = () => Promise.reject(new Error('lost'));
  else scene.walletDoes.mines = false;
  const store = memoryStore();
  const options = stored(scene, { confirmationTimeout: 4_000 });
  await failureOf(createDelegation({ client: scene.client, store }).start(options));
  scene.chain.mine();
  approveElsewhere(scene, onChain);
  scene.service.registered = listed(inList);
  const next = createDelegation({ client: scene.client, store });
  await failureOf(next.start(options));
  return next.getState();
}

it.each([
  ['confirmation', '500'],
  ['confirmation', '100.5'],
  ['proof', '500'],
  ['proof', '100.5'],
] as const)('a limit that was raised on the chain before the %s is not done if the service lists %s', async (lostAt, inList) => {
  const state = await startAgain(lostAt, { onChain: 500_000_000n, inList });
  expect(state.message).not.toContain('Done');
  expect(state.error).toMatchObject({ code: 'allowance_raced' });
});

it('a limit that was spent after the proof was submitted is done', async () => {
  expect((await startAgain('proof', { onChain: 0n, inList: '100.5' })).status).toBe('done');
});
