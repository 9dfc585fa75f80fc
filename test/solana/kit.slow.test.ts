import {
  address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createKeyPairSignerFromBytes,
  createNoopSigner,
  createSolanaRpc,
  decompileTransactionMessage,
  type GetMultipleAccountsApi,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  isSolanaError,
  type KeyPairSigner,
  type MessageModifyingSigner,
  partiallySignTransaction,
  type Rpc,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  type SolanaRpcApi,
  signBytes,
  type Transaction,
  type TransactionModifyingSigner,
  type TransactionSendingSigner,
} from '@solana/kit';
import { ComputeBudgetProgram } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { readDelegation, type SolanaWallet } from '../../src/solana/index.js';
import {
  connectionFromKitRpc,
  type KitRpc,
  walletFromKitSigner,
} from '../../src/solana/kit/index.js';
import { setUpNodeScene } from './support/node-scene.js';

/** The scene with the RPC of @solana/kit in place of the `Connection` of @solana/web3.js. */
async function setUpKitScene() {
  const scene = await setUpNodeScene();
  const rpc = createSolanaRpc(scene.node.url);
  const connection = connectionFromKitRpc(rpc);
  const signer = await createKeyPairSignerFromBytes(scene.keypair.secretKey);
  const wallet = walletFromKitSigner(signer);
  return {
    ...scene,
    rpc,
    signer,
    connection,
    runDelegation: (changes: Parameters<typeof scene.runDelegation>[0] = {}) =>
      scene.runDelegation({ node: connection, wallet, ...changes }),
    delegateAndCatch: (changes: Parameters<typeof scene.delegateAndCatch>[0] = {}) =>
      scene.delegateAndCatch({ node: connection, wallet, ...changes }),
  };
}

type KitScene = Awaited<ReturnType<typeof setUpKitScene>>;

/** A wallet that adds a priority fee and makes the transaction version 0, as mobile wallets do. */
function modifyingSigner(signer: KeyPairSigner): TransactionModifyingSigner {
  return {
    address: signer.address,
    async modifyAndSignTransactions(transactions) {
      return Promise.all(
        transactions.map(async (transaction) => {
          const compiled = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
          const { programId, data } = ComputeBudgetProgram.setComputeUnitPrice({
            microLamports: 7,
          });
          const message = appendTransactionMessageInstruction(
            { programAddress: address(programId.toBase58()), data: Uint8Array.from(data) },
            { ...decompileTransactionMessage(compiled), version: 0 as const },
          );
          return partiallySignTransaction([signer.keyPair], compileTransaction(message as never));
        }),
      ) as never;
    },
  };
}

/** A wallet that returns the message that it signed. */
function messageSigner(
  signer: KeyPairSigner,
  change: (content: Uint8Array) => Uint8Array = (content) => content,
): MessageModifyingSigner {
  return {
    address: signer.address,
    modifyAndSignMessages: (messages) =>
      Promise.all(
        messages.map(async (message) => {
          const content = change(message.content);
          const signed = await signBytes(signer.keyPair.privateKey, content);
          return { content, signatures: { [signer.address]: signed } };
        }),
      ),
  };
}

/** A wallet that sends through an RPC of its own. */
function sendingSigner(signer: KeyPairSigner, rpc: Rpc<SolanaRpcApi>): TransactionSendingSigner {
  return {
    address: signer.address,
    signAndSendTransactions: (transactions) =>
      Promise.all(
        transactions.map(async (transaction: Transaction) => {
          const signed = await partiallySignTransaction([signer.keyPair], transaction);
          const wire = getBase64EncodedWireTransaction(signed);
          await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
          const [signature] = Object.values(signed.signatures);
          if (!signature) throw new Error('not signed');
          return signature;
        }),
      ),
  };
}

describe('a delegation with @solana/kit', () => {
  it('runs with a KeyPairSigner and an RPC, with at most 8 reads of the node', async () => {
    const scene = await setUpKitScene();
    const result = await scene.runDelegation();
    expect(result).toMatchObject({ registration: 'accepted', address: scene.address });
    expect(scene.vm.sentCount).toBe(1);
    expect(scene.node.requests.length).toBeLessThanOrEqual(8);
  });

  it('runs with the two signers of a wallet, which makes the transaction version 0', async () => {
    const scene = await setUpKitScene();
    const wallet = walletFromKitSigner(modifyingSigner(scene.signer), messageSigner(scene.signer));
    const result = await scene.runDelegation({ wallet });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.findSent(String(result.transactionId))?.message[0]).toBe(0x80);
  });

  it('runs with a signer that only sends', async () => {
    const scene = await setUpKitScene();
    const wallet = walletFromKitSigner(sendingSigner(scene.signer, scene.rpc), scene.signer);
    expect(wallet.signTransaction).toBeUndefined();
    const result = await scene.runDelegation({ wallet });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('asks a signer that signs and sends only to sign', async () => {
    const scene = await setUpKitScene();
    const refuse = () => Promise.reject(new Error('must not be called'));
    const wallet = walletFromKitSigner({ ...scene.signer, signAndSendTransactions: refuse });
    expect(await scene.runDelegation({ wallet })).toMatchObject({ registration: 'accepted' });
  });

  it('is resumed after a page was closed while the wallet sent the approval', async () => {
    const scene = await setUpKitScene();
    const sending = walletFromKitSigner(sendingSigner(scene.signer, scene.rpc), scene.signer);
    const wallet: SolanaWallet = {
      ...sending,
      async sendTransaction(...call) {
        await sending.sendTransaction?.(...call);
        throw new Error('the page was closed');
      },
    };
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    const result = await scene.runDelegation({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('finds an expired approval by block height and slot', async () => {
    const scene = await setUpKitScene();
    scene.node.fault = ({ method }) => {
      if (method !== 'sendTransaction') return undefined;
      scene.vm.advanceBlocks();
      return 'hang-up';
    };
    const { error } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ code: 'transaction_expired', outcome: 'not_sent' });
  });
});

describe('an error that @solana/kit throws', () => {
  it('is a SolanaError with a code for a refused simulation, and ends the flow at once', async () => {
    const scene = await setUpKitScene();
    const errors: unknown[] = [];
    const { connection } = scene;
    const wallet = walletFromKitSigner(scene.signer);
    const { error, state } = await scene.delegateAndCatch({
      node: {
        ...connection,
        sendRawTransaction: (...call) =>
          connection.sendRawTransaction(...call).catch((reason: unknown) => {
            errors.push(reason);
            throw reason;
          }),
      },
      wallet: {
        ...wallet,
        signTransaction(bytes) {
          scene.vm.setLamports(scene.address, 0n);
          return wallet.signTransaction?.(bytes) ?? Promise.reject(new Error('cannot sign'));
        },
      },
    });
    const code = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE;
    expect(errors).toHaveLength(1);
    expect(isSolanaError(errors[0], code)).toBe(true);
    expect(errors[0]).toMatchObject({ context: { __code: code } });
    expect(errors[0]).not.toHaveProperty('code');
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    expect(scene.node.count('sendTransaction')).toBe(1);
  });

  it.each([
    ['an HTTP status', { status: 429 }],
    ['a broken connection', 'hang-up'],
    ['an error of the node', { error: { code: -32005, message: 'Node is behind by 42 slots' } }],
  ] as const)('for %s is read again, in every method', async (_, fault) => {
    const scene = await setUpKitScene();
    const failed = new Set<string>();
    scene.node.fault = ({ method }) => {
      if (failed.has(method)) return undefined;
      failed.add(method);
      return fault;
    };
    const result = await scene.runDelegation();
    expect(result.registration).toBe('accepted');
    expect(failed.size).toBeGreaterThan(4);
    expect(scene.vm.sentCount).toBe(1);
  });
});

describe('connectionFromKitRpc', () => {
  it('returns what the connection of @solana/web3.js returns', async () => {
    const scene = await setUpKitScene();
    const result = await scene.runDelegation();
    const web3 = scene.node.connect();
    const kit = scene.connection;
    const of = { toBase58: () => scene.tokenAccount };
    const id = String(result.transactionId);
    const input = { owner: scene.address, mint: scene.mint.address };
    expect(await readDelegation({ node: kit, ...input })).toEqual(
      await readDelegation({ node: web3, ...input }),
    );
    const [account] = await kit.getMultipleAccountsInfo([of], 'confirmed');
    expect(account).toMatchObject({ lamports: expect.any(BigInt), executable: false });
    const newest = await kit.getLatestBlockhash();
    // The next read has another one.
    expect(newest).toEqual({
      ...(await web3.getLatestBlockhash()),
      blockhash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/),
    });
    expect(await kit.getBlockHeight('finalized')).toBe(await web3.getBlockHeight('finalized'));
    expect(await web3.getEpochInfo()).toMatchObject(await kit.getEpochInfo());
    const history = await kit.getSignaturesForAddress(of, { limit: 5 }, 'confirmed');
    expect(history).toEqual([{ signature: id, err: null }]);
    const read = await kit.getTransaction(id, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    });
    const expected = await web3.getTransaction(id, { maxSupportedTransactionVersion: 0 });
    const keys = (executed: typeof read | typeof expected) =>
      executed?.transaction.message.staticAccountKeys.map((key) => key.toBase58());
    expect(keys(read)).toEqual(keys(expected));
    expect(keys(read)).toContain(scene.tokenAccount);
    const unknown = getBase58Decoder().decode(new Uint8Array(64).fill(7));
    expect(
      await kit.getTransaction(unknown, {
        commitment: 'confirmed',
        maxSupportedTransactionVersion: 0,
      }),
    ).toBeNull();
    const { value } = await kit.getSignatureStatuses([id, unknown], {
      searchTransactionHistory: true,
    });
    expect(value).toEqual([{ err: null, confirmationStatus: 'confirmed' }, null]);
    expect(await kit.getAccountInfo({ toBase58: () => unusedAddress })).toBeNull();
  });

  it('takes the RPC of @solana/kit by its type, and refuses anything else', () => {
    const rpc: KitRpc = createSolanaRpc('http://127.0.0.1:1');
    expect(connectionFromKitRpc(rpc)).toHaveProperty('getEpochInfo');
    const partial = {} as Rpc<GetMultipleAccountsApi>;
    // @ts-expect-error An RPC without most methods is not one that the flow can use.
    expect(() => connectionFromKitRpc(partial)).toThrow('rpc');
    for (const value of [null, undefined, 5, {}, []]) {
      expect(() => connectionFromKitRpc(value as never)).toThrow('rpc');
    }
  });
});

const unusedAddress = '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp';

describe('walletFromKitSigner', () => {
  const rejected = async (scene: KitScene, wallet: SolanaWallet) =>
    (await scene.delegateAndCatch({ wallet })).error;

  it('refuses a signer that cannot sign both, or two of different accounts', async () => {
    const { signer } = await setUpKitScene();
    const { address: owner, signMessages, signTransactions } = signer;
    const other = createNoopSigner(address(unusedAddress));
    for (const value of [null, undefined, 5, {}, [], { address: owner }]) {
      expect(() => walletFromKitSigner(value as never)).toThrow(/signer|messageSigner/);
    }
    expect(() => walletFromKitSigner({ address: owner, signTransactions })).toThrow('messages');
    expect(() => walletFromKitSigner({ address: owner, signMessages })).toThrow('transaction');
    expect(() => walletFromKitSigner(signer, other)).toThrow('same account');
  });

  it('reports a signer that returns no signature, before anything is sent', async () => {
    const scene = await setUpKitScene();
    const noop = createNoopSigner(scene.signer.address);
    expect(await rejected(scene, walletFromKitSigner(noop))).toMatchObject({
      code: 'wallet_failed',
      outcome: 'not_sent',
    });
    expect(await rejected(scene, walletFromKitSigner(noop, scene.signer))).toMatchObject({
      code: 'signer_mismatch',
      outcome: 'not_sent',
    });
    expect(scene.vm.sentCount).toBe(0);
  });

  it('refuses a message that the wallet changed', async () => {
    const scene = await setUpKitScene();
    const changed = messageSigner(scene.signer, (content) => Uint8Array.of(...content, 33));
    expect(await rejected(scene, walletFromKitSigner(scene.signer, changed))).toMatchObject({
      code: 'wallet_failed',
      outcome: 'not_sent',
    });
    const prefix = [0xff, ...new TextEncoder().encode('solana offchain')];
    const offchain = messageSigner(scene.signer, (text) => Uint8Array.of(...prefix, ...text));
    expect(await rejected(scene, walletFromKitSigner(scene.signer, offchain))).toMatchObject({
      code: 'unsupported_signature',
      outcome: 'not_sent',
    });
  });

  it('ends with user_rejected when the wallet behind the signer rejects', async () => {
    const scene = await setUpKitScene();
    const reject = () => Promise.reject(new Error('User rejected the request.'));
    const signer = { ...scene.signer, signTransactions: reject };
    expect(await rejected(scene, walletFromKitSigner(signer))).toMatchObject({
      code: 'user_rejected',
    });
  });
});
