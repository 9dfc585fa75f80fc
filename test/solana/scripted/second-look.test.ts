import { expect, it } from 'vitest';
import {
  createDelegation,
  revokeSolanaDelegation,
  type SolanaWallet,
} from '../../../src/solana/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { failureOf } from '../../delegation/scripted-world.js';
import { DELEGATE, MINT, OTHER } from './cluster.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

const until = async (isDone: () => boolean, tries = 200) => {
  for (let one = 0; one < tries && !isDone(); one++) await new Promise((r) => setTimeout(r, 5));
};
const stored = (scene: Scene, changes: object = {}) => {
  const { client: _, onProgress: __, ...rest } = scene.options(changes);
  return rest as never;
};

it('a resumed revocation does not say zero after another approval', async () => {
  const scene = setUpScene();
  const { cluster } = scene;
  Object.assign(cluster.account, { delegate: DELEGATE, delegated: UNITS });
  cluster.lands = 'processed';
  const { amount: _, ...options } = scene.options({ confirmationTimeout: 4_000 });
  const { state } = await failureOf(revokeSolanaDelegation(options));
  for (const one of cluster.transactions) one.status = 'finalized';
  Object.assign(cluster.account, { delegate: DELEGATE, delegated: UNITS });
  const { error } = await failureOf(revokeSolanaDelegation({ ...options, resume: state }));
  expect(error).toMatchObject({ code: 'allowance_raced' });
});

it('a wallet that may answer an old prompt with a newer blockhash is not asked again at once', async () => {
  const scene = setUpScene();
  const { cluster } = scene;
  cluster.add(0);
  const page = new AbortController();
  const wallet = {
    ...scene.sendingWallet,
    sendTransaction() {
      page.abort(new Error('the page was closed'));
      return new Promise<string>(() => undefined);
    },
  };
  const { state } = await scene.fail({ wallet, signal: page.signal });
  expect(state?.approval).toEqual({ status: 'requested' });
  // Two minutes later the user confirms; the wallet puts a fresh blockhash in and sends. One second
  // later the page is open again, and no block has the transaction yet.
  cluster.height += 300;
  cluster.slot += 320;
  const { error } = await scene.fail({ wallet: scene.sendingWallet, resume: state });
  expect(scene.countOf('transaction')).toBe(0);
  expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
});

it('a prompt that may still be open is not asked again once an old blockhash has expired', async () => {
  for (const isClosed of [true, false]) {
    const scene = setUpScene();
    const { cluster } = scene;
    cluster.add(0);
    const page = new AbortController();
    let confirm = async () => {};
    const wallet: SolanaWallet = {
      ...scene.sendingWallet,
      sendTransaction(transaction, node) {
        // The wallet puts a fresh blockhash in when the user answers.
        confirm = async () => {
          await scene.sendingWallet.sendTransaction?.(transaction, node);
        };
        if (!isClosed) return Promise.reject(Object.assign(new Error('busy'), { code: -32002 }));
        page.abort(new Error('the page was closed'));
        return new Promise(() => undefined);
      },
    };
    const first = await scene.fail({ wallet, signal: page.signal });
    expect(first.state?.approval).toEqual({ status: 'requested' });
    const second = await scene.fail({ wallet: scene.sendingWallet, resume: first.state });
    cluster.height += 151;
    cluster.slot += 160;
    const third = await scene.fail({ wallet: scene.sendingWallet, resume: second.state });
    expect(third.error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.countOf('transaction')).toBe(0);
    await confirm();
    const last = await scene.fail({ wallet: scene.sendingWallet, resume: third.state });
    expect(last.error).toBeUndefined();
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.proofs).toHaveLength(1);
  }
});

it('a user who sees that no prompt is open any more can approve again', async () => {
  const scene = setUpScene();
  const { cluster } = scene;
  cluster.add(0);
  const page = new AbortController();
  const wallet: SolanaWallet = {
    ...scene.sendingWallet,
    sendTransaction() {
      page.abort(new Error('the page was closed'));
      return new Promise(() => undefined);
    },
  };
  const first = await scene.fail({ wallet, signal: page.signal });
  const again = { wallet: scene.sendingWallet, approveAgain: true };
  const early = await scene.fail({ ...again, resume: first.state });
  expect(early.error).toMatchObject({ code: 'approval_unknown' });
  cluster.height += 151;
  cluster.slot += 160;
  await scene.run({ ...again, resume: early.state });
  expect(scene.countOf('transaction')).toBe(1);
  expect(scene.proofs).toHaveLength(1);
});

it('`replace` does not replace an approval that was signed and may still arrive', async () => {
  const scene = setUpScene();
  const { cluster } = scene;
  const { connection } = cluster;
  const store = memoryStore();
  const send = connection.sendRawTransaction;
  let first: Uint8Array | undefined;
  // The node takes it, and the page is closed before the response.
  connection.sendRawTransaction = (bytes) => {
    first ??= bytes;
    return new Promise(() => undefined);
  };
  const page = createDelegation({ client: scene.client, store });
  const gone = failureOf(page.start(stored(scene, { amount: '500' })));
  await until(() => first !== undefined);
  page.cancel();
  await gone;
  connection.sendRawTransaction = send;
  cluster.blockhash = DELEGATE;
  const next = createDelegation({ client: scene.client, store });
  await failureOf(next.start(stored(scene, { amount: '7', replace: true })));
  // Its blockhash is still valid.
  cluster.execute(first ?? new Uint8Array());
  expect(next.getState().message).not.toBe('Done: your card may spend up to 7 USDC.');
  expect(scene.countOf('transaction')).toBe(1);
});

it('an account to which the user switched while the spender was confirmed approves nothing', async () => {
  const scene = setUpScene();
  const store = memoryStore();
  let account = OTHER;
  const features = {
    'solana:signMessage': {
      signMessage: async ({ message }: { message: Uint8Array }) => [
        { signedMessage: message, signature: await scene.wallet.signMessage(message) },
      ],
    },
    'solana:signAndSendTransaction': {
      async signAndSendTransaction({ transaction }: { transaction: Uint8Array }) {
        await scene.sendingWallet.sendTransaction?.(transaction, undefined as never);
        return new Promise(() => undefined);
      },
    },
  };
  const wallet = {
    get accounts() {
      return [{ address: account }];
    },
    features,
  };
  const tokens = { usdc: { address: MINT, decimals: 6 } };
  const config = { networks: [{ network: 'solana', delegationContract: DELEGATE, tokens }] };
  const chainConfig = async () => config;
  const client = { ...scene.client, delegation: { ...scene.client.delegation, chainConfig } };
  scene.cluster.lands = undefined;
  const start = (confirmSpender: () => boolean) => {
    const delegation = createDelegation({ client, store });
    const changes = { spender: 'chain-config', wallet, confirmSpender };
    return { delegation, work: failureOf(delegation.start(stored(scene, changes))) };
  };
  const first = start(() => {
    account = OWNER;
    return true;
  });
  const { error } = await first.work;
  expect(error).toMatchObject({ code: 'token_account_unusable', outcome: 'not_sent' });
  expect(scene.countOf('transaction')).toBe(0);
});

it('a failure whose commitment the node does not say proves nothing', async () => {
  const scene = setUpScene();
  const { connection } = scene.cluster;
  const statuses = connection.getSignatureStatuses;
  let looks = 0;
  connection.getSignatureStatuses = async (...args) =>
    ++looks === 1
      ? { context: { slot: 6_000 }, value: [{ err: { InstructionError: [0, 'x'] } }] }
      : statuses(...args);
  expect((await scene.fail()).error).toBeUndefined();
});
