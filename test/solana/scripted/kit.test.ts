import {
  address,
  createKeyPairSignerFromBytes,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  partiallySignTransaction,
  signBytes,
} from '@solana/kit';
import { Keypair, type VersionedMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import type { SolanaAccountInfo, SolanaCommitment } from '../../../src/solana/index.js';
import {
  connectionFromKitRpc,
  type KitAccount,
  type KitCall,
  type KitRpc,
  walletFromKitSigner,
} from '../../../src/solana/kit/index.js';
import { DELEGATE, MINT, OTHER, type ScriptedCluster, TOKEN_PROGRAM } from './cluster.js';
import { setUpScene, UNITS } from './scene.js';

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const fromBase64 = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));
const object = (text: string) => ({ toBase58: () => text });

/** The RPC of @solana/kit over a scripted cluster: strings and bigints in place of objects. */
function kitRpcOf(cluster: ScriptedCluster) {
  const { connection } = cluster;
  const asked: { method: string; params: readonly unknown[] }[] = [];
  const call = <T>(method: string, params: readonly unknown[], send: () => Promise<T>) => {
    asked.push({ method, params });
    return { send } satisfies KitCall<T>;
  };
  const kitAccount = (info: SolanaAccountInfo | null): KitAccount | null =>
    info && {
      data: [base64(info.data), 'base64'],
      executable: info.executable === true,
      lamports: BigInt(info.lamports ?? 0),
      owner: info.owner.toBase58(),
    };
  const rpc: KitRpc = {
    getAccountInfo: (of, config) =>
      call('getAccountInfo', [of, config], async () => ({
        value: kitAccount(await connection.getAccountInfo(object(of), config.commitment)),
      })),
    getMultipleAccounts: (of, config) =>
      call('getMultipleAccounts', [of, config], async () => ({
        value: (await connection.getMultipleAccountsInfo(of.map(object))).map(kitAccount),
      })),
    getLatestBlockhash: (config) =>
      call('getLatestBlockhash', [config], async () => {
        const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
        return { value: { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) } };
      }),
    getBlockHeight: (config) =>
      call('getBlockHeight', [config], async () => BigInt(await connection.getBlockHeight())),
    getEpochInfo: (config) =>
      call('getEpochInfo', [config], async () => {
        const { absoluteSlot, blockHeight } = await connection.getEpochInfo();
        return { absoluteSlot: BigInt(absoluteSlot), blockHeight: BigInt(blockHeight ?? 0) };
      }),
    sendTransaction: (wire, config) =>
      call('sendTransaction', [config], () => connection.sendRawTransaction(fromBase64(wire))),
    simulateTransaction: (wire, config) =>
      call('simulateTransaction', [wire, config], async () => ({
        value: { err: null, logs: ['one'] },
      })),
    getSignatureStatuses: (signatures, config) =>
      call('getSignatureStatuses', [signatures, config], async () => {
        const found = await connection.getSignatureStatuses([...signatures], config);
        return {
          context: { slot: BigInt(found.context?.slot ?? 0) },
          value: found.value.map(
            (one) => one && { err: one.err, confirmationStatus: one.confirmationStatus ?? null },
          ),
        };
      }),
    getTransaction: (signature, config) =>
      call('getTransaction', [signature, config], async () => {
        const found = await connection.getTransaction(signature, config);
        if (found === null) return null;
        const { staticAccountKeys, compiledInstructions } = found.transaction.message;
        return {
          transaction: {
            message: {
              accountKeys: staticAccountKeys.map((key) => key.toBase58()),
              instructions: compiledInstructions.map(
                ({ programIdIndex, accountKeyIndexes, data }) => ({
                  programIdIndex,
                  accounts: accountKeyIndexes,
                  data: bs58.encode(data),
                }),
              ),
            },
          },
          meta: {
            loadedAddresses: {
              writable: found.meta?.loadedAddresses?.writable.map((key) => key.toBase58()) ?? [],
              readonly: found.meta?.loadedAddresses?.readonly.map((key) => key.toBase58()) ?? [],
            },
          },
        };
      }),
    getSignaturesForAddress: (of, config) =>
      call('getSignaturesForAddress', [of, config], () =>
        connection.getSignaturesForAddress(object(of), { limit: config.limit }, 'confirmed'),
      ),
  };
  return { rpc, asked };
}

async function setUpKit() {
  const scene = setUpScene();
  const { rpc, asked } = kitRpcOf(scene.cluster);
  const { secretKey } = Keypair.fromSeed(new Uint8Array(32).fill(7));
  const signer = await createKeyPairSignerFromBytes(secretKey);
  return { ...scene, rpc, asked, signer, connection: connectionFromKitRpc(rpc) };
}

describe('the connection of @solana/kit', () => {
  it('runs a delegation', async () => {
    const { run, connection, signer, cluster } = await setUpKit();
    await run({ node: connection, wallet: walletFromKitSigner(signer) });
    expect(cluster.account).toMatchObject({ delegate: DELEGATE, delegated: UNITS });
  });

  it('accepts an approval with addresses from a lookup table', async () => {
    const { run, connection, cluster, proofs } = await setUpKit();
    cluster.tamper = (one) => ({ ...one, looked: [MINT, DELEGATE] });
    await run({ node: connection });
    expect(proofs).toHaveLength(1);
  });

  it.each([
    [
      { loadedAddresses: { writable: [MINT], readonly: [DELEGATE, OTHER] } },
      [MINT],
      [DELEGATE, OTHER],
    ],
    [{ loadedAddresses: undefined }, [], []],
    [null, [], []],
  ])('returns the addresses from lookup tables: %j', async (meta, writable, readonly) => {
    const { rpc } = await setUpKit();
    const message = { accountKeys: [TOKEN_PROGRAM], instructions: [] };
    const getTransaction = () => ({ send: async () => ({ transaction: { message }, meta }) });
    const connection = connectionFromKitRpc({ ...rpc, getTransaction });
    const found = await connection.getTransaction('one', {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    });
    const { loadedAddresses } = found?.meta ?? {};
    expect(loadedAddresses?.writable.map((one) => one.toBase58())).toEqual(writable);
    expect(loadedAddresses?.readonly.map((one) => one.toBase58())).toEqual(readonly);
  });

  it.each([
    [{ err: { InstructionError: [0, 'x'] } }, { InstructionError: [0, 'x'] }],
    [{ err: null }, null],
    [null, undefined],
  ])('says whether a transaction failed: %j', async (meta, err) => {
    const { rpc } = await setUpKit();
    const message = { accountKeys: [TOKEN_PROGRAM], instructions: [] };
    const getTransaction = () => ({ send: async () => ({ transaction: { message }, meta }) });
    const connection = connectionFromKitRpc({ ...rpc, getTransaction });
    const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
    expect((await connection.getTransaction('one', config))?.meta?.err).toEqual(err);
  });

  it('returns what the cluster has, as numbers and bytes', async () => {
    const { connection, cluster, wallet } = await setUpKit();
    const of = object(cluster.account.address);
    const info = await cluster.connection.getAccountInfo(of);
    const found = await connection.getAccountInfo(of, 'confirmed');
    expect(found?.data).toEqual(info?.data);
    expect(found?.owner.toBase58()).toBe(TOKEN_PROGRAM);
    const [one, none] = await connection.getMultipleAccountsInfo([
      object(wallet.address),
      object(OTHER),
    ]);
    expect(one).toMatchObject({ lamports: 10_000_000n, executable: false });
    expect(none).toBeNull();
    expect(await connection.getLatestBlockhash()).toEqual({
      blockhash: OTHER,
      lastValidBlockHeight: 5_150,
    });
    expect(await connection.getBlockHeight('finalized')).toBe(5_000);
    expect(await connection.getEpochInfo()).toEqual({ absoluteSlot: 6_000, blockHeight: 5_000 });
    const signature = cluster.add(1, [{ program: TOKEN_PROGRAM, accounts: [MINT], data: [1, 2] }]);
    const config = { searchTransactionHistory: true };
    expect(await connection.getSignatureStatuses([signature, 'none'], config)).toEqual({
      context: { slot: 6_000 },
      value: [{ err: null, confirmationStatus: 'finalized' }, null],
    });
    const read = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
    const executed = await connection.getTransaction(signature, read);
    const { staticAccountKeys, compiledInstructions } = executed?.transaction.message ?? {};
    expect(staticAccountKeys?.map((key) => key.toBase58())).toEqual([TOKEN_PROGRAM, MINT]);
    expect(compiledInstructions).toEqual([
      { programIdIndex: 0, accountKeyIndexes: [1], data: Uint8Array.of(1, 2) },
    ]);
    expect(await connection.getTransaction('none', read)).toBeNull();
    expect(await connection.getSignaturesForAddress(of, { limit: 5 }, 'confirmed')).toEqual([
      { signature, err: null },
    ]);
  });

  it('leaves out what the caller leaves out, because @solana/kit takes no undefined', async () => {
    const { connection, asked, cluster } = await setUpKit();
    const of = object(cluster.account.address);
    const transaction = { message: {}, serialize: () => Uint8Array.of(1) };
    const simulation = { replaceRecentBlockhash: true, sigVerify: false } as const;
    await connection.getAccountInfo(of);
    await connection.getEpochInfo();
    await connection.getSignaturesForAddress(of, { limit: 5 }, 'confirmed');
    await connection.getSignaturesForAddress(of, { limit: 5, minContextSlot: 7 }, 'confirmed');
    const simulated = await connection.simulateTransaction(transaction, simulation);
    await connection.simulateTransaction(transaction, { ...simulation, commitment: 'finalized' });
    expect(simulated).toEqual({ value: { err: null, logs: ['one'] } });
    const encoding = 'base64';
    expect(asked.map(({ params }) => params)).toEqual([
      [cluster.account.address, { encoding }],
      [{}],
      [cluster.account.address, { commitment: 'confirmed', limit: 5 }],
      [cluster.account.address, { commitment: 'confirmed', limit: 5, minContextSlot: 7n }],
      ['AQ==', { ...simulation, encoding }],
      ['AQ==', { ...simulation, commitment: 'finalized', encoding }],
    ]);
  });

  it.each<[object | undefined, object]>([
    [undefined, {}],
    [{ maxRetries: 0 }, { maxRetries: 0n }],
    [
      { maxRetries: 3, preflightCommitment: 'finalized' as SolanaCommitment },
      { maxRetries: 3n, preflightCommitment: 'finalized' },
    ],
  ])('sends with the options %o', async (options, expected) => {
    const { connection, asked, cluster, wallet } = await setUpKit();
    const unsigned = await signedApproval();
    await connection.sendRawTransaction(unsigned, options);
    expect(asked.at(-1)?.params).toEqual([{ encoding: 'base64', ...expected }]);
    expect(cluster.sent).toEqual([unsigned]);
    expect(wallet.address).not.toBe('');
  });

  /** A transaction in the wire format. */
  async function signedApproval(): Promise<Uint8Array> {
    const scene = setUpScene();
    await scene.run();
    return scene.cluster.sent[0] ?? new Uint8Array();
  }

  it.each([null, undefined, 5, {}, []])('is not made of %j', (value) => {
    expect(() => connectionFromKitRpc(value as never)).toThrow('rpc');
  });
});

describe('a signer of @solana/kit', () => {
  type Kit = Awaited<ReturnType<typeof setUpKit>>;
  const signText = async (signer: KeyPairSigner, content: Uint8Array) => ({
    content,
    signatures: { [signer.address]: await signBytes(signer.keyPair.privateKey, content) },
  });

  it.each<[string, (kit: Kit) => ReturnType<typeof walletFromKitSigner>]>([
    [
      'that changes what it signs',
      ({ signer }) =>
        walletFromKitSigner(
          {
            address: signer.address,
            modifyAndSignTransactions: async (transactions) =>
              Promise.all(
                transactions.map((one) => partiallySignTransaction([signer.keyPair], one as never)),
              ),
          },
          {
            address: signer.address,
            modifyAndSignMessages: async (messages) =>
              Promise.all(messages.map(({ content }) => signText(signer, content))),
          },
        ),
    ],
    [
      'that only sends',
      ({ signer, rpc }) =>
        walletFromKitSigner(
          {
            address: signer.address,
            signAndSendTransactions: (transactions) =>
              Promise.all(
                transactions.map(async (one) => {
                  const signed = await partiallySignTransaction([signer.keyPair], one as never);
                  const wire = getBase64EncodedWireTransaction(signed);
                  return bs58.decode(
                    await rpc.sendTransaction(wire, { encoding: 'base64' }).send(),
                  );
                }),
              ),
          },
          signer,
        ),
    ],
    [
      'that signs and sends, and is asked only to sign',
      ({ signer }) =>
        walletFromKitSigner({
          ...signer,
          signAndSendTransactions: () => Promise.reject(new Error('must not be called')),
        }),
    ],
  ])('%s', async (_, walletOf) => {
    const kit = await setUpKit();
    await kit.run({ node: kit.connection, wallet: walletOf(kit) });
    expect(kit.cluster.sent).toHaveLength(1);
    expect(kit.proofs).toHaveLength(1);
  });

  /** A wallet whose signer changes the message that it gets, and signs the changed one. */
  function changingSigner(
    { signer }: Awaited<ReturnType<typeof setUpKit>>,
    change: (message: Uint8Array) => Uint8Array,
  ) {
    return walletFromKitSigner(
      {
        address: signer.address,
        modifyAndSignTransactions: async (transactions) =>
          Promise.all(
            transactions.map(async (one) => {
              const messageBytes = change(one.messageBytes as Uint8Array);
              const signature = await signBytes(signer.keyPair.privateKey, messageBytes);
              return { messageBytes, signatures: { [signer.address]: signature } };
            }),
          ),
      },
      signer,
    );
  }

  it('may return a transaction of version 0', async () => {
    const kit = await setUpKit();
    const wallet = changingSigner(kit, (bytes) => versioned(Uint8Array.from(bytes)));
    await kit.run({ node: kit.connection, wallet });
    const [sent = new Uint8Array()] = kit.cluster.sent;
    const message: VersionedMessage = VersionedTransaction.deserialize(sent).message;
    expect(message.version).toBe(0);
    expect(kit.proofs).toHaveLength(1);
  });

  it('may put another blockhash into the bytes that it gets: the expiry is read again', async () => {
    const kit = await setUpKit();
    const wallet = changingSigner(kit, (bytes) => {
      // The header, the number of accounts, and the accounts are before it.
      const at = 4 + 32 * (bytes[3] ?? 0);
      return bytes.fill(9, at, at + 32);
    });
    await kit.run({ node: kit.connection, wallet });
    const sending = kit.progress.find(({ message }) => message === 'Sending the approval.');
    expect(sending?.state.approval?.status).toBe('requested');
    expect(sending?.state.notes).toHaveProperty('signature');
    expect(sending?.state.notes).not.toHaveProperty('lastValidBlockHeight');
  });

  /** The message as one of version 0 without lookup tables. */
  const versioned = (legacy: Uint8Array) => Uint8Array.from([0x80, ...legacy, 0]);

  it.each<[string, number[]]>([
    ['an unknown version', [0x81]],
    ['a version above all others', [0xff]],
  ])('may not return a transaction of %s', async (_, start) => {
    const kit = await setUpKit();
    const wallet = walletFromKitSigner(
      {
        address: kit.signer.address,
        modifyAndSignTransactions: async (transactions) =>
          transactions.map((one) => ({
            ...one,
            messageBytes: Uint8Array.from([...start, ...Array.from(one.messageBytes)]),
          })),
      },
      kit.signer,
    );
    const { error } = await kit.fail({ node: kit.connection, wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(kit.cluster.sent).toEqual([]);
  });

  it('has the blockhash of the transaction as its lifetime, of unknown end', async () => {
    const kit = await setUpKit();
    const seen: unknown[] = [];
    const wallet = walletFromKitSigner({
      ...kit.signer,
      signTransactions(transactions) {
        seen.push(...transactions);
        return kit.signer.signTransactions(transactions as never);
      },
    });
    await kit.run({ node: kit.connection, wallet });
    expect(seen).toMatchObject([
      {
        signatures: { [kit.signer.address]: null },
        lifetimeConstraint: { blockhash: OTHER, lastValidBlockHeight: 18_446_744_073_709_551_615n },
      },
    ]);
  });

  it('without a signature ends the flow, and nothing is sent', async () => {
    const kit = await setUpKit();
    const noop = createNoopSigner(kit.signer.address);
    const { connection } = kit;
    const silent = await kit.fail({ node: connection, wallet: walletFromKitSigner(noop) });
    expect(silent.error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    const unsigned = await kit.fail({
      node: connection,
      wallet: walletFromKitSigner(noop, kit.signer),
    });
    expect(unsigned.error).toMatchObject({ code: 'signer_mismatch', outcome: 'not_sent' });
    expect(kit.cluster.sent).toEqual([]);
  });

  it.each<[string, (text: Uint8Array) => number[], string]>([
    ['another text', (text) => [...text, 33], 'wallet_failed'],
    [
      'an off-chain message',
      (text) => [0xff, ...new TextEncoder().encode('solana offchain'), ...text],
      'unsupported_signature',
    ],
  ])('that signs %s ends the flow', async (_, change, code) => {
    const kit = await setUpKit();
    const wallet = walletFromKitSigner(kit.signer, {
      address: kit.signer.address,
      modifyAndSignMessages: (messages) =>
        Promise.all(
          messages.map(({ content }) => signText(kit.signer, Uint8Array.from(change(content)))),
        ),
    });
    const { error } = await kit.fail({ node: kit.connection, wallet });
    expect(error).toMatchObject({ code, outcome: 'not_sent' });
    expect(kit.countOf('transaction')).toBe(0);
  });

  it.each<[string, (signer: KeyPairSigner) => unknown[]]>([
    ['signer', () => [null]],
    ['signer', () => [{}]],
    ['messageSigner', ({ address: own }) => [{ address: own }]],
    ['messageSigner', ({ address: own, signTransactions }) => [{ address: own, signTransactions }]],
    ['signer', ({ address: own, signMessages }) => [{ address: own, signMessages }]],
    ['messageSigner', (signer) => [signer, createNoopSigner(address(DELEGATE))]],
    ['messageSigner', (signer) => [signer, null]],
  ])('is refused because of its %s: case %#', async (path, inputs) => {
    const { signer } = await setUpKit();
    const convert = () => walletFromKitSigner(...(inputs(signer) as [never, never]));
    expect(convert).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path })] }),
    );
  });
});
