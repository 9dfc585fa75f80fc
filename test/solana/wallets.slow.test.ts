import { Transaction, type VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import type { StandardWallet } from '../../src/solana/index.js';
import { walletFromStandard } from '../../src/solana/wallets/standard.js';
import { type WalletAdapter, walletFromAdapter } from '../../src/solana/web3/index.js';
import { type Scene, setUpScene } from './support/scene.js';

/** Creates a wallet of the wallet standard. It exchanges bytes. */
function createStandardWallet(
  scene: Scene,
  without: string[] = [],
): StandardWallet & { chains: unknown[] } {
  const { address, signMessage, signTransaction } = scene.wallet;
  const account = { address };
  const chains: unknown[] = [];
  const features: Record<string, unknown> = {
    'solana:signMessage': {
      signMessage: async ({ message }: { message: Uint8Array }) => [
        { signedMessage: message, signature: await signMessage(message) },
      ],
    },
    'solana:signTransaction': {
      signTransaction: async (input: { transaction: Uint8Array; chain: string }) => {
        chains.push(input.chain);
        return [{ signedTransaction: await signTransaction(input.transaction) }];
      },
    },
    'solana:signAndSendTransaction': {
      signAndSendTransaction: async (input: { transaction: Uint8Array; chain: string }) => {
        const signed = await signTransaction(input.transaction);
        return [{ signature: bs58.decode(await scene.vm.connection.sendRawTransaction(signed)) }];
      },
    },
  };
  for (const name of without) delete features[name];
  return { accounts: [account], features, chains };
}

/** Creates a wallet of @solana/wallet-adapter. It exchanges the classes of @solana/web3.js. */
function createAdapter(scene: Scene): Required<WalletAdapter> {
  const { keypair, wallet, vm } = scene;
  return {
    publicKey: keypair.publicKey,
    signMessage: (message) => wallet.signMessage(message),
    async signTransaction<T extends Transaction | VersionedTransaction>(transaction: T) {
      if (transaction instanceof Transaction) transaction.partialSign(keypair);
      return transaction;
    },
    async sendTransaction(transaction) {
      transaction.partialSign(keypair);
      return vm.connection.sendRawTransaction(Uint8Array.from(transaction.serialize()));
    },
  };
}

describe('delegateSolana completes with', () => {
  it.each<[string, (scene: Scene) => Parameters<Scene['runDelegation']>[0]]>([
    ['a local key', ({ keypair }) => ({ wallet: keypair })],
    ['a wallet-standard wallet', (scene) => ({ wallet: createStandardWallet(scene) })],
    [
      'a wallet-standard wallet that sends transactions itself',
      (scene) => ({ wallet: createStandardWallet(scene, ['solana:signTransaction']) }),
    ],
    ['a wallet adapter', (scene) => ({ wallet: walletFromAdapter(createAdapter(scene)) })],
    [
      'a wallet adapter that only sends',
      (scene) => ({
        wallet: walletFromAdapter({ ...createAdapter(scene), signTransaction: undefined }),
      }),
    ],
  ])('%s', async (_, changes) => {
    const scene = await setUpScene();
    const result = await scene.runDelegation(changes(scene));
    expect(result).toMatchObject({ registration: 'accepted', address: scene.address });
    expect(await scene.currentDelegation()).toEqual({
      delegate: scene.delegate,
      amount: 100_500_000n,
    });
    expect(scene.vm.sentCount).toBe(1);
  });
});

describe('a wallet-standard wallet of delegateSolana', () => {
  it('receives mainnet or the given chain with each transaction', async () => {
    const scene = await setUpScene();
    const wallet = createStandardWallet(scene);
    await scene.runDelegation({ wallet });
    await scene.runDelegation({
      wallet,
      chain: 'solana:devnet',
      amount: '1',
    });
    expect(wallet.chains).toEqual(['solana:mainnet', 'solana:devnet']);
  });

  it('uses the given account, and its first account by default', () => {
    const account = { address: '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp' };
    const other = { address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' };
    const features = { 'solana:signMessage': {}, 'solana:signTransaction': {} };
    const wallet = { accounts: [account, other], features };
    expect(walletFromStandard(wallet).address).toBe(account.address);
    expect(walletFromStandard(wallet, other).address).toBe(other.address);
  });

  it.each([
    ['signed another text than the requested one', { signedMessage: new Uint8Array(10) }],
    ['returned no signature', undefined],
  ])('makes the flow fail when it %s', async (_, output) => {
    const scene = await setUpScene();
    const wallet = createStandardWallet(scene);
    const signMessage = async () => [output && { ...output, signature: new Uint8Array(64) }];
    const features = { ...wallet.features, 'solana:signMessage': { signMessage } };
    const { error } = await scene.delegateAndCatch({ wallet: { ...wallet, features } });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
  });

  it('is known to have sent nothing when it returns no signed transaction', async () => {
    const scene = await setUpScene();
    const wallet = createStandardWallet(scene);
    const features = {
      ...wallet.features,
      'solana:signTransaction': { signTransaction: async () => [] },
    };
    const { error } = await scene.delegateAndCatch({ wallet: { ...wallet, features } });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(scene.vm.sentCount).toBe(0);
  });
});

describe('a wallet adapter of delegateSolana', () => {
  it('is refused when it is not connected or cannot sign messages', async () => {
    const scene = await setUpScene();
    const whole = createAdapter(scene);
    expect(() => walletFromAdapter({ ...whole, publicKey: null })).toThrow(/not connected/);
    expect(() => walletFromAdapter({ ...whole, signMessage: undefined })).toThrow(/messages/);
  });

  it('is called with its own `this`', async () => {
    const scene = await setUpScene();
    class Adapter {
      readonly publicKey = scene.keypair.publicKey;
      readonly #signer = scene.wallet;
      signMessage(message: Uint8Array) {
        return this.#signer.signMessage(message);
      }
      async signTransaction<T extends Transaction | VersionedTransaction>(transaction: T) {
        if (transaction instanceof Transaction) transaction.partialSign(scene.keypair);
        return this.#signer ? transaction : transaction;
      }
    }
    const result = await scene.runDelegation({ wallet: walletFromAdapter(new Adapter()) });
    expect(result.registration).toBe('accepted');
  });

  it('makes the flow fail with user_rejected when the user declines', async () => {
    const scene = await setUpScene();
    const refusing: WalletAdapter = {
      ...createAdapter(scene),
      signTransaction: async () => {
        throw Object.assign(new Error('no'), {
          name: 'WalletSignTransactionError',
          error: { code: 4001, message: 'User rejected the request.' },
        });
      },
    };
    const { error } = await scene.delegateAndCatch({ wallet: walletFromAdapter(refusing) });
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
  });
});

describe('verifyEd25519', () => {
  it('returns undefined for a key that the runtime cannot import, so that the service decides', async () => {
    const { verifyEd25519 } = await import('../../src/solana/wallets/ed25519.js');
    const none = new Uint8Array(31);
    expect(await verifyEd25519(new Uint8Array(64), new Uint8Array(1), none)).toBeUndefined();
  });
});
