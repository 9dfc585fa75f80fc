import { SendTransactionError } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import {
  buildSolanaApproval,
  type SolanaConnection,
  type SolanaDelegationOptions,
} from '../../src/solana/index.js';
import { toKitInstruction } from '../../src/solana/kit/index.js';
import { walletFromKeypair } from '../../src/solana/wallets/keypair.js';
import { signerOf } from '../chain/local-vm.js';
import { mintOptions, type Scene, setUpScene, someAddress } from './support/scene.js';
import { shortSignature } from './support/short-signature.js';

const NODE_WITH_KEY = 'https://rpc.example/secret-node-key';
const OTHER_MINT = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';

describe('delegateSolana when the user declines a prompt', () => {
  it.each([
    ['signMessage', ['message']],
    ['signTransaction', ['message', 'transaction']],
  ] as const)('fails with user_rejected after one prompt of %s, and can be resumed', async (method, prompts) => {
    const scene = await setUpScene();
    const { wallet } = scene;
    const decliningWallet = {
      ...wallet,
      async [method](bytes: Uint8Array) {
        await wallet[method](bytes);
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
      },
    };
    const { error, state } = await scene.delegateAndCatch({ wallet: decliningWallet });
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
    expect(scene.prompts).toEqual(prompts);
    expect(state?.approval).toBeUndefined();
    expect(scene.vm.sentCount).toBe(0);
    const result = await scene.runDelegation({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });
});

describe('an unusable mint or token account', () => {
  const withToken = (
    token: NonNullable<SolanaDelegationOptions['token']>,
  ): Partial<SolanaDelegationOptions> => ({ token });

  it('is refused by delegateSolana before the wallet is prompted', async () => {
    const scene = await setUpScene();
    const { vm, mint, address } = scene;
    const { address: mintAddress } = mint;
    const other = await vm.newMint();
    const stranger = vm.newWallet().publicKey.toBase58();
    const accountOfStranger = await vm.fund(stranger, mint, 1n);
    const accountOfOtherMint = await vm.fund(address, other, 1n);
    const foreign = await vm.newMint();
    vm.giveTo('11111111111111111111111111111111', foreign.address); // the system program
    const programAddress = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
    const cases: [string, Partial<SolanaDelegationOptions>][] = [
      ['mint_not_found', withToken({ mint: someAddress(), decimals: 6 })],
      ['mint_not_found', withToken({ mint: scene.tokenAccount, decimals: 6 })],
      ['wrong_decimals', withToken({ mint: mintAddress, decimals: 9 })],
      ['wrong_program', withToken({ mint: mintAddress, decimals: 6, programAddress })],
      ['wrong_program', withToken({ mint: foreign.address, decimals: 6 })],
      ['not_found', withToken({ mint: (await vm.newMint()).address, decimals: 6 })],
      ['not_found', { tokenAccount: mintAddress }],
      ['wrong_owner', { tokenAccount: accountOfStranger }],
      ['wrong_mint', { tokenAccount: accountOfOtherMint }],
    ];
    for (const [reason, changes] of cases) {
      const { error } = await scene.delegateAndCatch(changes);
      expect(error).toMatchObject({ code: 'token_account_unusable', reason, outcome: 'not_sent' });
    }
    await vm.freeze(scene.tokenAccount, mint);
    const { error } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ reason: 'frozen' });
    expect(scene.prompts).toEqual([]);
  });
});

describe('invalid input', () => {
  it.each<[string, Partial<SolanaDelegationOptions>]>([
    ['amount', { amount: '0' }],
    ['amount', { amount: '-1' }],
    ['amount', { amount: '0.0000001' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '101', cap: '100' }],
    ['cap', { cap: 'everything' }],
    ['currency', { currency: 'usdx', token: undefined }],
    ['spender', { spender: 'nobody' }],
    ['spender', { spender: '1'.repeat(32) }],
    ['tokenAccount', { tokenAccount: 'z'.repeat(44) }],
    ['domain', { domain: undefined }],
    ['domain', { domain: 'two words' }],
    ['uri', { uri: 'nowhere' }],
    ['statement', { statement: 'one\ntwo' }],
    ['mint', { token: { mint: 'z'.repeat(44), decimals: 6 } }],
    ['decimals', { amount: '1', token: { mint: OTHER_MINT, decimals: 256 } }],
    // A fork can undo what is only processed.
    ['commitment', { commitment: 'processed' as never }],
    ['commitment', { commitment: null as never }],
  ])('for the option %s of delegateSolana is refused before anything happens: %o', async (path, changes) => {
    const scene = await setUpScene();
    const { error } = await scene.delegateAndCatch(changes);
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path }] });
    expect(scene.prompts).toEqual([]);
    expect(scene.mock.requests).toHaveLength(0);
  });

  it('for the option wallet is refused, such as a wallet that cannot sign transactions', async () => {
    const scene = await setUpScene();
    const { address, signMessage } = scene.wallet;
    const readOnly = { address, signMessage };
    for (const wallet of [readOnly, { publicKey: scene.keypair.publicKey } as never]) {
      const { error } = await scene.delegateAndCatch({ wallet });
      expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'wallet' }] });
    }
  });
});

describe('a Solana wallet signature', () => {
  it('by another account is refused before anything is sent', async () => {
    const scene = await setUpScene();
    const other = walletFromKeypair(scene.vm.newWallet());
    const wrongMessage = { ...scene.wallet, signMessage: other.signMessage };
    expect((await scene.delegateAndCatch({ wallet: wrongMessage })).error).toMatchObject({
      code: 'signer_mismatch',
    });
    const wrongTransaction = { ...scene.wallet, signTransaction: other.signTransaction };
    expect((await scene.delegateAndCatch({ wallet: wrongTransaction })).error).toMatchObject({
      code: 'signer_mismatch',
      outcome: 'not_sent',
    });
    expect(scene.vm.sentCount).toBe(0);
  });

  it('of the wrong length is refused', async () => {
    const scene = await setUpScene();
    const signMessage = async () => new Uint8Array(65);
    const { error } = await scene.delegateAndCatch({ wallet: { ...scene.wallet, signMessage } });
    expect(error).toMatchObject({ code: 'unsupported_signature' });
  });

  it('of 86 characters is requested again with another time or another blockhash', async () => {
    const scene = await setUpScene();
    const { wallet, keypair } = scene;
    const texts: string[] = [];
    const blockhashes: string[] = [];
    const shortSigningWallet = {
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
        // On a real chain, time passes before the user signs again.
        scene.vm.advanceBlocks(1);
        return signed;
      },
    };
    const result = await scene.runDelegation({ wallet: shortSigningWallet });
    expect(result.registration).toBe('accepted');
    expect(new Set(texts).size).toBe(2);
    expect(new Set(blockhashes).size).toBe(2);
    expect(scene.vm.sentCount).toBe(1);
    expect(result.transactionId).toMatch(/^\w{87,88}$/);
  });

  it('that always has 86 characters makes the flow fail before it sends anything', async () => {
    const scene = await setUpScene();
    const { wallet, keypair } = scene;
    const sign = async (message: Uint8Array) => shortSignature(keypair.secretKey, message);
    const message = await scene.delegateAndCatch({ wallet: { ...wallet, signMessage: sign } });
    expect(message.error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    const signTransaction = async (transaction: Uint8Array) => {
      const signed = transaction.slice();
      signed.set(await sign(transaction.subarray(65)), 1);
      return signed;
    };
    const { error, state } = await scene.delegateAndCatch({
      wallet: { ...wallet, signTransaction },
    });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    expect(scene.vm.sentCount).toBe(0);
  });
});

describe('delegateSolana with a faulty node', () => {
  const withFault = (
    connection: SolanaConnection,
    changes: Partial<SolanaConnection>,
  ): SolanaConnection => ({ ...connection, ...changes });

  it.each([
    'getAccountInfo',
    'getLatestBlockhash',
  ] as const)('sends nothing when %s fails, reports no API key of the node and can be resumed', async (method) => {
    const scene = await setUpScene();
    const connection = withFault(scene.vm.connection, {
      [method]: async () => {
        throw new Error(`fetch ${NODE_WITH_KEY} failed`);
      },
    });
    const { error, state } = await scene.delegateAndCatch({ node: connection });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(JSON.stringify(error)).not.toContain('secret-node-key');
    expect(String((error as Error).cause)).not.toContain('secret-node-key');
    expect(state?.approval).toBeUndefined();
    expect((await scene.runDelegation({ resume: state })).registration).toBe('accepted');
  });

  it('reports a transaction that the node refused after a simulation, and can be resumed', async () => {
    const scene = await setUpScene();
    const connection = withFault(scene.vm.connection, {
      sendRawTransaction: async () => {
        throw new SendTransactionError({
          action: 'simulate',
          signature: '',
          transactionMessage: `Transaction simulation failed: custom error at ${NODE_WITH_KEY}`,
          logs: [],
        });
      },
    });
    const { error, state } = await scene.delegateAndCatch({ node: connection });
    expect(error).toMatchObject({ code: 'transaction_refused', outcome: 'rejected' });
    expect(state?.approval).toBeUndefined();
    expect((await scene.runDelegation({ resume: state })).registration).toBe('accepted');
  });

  it('succeeds when the node responds that it already has the transaction', async () => {
    const scene = await setUpScene();
    const { connection } = scene.vm;
    const sendingTwice = withFault(connection, {
      async sendRawTransaction(bytes) {
        await connection.sendRawTransaction(bytes);
        return connection.sendRawTransaction(bytes);
      },
    });
    const result = await scene.runDelegation({ node: sendingTwice });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('sends the same signed transaction again when the node loses it', async () => {
    const scene = await setUpScene();
    const { connection } = scene.vm;
    const sent: string[] = [];
    const losing = withFault(connection, {
      async sendRawTransaction(bytes) {
        sent.push(bytes.join());
        if (sent.length === 1) throw new Error('socket hang up');
        if (sent.length === 2) return 'lost again';
        return connection.sendRawTransaction(bytes);
      },
    });
    const result = await scene.runDelegation({ node: losing });
    expect(result.registration).toBe('accepted');
    expect(new Set(sent).size).toBe(1);
    expect(sent).toHaveLength(3);
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });

  it('fails with transaction_reverted when the node reports that the transaction failed', async () => {
    const scene = await setUpScene();
    const connection = withFault(scene.vm.connection, {
      getSignatureStatuses: async () => ({
        value: [{ err: { InstructionError: [0, 'x'] }, confirmationStatus: 'confirmed' as const }],
      }),
    });
    const { error, state } = await scene.delegateAndCatch({ node: connection });
    expect(error).toMatchObject({ code: 'transaction_reverted', outcome: 'rejected' });
    expect(state?.approval).toBeUndefined();
  });

  it('checks the status until the timeout when the node does not confirm the transaction', async () => {
    const scene = await setUpScene();
    const { connection } = scene.vm;
    const unconfirmed = withFault(connection, {
      getSignatureStatuses: async () => ({
        value: [{ err: null, confirmationStatus: 'processed' as const }],
      }),
    });
    const { error, state } = await scene.delegateAndCatch({ node: unconfirmed });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    const confirmed = await scene.delegateAndCatch({ commitment: 'finalized', resume: state });
    expect(confirmed.error).toMatchObject({ code: 'confirmation_timeout' });
    const result = await scene.runDelegation({ resume: confirmed.state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('does not register an approval when the node returns another transaction', async () => {
    const scene = await setUpScene();
    const { vm } = scene;
    const other = await setUpScene();
    await other.runDelegation();
    const foreign = other.vm.getExecuted(
      String(other.progress.at(-1)?.state.approval?.transactionId),
    );
    const returningForeign = withFault(vm.connection, {
      getTransaction: async () => foreign ?? null,
    });
    const { error } = await scene.delegateAndCatch({ node: returningForeign });
    expect(error).toMatchObject({ code: 'approval_mismatch', outcome: 'executed' });
    expect(scene.requestCount('delegation.submitSolanaApproval')).toBe(0);
  });

  it('does not register an approval when the node no longer has the confirmed transaction', async () => {
    const scene = await setUpScene();
    const connection = withFault(scene.vm.connection, { getTransaction: async () => null });
    const { error } = await scene.delegateAndCatch({ node: connection });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(scene.requestCount('delegation.submitSolanaApproval')).toBe(0);
  });
});

describe('a Solana spending limit', () => {
  it('is registered even if it was fully spent before it was checked', async () => {
    const scene = await setUpScene();
    const { vm, mint, platformKey, tokenAccount } = scene;
    const { connection } = vm;
    let isSpent = false;
    const result = await scene.runDelegation({
      node: {
        ...connection,
        async getTransaction(...call) {
          if (!isSpent) await vm.spend(platformKey, tokenAccount, mint, 100_500_000n);
          isSpent = true;
          return connection.getTransaction(...call);
        },
      },
    });
    expect(result.registration).toBe('accepted');
    expect(await scene.currentDelegation()).toEqual({ delegate: null, amount: 0n });
  });

  it('is not registered when another approval changed it before it was checked', async () => {
    const scene = await setUpScene();
    const { vm, mint, keypair, address } = scene;
    const { connection } = vm;
    let isChanged = false;
    const { error } = await scene.delegateAndCatch({
      node: {
        ...connection,
        async getTransaction(...call) {
          const other = buildSolanaApproval({
            ...mintOptions(mint),
            owner: address,
            spender: someAddress(),
            amount: 9n,
          });
          if (!isChanged) await vm.send(await signerOf(keypair), [toKitInstruction(other)]);
          isChanged = true;
          return connection.getTransaction(...call);
        },
      },
    });
    expect(error).toMatchObject({ code: 'allowance_raced', outcome: 'executed', actual: '9' });
    expect(scene.registeredWallets()).toEqual([]);
  });
});

describe('delegateSolana with a faulty service', () => {
  const clientWith = (
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
  ])('fails before it prompts the wallet when the nonce of the token is %j', async (nonce) => {
    const scene = await setUpScene();
    const getToken = async () => ({ token: 'token', nonce });
    const { error } = await scene.delegateAndCatch({ client: clientWith(scene, { getToken }) });
    expect(error).toMatchObject({ code: 'nonce_not_allowed', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });

  it('checks the list of wallets instead of sending the proof again when the response was lost', async () => {
    const scene = await setUpScene();
    const client = clientWith(scene, {
      async submitSolanaApproval(proof) {
        await scene.client.delegation.submitSolanaApproval(proof);
        throw new Error('socket hang up');
      },
    });
    const result = await scene.runDelegation({ client });
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.requestCount('delegation.submitSolanaApproval')).toBe(1);
  });
});
