import { Keypair, type PublicKey, Transaction, type VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import {
  buildSolanaRevoke,
  createDelegation,
  SOLANA_CURRENCIES,
  type StandardWallet,
} from '../../../src/solana/index.js';
import { walletFromStandard } from '../../../src/solana/wallets/standard.js';
import { toWeb3Transaction, walletFromAdapter } from '../../../src/solana/web3/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { DELEGATE, OTHER } from './cluster.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

const KEYPAIR = Keypair.fromSeed(new Uint8Array(32).fill(7));

/** A wallet of the wallet standard, which exchanges bytes and signs for the account it is given. */
function standardWallet(scene: Scene, without: string[] = []) {
  const seen: { account: unknown; chain?: string }[] = [];
  const features: Record<string, unknown> = {
    'solana:signMessage': {
      signMessage: async (input: { account: unknown; message: Uint8Array }) => {
        seen.push({ account: input.account });
        const signature = await scene.wallet.signMessage(input.message);
        return [{ signedMessage: input.message, signature }];
      },
    },
    'solana:signTransaction': {
      signTransaction: async (input: {
        account: unknown;
        transaction: Uint8Array;
        chain: string;
      }) => {
        seen.push({ account: input.account, chain: input.chain });
        return [{ signedTransaction: await scene.wallet.signTransaction?.(input.transaction) }];
      },
    },
    'solana:signAndSendTransaction': {
      signAndSendTransaction: async (input: {
        account: unknown;
        transaction: Uint8Array;
        chain: string;
      }) => {
        seen.push({ account: input.account, chain: input.chain });
        const { sendTransaction } = scene.sendingWallet;
        const sent = await sendTransaction?.(input.transaction, scene.cluster.connection);
        return [{ signature: bs58.decode(sent ?? '') }];
      },
    },
  };
  for (const name of without) delete features[name];
  const wallet: StandardWallet = { accounts: [{ address: OWNER }, { address: OTHER }], features };
  return { wallet, seen };
}

/** A wallet of @solana/wallet-adapter, whose methods need it as `this`. */
class Adapter {
  publicKey: PublicKey | null = KEYPAIR.publicKey;
  readonly #scene: Scene;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  async signMessage(message: Uint8Array): Promise<Uint8Array> {
    return this.#scene.wallet.signMessage(message);
  }

  async signTransaction<T extends Transaction | VersionedTransaction>(transaction: T): Promise<T> {
    this.#scene.prompts.push('adapter');
    if (transaction instanceof Transaction) transaction.partialSign(KEYPAIR);
    return transaction;
  }

  async sendTransaction(transaction: Transaction): Promise<string> {
    const signed = await this.signTransaction(transaction);
    return this.#scene.cluster.execute(Uint8Array.from(signed.serialize()));
  }
}

describe('a delegation', () => {
  it.each<[string, (scene: Scene) => Parameters<Scene['run']>[0]]>([
    ['a local key', () => ({ wallet: KEYPAIR })],
    ['a wallet of the wallet standard', (scene) => ({ wallet: standardWallet(scene).wallet })],
    [
      'one that only sends',
      (scene) => ({ wallet: standardWallet(scene, ['solana:signTransaction']).wallet }),
    ],
    [
      'one that only signs',
      (scene) => ({ wallet: standardWallet(scene, ['solana:signAndSendTransaction']).wallet }),
    ],
    ['an adapter', (scene) => ({ wallet: walletFromAdapter(new Adapter(scene)) })],
    [
      'an adapter that only sends',
      (scene) => {
        const adapter = Object.assign(new Adapter(scene), { signTransaction: undefined });
        const sendTransaction = async (transaction: Transaction) => {
          transaction.partialSign(KEYPAIR);
          return scene.cluster.execute(Uint8Array.from(transaction.serialize()));
        };
        return { wallet: walletFromAdapter(Object.assign(adapter, { sendTransaction }) as never) };
      },
    ],
  ])('runs with %s', async (_, changes) => {
    const scene = setUpScene();
    await scene.run(changes(scene));
    expect(scene.cluster.account).toMatchObject({ delegate: DELEGATE, delegated: UNITS });
    expect(scene.cluster.sent).toHaveLength(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it.each([
    [undefined, 'solana:mainnet'],
    ['solana:devnet', 'solana:devnet'],
  ])('names the account and the chain %s to a wallet of the wallet standard', async (chain, expected) => {
    const scene = setUpScene();
    const { wallet, seen } = standardWallet(scene);
    await scene.run({ wallet, chain });
    const account = { address: OWNER };
    expect(seen).toEqual([{ account }, { account, chain: expected }]);
  });

  it.each<[string, object | undefined]>([
    ['signed another text', { signedMessage: new Uint8Array(10), signature: new Uint8Array(64) }],
    ['returned nothing', undefined],
  ])('ends when such a wallet %s', async (_, output) => {
    const scene = setUpScene();
    const { wallet } = standardWallet(scene);
    const features = {
      ...wallet.features,
      'solana:signMessage': { signMessage: async () => [output] },
    };
    const { error } = await scene.fail({ wallet: { ...wallet, features } });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(scene.cluster.sent).toEqual([]);
  });

  it('is of the account that the caller names', () => {
    const { wallet } = standardWallet(setUpScene());
    expect(walletFromStandard(wallet).address).toBe(OWNER);
    expect(walletFromStandard(wallet, wallet.accounts[1]).address).toBe(OTHER);
  });

  it('needs an adapter that is connected and signs messages', () => {
    const adapter = new Adapter(setUpScene());
    adapter.publicKey = null;
    expect(() => walletFromAdapter(adapter)).toThrow('not connected');
    const silent = { publicKey: KEYPAIR.publicKey, signMessage: undefined };
    expect(() => walletFromAdapter(silent)).toThrow('cannot sign messages');
  });

  it.each([-1, 1.5, Number.NaN])('needs no transaction that lives until %s', (height) => {
    const { mint } = SOLANA_CURRENCIES.usdc;
    const instructions = [buildSolanaRevoke({ owner: OWNER, mint })];
    const input = { feePayer: OWNER, blockhash: OTHER, instructions };
    expect(() => toWeb3Transaction({ ...input, lastValidBlockHeight: height })).toThrow(TypeError);
    expect(toWeb3Transaction({ ...input, lastValidBlockHeight: 0 }).lastValidBlockHeight).toBe(0);
  });
});

describe('the options of a delegation', () => {
  const TOKEN = { mint: OTHER, decimals: 6 };

  it.each<[string, string, object]>([
    ['amount', 'zero', { amount: '0' }],
    ['amount', 'a number', { amount: 100 }],
    ['amount', 'negative', { amount: '-1' }],
    ['amount', 'in another notation', { amount: '1e3' }],
    ['amount', 'of too many decimals', { amount: '1.0000001' }],
    ['amount', 'above the cap', { amount: '100.500001', cap: '100.5' }],
    ['cap', 'zero', { cap: '0' }],
    ['cap', 'of too many decimals', { cap: '100.5000001' }],
    ['spender', 'missing', { spender: undefined }],
    ['spender', 'the owner', { spender: OWNER }],
    ['spender', 'nobody', { spender: '1'.repeat(32) }],
    ['tokenAccount', 'not an address', { tokenAccount: 'x' }],
    ['mint', 'not an address', { token: { mint: 'x', decimals: 6 } }],
    ['decimals', 'above 255', { token: { ...TOKEN, decimals: 256 } }],
    ['decimals', 'a text', { token: { ...TOKEN, decimals: '6' } }],
    ['programAddress', 'another program', { token: { ...TOKEN, programAddress: OTHER } }],
    ['currency', 'unknown', { currency: 'eurc' }],
    ['commitment', 'processed', { commitment: 'processed' }],
    ['confirmationTimeout', 'zero', { confirmationTimeout: 0 }],
    ['domain', 'missing', { domain: undefined }],
    ['domain', 'with a path', { domain: 'app.example/pay' }],
    ['uri', 'of another page', { uri: 'https://evil.example' }],
    ['statement', 'of two lines', { statement: 'a\nb' }],
    ['unlimited', 'asked for', { unlimited: true }],
    ['wallet', 'missing', { wallet: undefined }],
    ['wallet', 'unable to approve', { wallet: { address: OWNER, signMessage() {} } }],
    ['wallet.address', 'not one', { wallet: { address: 'x', signMessage() {} } }],
    ['wallet', 'an adapter', { wallet: { publicKey: KEYPAIR.publicKey } }],
    ['wallet', 'of an EVM chain', { wallet: { request() {} } }],
    ['wallet', 'a promise', { wallet: Promise.resolve() }],
    ['wallet', 'of kit', { wallet: { address: OWNER, signTransactions() {} } }],
    ['wallet', 'empty', { wallet: {} }],
    ['node', 'a URL', { node: 'https://rpc.example' }],
    ['node', 'a promise', { node: Promise.resolve() }],
    ['node', 'of kit', { node: new Proxy({}, { get: () => () => {} }) }],
  ])('are refused before anything happens: %s is %s', async (path, _, changes) => {
    const scene = setUpScene();
    const { error } = await scene.fail(changes);
    expect(error).toMatchObject({ code: 'request_invalid', outcome: 'not_sent' });
    expect(error).toMatchObject({ issues: [{ path }] });
    expect(scene.prompts).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
    expect(scene.cluster.calls).toEqual([]);
  });

  it.each([
    ['100.5', '100.5'],
    ['100.500000', '100.6'],
  ])('the amount %s is within the cap %s', async (amount, cap) => {
    const scene = setUpScene();
    await scene.run({ amount, cap });
    expect(scene.cluster.account.delegated).toBe(UNITS);
  });

  it.each([
    [undefined, '100.5'],
    ['currency-units', '100.5'],
    ['base-units', '100500000'],
  ])('with wireAmount %s the service gets the amount %s', async (wireAmount, amount) => {
    const scene = setUpScene();
    await scene.run({ wireAmount: wireAmount as never });
    expect(scene.proofs).toMatchObject([{ amount }]);
  });
});

it.each([
  ['wireAmount', { wireAmount: 'base' }],
  ['wireAmount', { wireAmount: null }],
  ['checkFunds', { checkFunds: 'no' }],
])('an invalid %s is refused before anything is read: %j', async (path, changes) => {
  const scene = setUpScene();
  const { error } = await scene.fail(changes as never);
  expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path }] });
  expect(scene.cluster.calls).toEqual([]);
});

describe('a stored delegation', () => {
  it('runs once, and is found by wallet, mint, token account and delegate', async () => {
    const scene = setUpScene();
    const { amount: _, onProgress: __, ...options } = scene.options();
    const values = new Map<string, string>();
    const make = (more: object = {}) =>
      createDelegation({ ...options, store: memoryStore(values), ...more });
    const wallet = {
      ...scene.wallet,
      signTransaction: () => Promise.reject(new Error('User rejected the request.')),
    };
    const declined = make({ wallet }).start({ amount: '100.5', currency: 'usdc' });
    await expect(declined).rejects.toMatchObject({ code: 'user_rejected' });
    expect(await make({ spender: OTHER }).resume()).toBeUndefined();
    expect(scene.countOf('transaction')).toBe(0);
    const result = await make().resume();
    expect(result).toMatchObject({ amount: '100.5' });
    expect(scene.countOf('message')).toBe(1);
    expect(scene.cluster.account.delegated).toBe(UNITS);
  });
});
