import {
  address,
  compileOffchainMessageV0Envelope,
  compileOffchainMessageV1Envelope,
  offchainMessageApplicationDomain,
  offchainMessageContentUtf8Of1232BytesMax,
  signBytes,
} from '@solana/kit';
import {
  type AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import type { SolanaDelegationOptions, SolanaWallet } from '../../src/solana/index.js';
import { walletFromAdapter } from '../../src/solana/web3/index.js';
import { signerOf } from '../chain/local-vm.js';
import { type NodeScene, setUpNodeScene } from './support/node-scene.js';
import { someAddress } from './support/scene.js';

/** The errors that wallets, wallet adapters and devices throw when the user declines. */
const REJECTIONS: unknown[] = [
  new Error('User rejected the request.'),
  new Error('User denied transaction signature'),
  new Error('Transaction rejected'),
  new Error('Transaction cancelled'),
  new Error('Transaction canceled'),
  new Error('Approval Denied'),
  new Error('rejected'),
  new Error('Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)'),
  // A wallet adapter puts the error of the wallet or the device into a field of its own.
  Object.assign(new Error(''), { error: new Error('User rejected the request.') }),
  Object.assign(new Error(''), { error: new Error('Ledger device: denied (0x6985)') }),
  'User rejected the request',
  { code: 4001, message: 'no' },
  { code: 5000, message: 'no' },
  { code: -32603, message: 'Internal error', data: { originalError: { code: 4001 } } },
];

/** Errors that do not show whether a wallet that sends by itself has sent. */
const UNCLEAR: unknown[] = [
  { code: 4900, message: 'The provider is disconnected' },
  { code: 4901, message: 'Not connected to the requested chain' },
  { code: -32002, message: 'A request is already pending' },
  { code: -32603, message: 'Internal error' },
  new Error('Transaction rejected by the network: too many requests'),
  new Error('the request was cancelled after 30 s'),
  new Error(''),
];

/** A wallet whose method throws. */
function throwing(
  scene: NodeScene,
  method: 'signMessage' | 'signTransaction' | 'sendTransaction',
  error: unknown,
): SolanaWallet {
  const { address: own, signMessage, signTransaction } = scene.wallet;
  const fail = () => Promise.reject(error);
  if (method === 'sendTransaction') return { address: own, signMessage, sendTransaction: fail };
  return { address: own, signMessage, signTransaction, [method]: fail };
}

describe.each([
  'signMessage',
  'signTransaction',
  'sendTransaction',
] as const)('a user who declines %s', (method) => {
  it.each(
    REJECTIONS,
  )('ends the flow with user_rejected when the wallet throws %o', async (reason) => {
    const scene = await setUpNodeScene();
    const { error, state } = await scene.delegateAndCatch({
      wallet: throwing(scene, method, reason),
    });
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    expect(scene.vm.sentCount).toBe(0);
  });
});

describe('a wallet that sends by itself', () => {
  it.each(UNCLEAR)('is not asked again at once after %o', async (reason) => {
    const scene = await setUpNodeScene();
    const wallet = throwing(scene, 'sendTransaction', reason);
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(state?.approval).toEqual({ status: 'requested' });
    const resumed = await scene.delegateAndCatch({ resume: state });
    expect(resumed.error).toMatchObject({ code: 'approval_unknown' });
    expect(scene.prompts).toEqual(['message']);
  });

  it('has a prompt open when it responds with -32002, and the error says so', async () => {
    const scene = await setUpNodeScene();
    const wallet = throwing(scene, 'sendTransaction', { code: -32002, message: 'pending' });
    const { error } = await scene.delegateAndCatch({ wallet });
    expect((error as Error).message).toContain('answer the prompt that is there');
  });
});

describe('a hardware wallet that signs an off-chain message', () => {
  const content = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const envelopes: [string, (text: Uint8Array, owner: string) => Uint8Array][] = [
    [
      'version 0',
      (text, owner) =>
        Uint8Array.from(
          compileOffchainMessageV0Envelope({
            version: 0,
            applicationDomain: offchainMessageApplicationDomain('1'.repeat(32)),
            content: offchainMessageContentUtf8Of1232BytesMax(content(text)),
            requiredSignatories: [{ address: address(owner) }],
          }).content,
        ),
    ],
    [
      'version 1',
      (text, owner) =>
        Uint8Array.from(
          compileOffchainMessageV1Envelope({
            version: 1,
            content: content(text),
            requiredSignatories: [{ address: address(owner) }],
          }).content,
        ),
    ],
  ];

  it.each(
    envelopes,
  )('of %s is recognised and refused before anything is sent', async (_, compile) => {
    const scene = await setUpNodeScene();
    const { keyPair } = await signerOf(scene.keypair);
    const sign = async (text: Uint8Array) =>
      Uint8Array.from(await signBytes(keyPair.privateKey, compile(text, scene.address)));
    const wallet = { ...scene.wallet, signMessage: sign };
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect((error as Error).message).toContain('hardware wallet');
    expect(scene.prompts).toEqual([]);
  });

  it.each(
    envelopes,
  )('of %s is refused when a wallet-standard wallet returns it as the signed message', async (_, compile) => {
    const scene = await setUpNodeScene();
    const signMessage = async ({ message }: { message: Uint8Array }) => [
      { signedMessage: compile(message, scene.address), signature: new Uint8Array(64) },
    ];
    const features = {
      'solana:signMessage': { signMessage },
      'solana:signTransaction': { signTransaction: async () => [] },
    };
    const wallet = { accounts: [{ address: scene.address }], features };
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
  });

  it('is not confused with another account', async () => {
    const scene = await setUpNodeScene();
    const other = await signerOf(scene.vm.newWallet());
    const signMessage = async (text: Uint8Array) =>
      Uint8Array.from(await signBytes(other.keyPair.privateKey, text));
    const { error } = await scene.delegateAndCatch({ wallet: { ...scene.wallet, signMessage } });
    expect(error).toMatchObject({ code: 'signer_mismatch', outcome: 'not_sent' });
  });
});

/** A wallet adapter that turns the approval into a versioned transaction before it signs it. */
function versioningWallet(scene: NodeScene, tables: AddressLookupTableAccount[] = []) {
  return walletFromAdapter({
    publicKey: scene.keypair.publicKey,
    signMessage: (message) => scene.wallet.signMessage(message),
    async signTransaction<T extends Transaction | VersionedTransaction>(transaction: T) {
      if (!(transaction instanceof Transaction)) return transaction;
      const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1n });
      const versioned = new VersionedTransaction(
        new TransactionMessage({
          payerKey: scene.keypair.publicKey,
          recentBlockhash: transaction.recentBlockhash ?? '',
          instructions: [price, ...transaction.instructions],
        }).compileToV0Message(tables),
      );
      versioned.sign([scene.keypair]);
      return versioned as unknown as T;
    },
  });
}

describe('a versioned transaction', () => {
  it('passes', async () => {
    const scene = await setUpNodeScene();
    const result = await scene.runDelegation({ wallet: versioningWallet(scene) });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.findSent(String(result.transactionId))?.message[0]).toBe(0x80);
  });

  it('is compared with the accounts of its lookup tables', async () => {
    const scene = await setUpNodeScene();
    const { delegate, mint, vm, requestCount } = scene;
    const table = vm.addLookupTable([someAddress(), delegate, mint.address]);
    const client: SolanaDelegationOptions['client'] = {
      delegation: {
        getToken: (input, options) => scene.client.delegation.getToken(input, options),
        // The platform's own check in the tests reads no lookup tables.
        submitSolanaApproval: async () => ({ success: true }),
      },
    };
    const result = await scene.runDelegation({ client, wallet: versioningWallet(scene, [table]) });
    expect(result.registration).toBe('accepted');
    expect(vm.findSent(String(result.transactionId))?.loadedAddresses.readonly).toHaveLength(2);
    expect(requestCount('delegation.submitSolanaApproval')).toBe(0);
  });
});

describe('the fees of a Solana approval', () => {
  it('are set with the instructions of the compute budget program', async () => {
    const scene = await setUpNodeScene();
    const signed: Transaction[] = [];
    const result = await scene.runDelegation({
      computeUnitLimit: 20_000,
      computeUnitPrice: 50_000,
      wallet: {
        ...scene.wallet,
        signTransaction(transaction) {
          signed.push(Transaction.from(transaction));
          return scene.wallet.signTransaction(transaction);
        },
      },
    });
    expect(result.registration).toBe('accepted');
    const [limit, price, approval, ...more] = signed[0]?.instructions ?? [];
    const { programId } = ComputeBudgetProgram;
    expect(limit).toEqual(ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }));
    expect(price).toEqual(ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_000n }));
    expect(approval?.programId).not.toEqual(new PublicKey(programId));
    expect(more).toEqual([]);
  });

  it.each<[string, object]>([
    ['computeUnitLimit', { computeUnitLimit: 0 }],
    ['computeUnitLimit', { computeUnitLimit: 1.5 }],
    ['computeUnitLimit', { computeUnitLimit: 1_400_001 }],
    ['computeUnitLimit', { computeUnitLimit: '20000' }],
    ['computeUnitPrice', { computeUnitPrice: -1 }],
    ['computeUnitPrice', { computeUnitPrice: 0.5 }],
    ['computeUnitPrice', { computeUnitPrice: Number.NaN }],
    ['computeUnitPrice', { computeUnitPrice: 2n ** 64n }],
    ['computeUnitPrice', { computeUnitPrice: '1' }],
    ['unlimited', { unlimited: true }],
    ['amount', { amount: 'unlimited' }],
    ['amount', { amount: 'max' }],
    ['cap', { cap: 'unlimited' }],
  ])('with an invalid %s are refused before anything happens: %o', async (path, changes) => {
    const scene = await setUpNodeScene();
    const { error } = await scene.delegateAndCatch(changes);
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path }] });
    expect(scene.prompts).toEqual([]);
    expect(scene.mock.requests).toHaveLength(0);
    expect(scene.node.requests).toHaveLength(0);
  });
});
