import { type Base64EncodedWireTransaction, createSolanaRpc } from '@solana/kit';
import { SendTransactionError } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import type { SolanaWallet } from '../../src/solana/index.js';
import { type NodeScene, setUpNodeScene } from './support/node-scene.js';

const FEE = 5_000n;
/** The lowest balance of a wallet that is not empty. */
const RENT = 890_880n;

/** Events that make a node refuse the approval after the flow has checked everything. */
const CAUSES: [string, object, (scene: NodeScene) => void][] = [
  [
    'the wallet never had any SOL',
    { code: 'insufficient_funds', outcome: 'not_sent' },
    ({ vm, address }) => vm.setLamports(address, 0n),
  ],
  [
    'the wallet has less SOL than the fee',
    { code: 'insufficient_funds', outcome: 'not_sent' },
    ({ vm, address }) => vm.setLamports(address, FEE - 1n),
  ],
  [
    'the wallet would have less SOL than its rent after the fee',
    { code: 'insufficient_funds', outcome: 'not_sent' },
    ({ vm, address }) => vm.setLamports(address, RENT + FEE - 1n),
  ],
  [
    'the issuer has frozen the token account',
    { code: 'token_account_unusable', reason: 'frozen', outcome: 'not_sent' },
    ({ vm, tokenAccount }) => vm.changeAccount(tokenAccount, (data) => data.fill(2, 108, 109)),
  ],
  [
    'the token account belongs to another wallet',
    { code: 'token_account_unusable', reason: 'wrong_owner', outcome: 'not_sent' },
    ({ vm, tokenAccount }) => vm.changeAccount(tokenAccount, (data) => data.fill(7, 32, 64)),
  ],
  [
    'the token account is for another mint',
    { code: 'token_account_unusable', reason: 'wrong_mint', outcome: 'not_sent' },
    ({ vm, tokenAccount }) => vm.changeAccount(tokenAccount, (data) => data.fill(7, 0, 32)),
  ],
  [
    'the mint has other decimals',
    { code: 'token_account_unusable', reason: 'wrong_decimals', outcome: 'not_sent' },
    ({ vm, mint }) => vm.changeAccount(mint.address, (data) => data.fill(9, 44, 45)),
  ],
];

/** A wallet whose user lets something happen before signing the approval. */
const walletWith = (scene: NodeScene, happen: () => void) => ({
  ...scene.wallet,
  signTransaction(transaction: Uint8Array) {
    happen();
    return scene.wallet.signTransaction(transaction);
  },
});

describe('a refused simulation', () => {
  it('is thrown by @solana/web3.js as an error without a name and without a code', async () => {
    const scene = await setUpNodeScene();
    const errors: unknown[] = [];
    const { connection } = scene;
    const send = connection.sendRawTransaction.bind(connection);
    connection.sendRawTransaction = (...call) =>
      send(...call).catch((error: unknown) => {
        errors.push(error);
        throw error;
      });
    const wallet = walletWith(scene, () => scene.vm.setLamports(scene.address, 0n));
    await scene.delegateAndCatch({ wallet });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(SendTransactionError);
    expect(errors[0]).toMatchObject({ name: 'Error' });
    expect(errors[0]).not.toHaveProperty('code');
  });

  it.each(CAUSES)('ends the flow after one broadcast when %s', async (_, expected, happen) => {
    const scene = await setUpNodeScene();
    const wallet = walletWith(scene, () => happen(scene));
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject(expected);
    expect(scene.node.count('sendTransaction')).toBe(1);
    expect(scene.vm.sentCount).toBe(0);
    expect(state?.approval).toBeUndefined();
  });

  it.each(
    CAUSES,
  )('of a wallet that sends by itself proves that nothing was sent when %s', async (_, expected, happen) => {
    const scene = await setUpNodeScene();
    const { error, state } = await scene.delegateAndCatch({
      wallet: sendingWallet(scene, () => happen(scene)),
    });
    expect(error).toMatchObject(expected);
    expect(state?.approval).toBeUndefined();
  });

  it('can be resumed after the wallet received SOL', async () => {
    const scene = await setUpNodeScene();
    const wallet = walletWith(scene, () => scene.vm.setLamports(scene.address, 0n));
    const { state } = await scene.delegateAndCatch({ wallet });
    scene.vm.setLamports(scene.address, 1_000_000_000n);
    const result = await scene.runDelegation({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('does not count when a node that lags does not know the blockhash yet', async () => {
    const scene = await setUpNodeScene();
    let isFirst = true;
    scene.node.fault = ({ method }) => {
      if (method !== 'sendTransaction' || !isFirst) return undefined;
      isFirst = false;
      const data = { err: 'BlockhashNotFound', logs: [], accounts: null };
      const message = 'Transaction simulation failed: Blockhash not found';
      return { error: { code: -32002, message, data } };
    };
    const result = await scene.runDelegation();
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.node.count('sendTransaction')).toBe(2);
  });

  it.each([
    ['a 429', { status: 429 }],
    ['a broken connection', 'hang-up'],
    ['an unhealthy node', { error: { code: -32005, message: 'Node is behind by 42 slots' } }],
  ] as const)('is not mistaken for %s', async (_, fault) => {
    const scene = await setUpNodeScene();
    let isFirst = true;
    scene.node.fault = ({ method }) => {
      if (method !== 'sendTransaction' || !isFirst) return undefined;
      isFirst = false;
      return fault;
    };
    const result = await scene.runDelegation();
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });

  it.each([
    ['a lagging node', -32016, 'Minimum context slot has not been reached'],
    ['a rate limit', -32429, 'rate limited'],
    ['an internal error', -32603, 'Internal error'],
    ['a gateway that does not know the method', -32601, 'Method not found'],
  ])('is sent again after %s', async (_, code, message) => {
    const scene = await setUpNodeScene();
    let left = 3;
    scene.node.fault = ({ method }) =>
      method === 'sendTransaction' && left-- > 0 ? { error: { code, message } } : undefined;
    const result = await scene.runDelegation();
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.node.count('sendTransaction')).toBe(4);
    expect(scene.vm.sentCount).toBe(1);
  });

  it.each([
    -32603, -32000, -32002, -32005, -32601,
  ])('is not what web3.js calls one: the node forwarded the transaction and said %i', async (code) => {
    const scene = await setUpNodeScene();
    scene.node.fault = ({ method, params }) => {
      if (method !== 'sendTransaction') return undefined;
      if (scene.vm.sentCount === 0) {
        scene.vm.execute(Uint8Array.from(Buffer.from(String(params?.[0]), 'base64')));
      }
      return { error: { code, message: 'Internal error' } };
    };
    const result = await scene.runDelegation();
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('is checked on the chain before the wallet is asked again', async () => {
    const scene = await setUpNodeScene();
    let refuse = true;
    scene.node.fault = ({ method, params }) => {
      if (method !== 'sendTransaction' || !refuse) return undefined;
      refuse = false;
      // Behind one URL are many nodes: one has forwarded it, and another refuses it.
      scene.vm.execute(Uint8Array.from(Buffer.from(String(params?.[0]), 'base64')));
      const data = { err: 'AccountNotFound', logs: [], accounts: null };
      const message = 'Transaction simulation failed: Attempt to debit an account';
      return { error: { code: -32002, message, data } };
    };
    const { error, state } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ outcome: 'rejected' });
    const result = await scene.runDelegation({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('does not count when the node executed the transaction and its response was lost', async () => {
    const scene = await setUpNodeScene();
    let isFirst = true;
    scene.node.fault = ({ method, params }) => {
      if (method !== 'sendTransaction' || !isFirst) return undefined;
      isFirst = false;
      scene.vm.execute(Uint8Array.from(Buffer.from(String(params?.[0]), 'base64')));
      return 'hang-up';
    };
    const result = await scene.runDelegation();
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });
});

/** A wallet that signs and sends through the connection, as wallet adapters do. */
function sendingWallet(scene: NodeScene, happen: () => void): SolanaWallet {
  const { address, signMessage, signTransaction } = scene.wallet;
  return {
    address,
    signMessage,
    async sendTransaction(transaction) {
      happen();
      const signed = await signTransaction(transaction);
      try {
        return await scene.connection.sendRawTransaction(signed);
      } catch (error) {
        // The form of WalletSendTransactionError: the inner error is in a field of its own.
        throw Object.assign(new Error((error as Error).message), { error });
      }
    },
  };
}

describe('a connection that uses the RPC of @solana/kit', () => {
  it.each(CAUSES)('ends the flow after one broadcast when %s', async (_, expected, happen) => {
    const scene = await setUpNodeScene();
    const rpc = createSolanaRpc(scene.node.url);
    const { connection } = scene;
    const sending = new Proxy(connection, {
      get(target, name, receiver) {
        if (name !== 'sendRawTransaction') return Reflect.get(target, name, receiver);
        return async (bytes: Uint8Array) => {
          const wire = Buffer.from(bytes).toString('base64') as Base64EncodedWireTransaction;
          return rpc.sendTransaction(wire, { encoding: 'base64' }).send();
        };
      },
    });
    const wallet = walletWith(scene, () => happen(scene));
    const { error, state } = await scene.delegateAndCatch({ wallet, node: sending });
    expect(error).toMatchObject(expected);
    expect(scene.node.count('sendTransaction')).toBe(1);
    expect(state?.approval).toBeUndefined();
  });
});
