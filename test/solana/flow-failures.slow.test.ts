import { describe, expect, it } from 'vitest';
import {
  buildSolanaApproval,
  type SolanaConnection,
  type SolanaDelegationOptions,
  toKitInstruction,
} from '../../src/solana/index.js';
import { walletFromKeypair } from '../../src/solana/wallets/keypair.js';
import { signerOf } from '../chain/local-vm.js';
import { ofMint, type Scene, setScene, someAddress } from './support/scene.js';
import { shortSignature } from './support/short-signature.js';

const NODE_WITH_KEY = 'https://rpc.example/secret-node-key';

describe('a rejected prompt', () => {
  it.each([
    ['signMessage', ['message']],
    ['signTransaction', ['message', 'transaction']],
  ] as const)('of %s ends the flow, and is not repeated', async (method, asked) => {
    const scene = await setScene();
    const { wallet } = scene;
    const refusing = {
      ...wallet,
      async [method](bytes: Uint8Array) {
        await wallet[method](bytes);
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
      },
    };
    const { error, state } = await scene.failing({ wallet: refusing });
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
    expect(scene.asked).toEqual(asked);
    expect(state?.approval).toBeUndefined();
    expect(scene.vm.sentCount).toBe(0);
    const result = await scene.run({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });
});

describe('mint and token account', () => {
  const withToken = (
    token: NonNullable<SolanaDelegationOptions['token']>,
  ): Partial<SolanaDelegationOptions> => ({ token });

  it('are refused before the wallet is asked', async () => {
    const scene = await setScene();
    const { vm, mint, address } = scene;
    const { address: mintAddress } = mint;
    const other = await vm.newMint();
    const stranger = vm.newWallet().publicKey.toBase58();
    const theirs = await vm.fund(stranger, mint, 1n);
    const otherAccount = await vm.fund(address, other, 1n);
    const programAddress = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
    const cases: [string, Partial<SolanaDelegationOptions>][] = [
      ['mint_not_found', withToken({ mint: someAddress(), decimals: 6 })],
      ['mint_not_found', withToken({ mint: scene.tokenAccount, decimals: 6 })],
      ['wrong_decimals', withToken({ mint: mintAddress, decimals: 9 })],
      ['wrong_program', withToken({ mint: mintAddress, decimals: 6, programAddress })],
      ['not_found', withToken({ mint: (await vm.newMint()).address, decimals: 6 })],
      ['not_found', { tokenAccount: mintAddress }],
      ['wrong_owner', { tokenAccount: theirs }],
      ['wrong_mint', { tokenAccount: otherAccount }],
    ];
    for (const [reason, changes] of cases) {
      const { error } = await scene.failing(changes);
      expect(error).toMatchObject({ code: 'token_account_unusable', reason, outcome: 'not_sent' });
    }
    await vm.freeze(scene.tokenAccount, mint);
    const { error } = await scene.failing();
    expect(error).toMatchObject({ reason: 'frozen' });
    expect(scene.asked).toEqual([]);
  });
});

describe('bad input', () => {
  it.each<[string, Partial<SolanaDelegationOptions>]>([
    ['amount', { amount: '0' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: '0.0000001' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '101', cap: '100' }],
    ['cap', { cap: 'everything' }],
    ['currency', { currency: 'usdx', token: undefined }],
    ['delegate', { delegate: 'nobody' }],
    ['delegate', { delegate: '1'.repeat(32) }],
    ['tokenAccount', { tokenAccount: 'z'.repeat(44) }],
    ['domain', { domain: undefined }],
    ['domain', { domain: 'two words' }],
    ['uri', { uri: 'nowhere' }],
    ['statement', { statement: 'one\ntwo' }],
    ['mint', { token: { mint: 'z'.repeat(44), decimals: 6 } }],
    ['decimals', { amount: '1', token: { mint: someAddress(), decimals: 256 } }],
  ])('is refused before anything happens: %s', async (path, changes) => {
    const scene = await setScene();
    const { error } = await scene.failing(changes);
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path }] });
    expect(scene.asked).toEqual([]);
    expect(scene.mock.requests).toHaveLength(0);
  });

  it('is refused in a wallet: one that only reads, and one without a form', async () => {
    const scene = await setScene();
    const { address, signMessage } = scene.wallet;
    const readOnly = { address, signMessage };
    for (const wallet of [readOnly, { publicKey: scene.keypair.publicKey } as never]) {
      const { error } = await scene.failing({ wallet });
      expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'wallet' }] });
    }
  });
});

describe('a signature', () => {
  it('by another account is detected before anything is sent', async () => {
    const scene = await setScene();
    const other = walletFromKeypair(scene.vm.newWallet());
    const wrongMessage = { ...scene.wallet, signMessage: other.signMessage };
    expect((await scene.failing({ wallet: wrongMessage })).error).toMatchObject({
      code: 'signer_mismatch',
    });
    const wrongTransaction = { ...scene.wallet, signTransaction: other.signTransaction };
    expect((await scene.failing({ wallet: wrongTransaction })).error).toMatchObject({
      code: 'signer_mismatch',
      outcome: 'not_sent',
    });
    expect(scene.vm.sentCount).toBe(0);
  });

  it('of the wrong length is refused', async () => {
    const scene = await setScene();
    const signMessage = async () => new Uint8Array(65);
    const { error } = await scene.failing({ wallet: { ...scene.wallet, signMessage } });
    expect(error).toMatchObject({ code: 'unsupported_signature' });
  });

  it('of 86 characters is made again, over another time and another blockhash', async () => {
    const scene = await setScene();
    const { wallet, keypair } = scene;
    const texts: string[] = [];
    const blockhashes: string[] = [];
    const grinding = {
      ...wallet,
      async signMessage(message: Uint8Array) {
        texts.push(new TextDecoder().decode(message));
        return texts.length === 1
          ? shortSignature(keypair.secretKey, message)
          : wallet.signMessage(message);
      },
      async signTransaction(transaction: Uint8Array) {
        blockhashes.push(transaction.join());
        if (blockhashes.length > 1) return wallet.signTransaction(transaction);
        const signed = transaction.slice();
        signed.set(shortSignature(keypair.secretKey, transaction.subarray(65)), 1);
        // On a real chain time passes until the user has signed again.
        scene.vm.advanceBlocks(1);
        return signed;
      },
    };
    const result = await scene.run({ wallet: grinding });
    expect(result.registration).toBe('accepted');
    expect(new Set(texts).size).toBe(2);
    expect(new Set(blockhashes).size).toBe(2);
    expect(scene.vm.sentCount).toBe(1);
    expect(result.transactionId).toMatch(/^\w{87,88}$/);
  });

  it('that always has 86 characters ends the flow', async () => {
    const scene = await setScene();
    const { wallet, keypair } = scene;
    const sign = async (message: Uint8Array) => shortSignature(keypair.secretKey, message);
    const message = await scene.failing({ wallet: { ...wallet, signMessage: sign } });
    expect(message.error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    const signTransaction = async (transaction: Uint8Array) => {
      const signed = transaction.slice();
      signed.set(await sign(transaction.subarray(65)), 1);
      return signed;
    };
    const { error, state } = await scene.failing({ wallet: { ...wallet, signTransaction } });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    expect(scene.vm.sentCount).toBe(0);
  });
});

describe('a node', () => {
  const broken = (
    connection: SolanaConnection,
    changes: Partial<SolanaConnection>,
  ): SolanaConnection => ({ ...connection, ...changes });

  it.each([
    'getAccountInfo',
    'getLatestBlockhash',
  ] as const)('that fails at %s costs nothing, and its address stays out of errors', async (method) => {
    const scene = await setScene();
    const connection = broken(scene.vm.connection, {
      [method]: async () => {
        throw new Error(`fetch ${NODE_WITH_KEY} failed`);
      },
    });
    const { error, state } = await scene.failing({ connection });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(JSON.stringify(error)).not.toContain('secret-node-key');
    expect(String((error as Error).cause)).not.toContain('secret-node-key');
    expect(state?.approval).toBeUndefined();
    expect((await scene.run({ resume: state })).registration).toBe('accepted');
  });

  it('that refuses the transaction after a simulation is reported', async () => {
    const scene = await setScene();
    const connection = broken(scene.vm.connection, {
      sendRawTransaction: async () => {
        throw Object.assign(new Error(`insufficient lamports at ${NODE_WITH_KEY}`), {
          name: 'SendTransactionError',
        });
      },
    });
    const { error, state } = await scene.failing({ connection });
    expect(error).toMatchObject({ code: 'transaction_refused', outcome: 'rejected' });
    expect(state?.approval).toBeUndefined();
    expect((await scene.run({ resume: state })).registration).toBe('accepted');
  });

  it('that already has the transaction counts as success', async () => {
    const scene = await setScene();
    const { connection } = scene.vm;
    const repeating = broken(connection, {
      async sendRawTransaction(bytes) {
        await connection.sendRawTransaction(bytes);
        return connection.sendRawTransaction(bytes);
      },
    });
    const result = await scene.run({ connection: repeating });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('that loses the transaction gets the same one again', async () => {
    const scene = await setScene();
    const { connection } = scene.vm;
    const sent: string[] = [];
    const lossy = broken(connection, {
      async sendRawTransaction(bytes) {
        sent.push(bytes.join());
        if (sent.length === 1) throw new Error('socket hang up');
        if (sent.length === 2) return 'lost as well';
        return connection.sendRawTransaction(bytes);
      },
    });
    const result = await scene.run({ connection: lossy });
    expect(result.registration).toBe('accepted');
    expect(new Set(sent).size).toBe(1);
    expect(sent).toHaveLength(3);
    expect(scene.asked).toEqual(['message', 'transaction']);
  });

  it('that reports a failure of the transaction ends the flow', async () => {
    const scene = await setScene();
    const connection = broken(scene.vm.connection, {
      getSignatureStatuses: async () => ({ value: [{ err: { InstructionError: [0, 'x'] } }] }),
    });
    const { error, state } = await scene.failing({ connection });
    expect(error).toMatchObject({ code: 'transaction_reverted', outcome: 'rejected' });
    expect(state?.approval).toBeUndefined();
  });

  it('without a certain status is read again until the timeout', async () => {
    const scene = await setScene();
    const { connection } = scene.vm;
    const unsure = broken(connection, {
      getSignatureStatuses: async () => ({
        value: [{ err: null, confirmationStatus: 'processed' as const }],
      }),
    });
    const { error, state } = await scene.failing({ connection: unsure });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    const confirmed = await scene.failing({ commitment: 'finalized', resume: state });
    expect(confirmed.error).toMatchObject({ code: 'confirmation_timeout' });
    const result = await scene.run({ resume: confirmed.state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('that shows another transaction than the one that was signed is not believed', async () => {
    const scene = await setScene();
    const { vm } = scene;
    const other = await setScene();
    await other.run();
    const foreign = other.vm.getExecuted(
      String(other.progress.at(-1)?.state.approval?.transactionId),
    );
    const lying = broken(vm.connection, { getTransaction: async () => foreign ?? null });
    const { error } = await scene.failing({ connection: lying });
    expect(error).toMatchObject({ code: 'approval_mismatch', outcome: 'executed' });
    expect(scene.calls('delegation.submitSolanaApproval')).toBe(0);
  });

  it('that lost a confirmed transaction is not trusted', async () => {
    const scene = await setScene();
    const connection = broken(scene.vm.connection, { getTransaction: async () => null });
    const { error } = await scene.failing({ connection });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(scene.calls('delegation.submitSolanaApproval')).toBe(0);
  });
});

describe('a limit', () => {
  it('that is already spent when it is checked is accepted', async () => {
    const scene = await setScene();
    const { vm, mint, platformKey, tokenAccount } = scene;
    const { connection } = vm;
    let spent = false;
    const result = await scene.run({
      connection: {
        ...connection,
        async getTransaction(...call) {
          if (!spent) await vm.spend(platformKey, tokenAccount, mint, 100_500_000n);
          spent = true;
          return connection.getTransaction(...call);
        },
      },
    });
    expect(result.registration).toBe('accepted');
    expect(await scene.delegation()).toEqual({ delegate: null, amount: 0n });
  });

  it('that another approval changed in between is not registered', async () => {
    const scene = await setScene();
    const { vm, mint, keypair, address } = scene;
    const { connection } = vm;
    let changed = false;
    const { error } = await scene.failing({
      connection: {
        ...connection,
        async getTransaction(...call) {
          const other = buildSolanaApproval({
            ...ofMint(mint),
            owner: address,
            delegate: someAddress(),
            amount: 9n,
          });
          if (!changed) await vm.send(await signerOf(keypair), [toKitInstruction(other)]);
          changed = true;
          return connection.getTransaction(...call);
        },
      },
    });
    expect(error).toMatchObject({ code: 'allowance_raced', outcome: 'executed', actual: '9' });
    expect(scene.registered()).toEqual([]);
  });
});

describe('the service', () => {
  const withService = (
    scene: Scene,
    changes: Partial<SolanaDelegationOptions['client']['delegation']>,
  ): SolanaDelegationOptions['client'] => ({
    delegation: {
      getToken: (input, options) => scene.client.delegation.getToken(input, options),
      submitSolanaApproval: (proof, options) =>
        scene.client.delegation.submitSolanaApproval(proof, options),
      ...changes,
    },
    wallets: scene.client.wallets,
  });

  it.each([
    '',
    'two words',
    'line\nbreak',
  ])('whose nonce is "%s" costs no prompt', async (nonce) => {
    const scene = await setScene();
    const getToken = async () => ({ token: 'token', nonce });
    const { error } = await scene.failing({ client: withService(scene, { getToken }) });
    expect(error).toMatchObject({ code: 'nonce_not_allowed', outcome: 'not_sent' });
    expect(scene.asked).toEqual([]);
  });

  it('whose response was lost is checked before anything is sent again', async () => {
    const scene = await setScene();
    const client = withService(scene, {
      async submitSolanaApproval(proof) {
        await scene.client.delegation.submitSolanaApproval(proof);
        throw new Error('socket hang up');
      },
    });
    const result = await scene.run({ client });
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.calls('delegation.submitSolanaApproval')).toBe(1);
  });
});
