import { Transaction, type VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import type { StandardWallet } from '../../src/solana/index.js';
import { walletFromStandard } from '../../src/solana/wallets/standard.js';
import { type WalletAdapter, walletFromAdapter } from '../../src/solana/web3/index.js';
import { type Scene, setScene } from './support/scene.js';

/** A wallet that announces itself by the wallet standard: it speaks bytes. */
function standardWallet(
  scene: Scene,
  without: string[] = [],
): StandardWallet & { told: unknown[] } {
  const { address, signMessage, signTransaction } = scene.wallet;
  const account = { address };
  const told: unknown[] = [];
  const features: Record<string, unknown> = {
    'solana:signMessage': {
      signMessage: async ({ message }: { message: Uint8Array }) => [
        { signedMessage: message, signature: await signMessage(message) },
      ],
    },
    'solana:signTransaction': {
      signTransaction: async (input: { transaction: Uint8Array; chain: string }) => {
        told.push(input.chain);
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
  return { accounts: [account], features, told };
}

/** A wallet of @solana/wallet-adapter: it speaks the classes of @solana/web3.js. */
function adapter(scene: Scene): Required<WalletAdapter> {
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

describe('the whole flow with', () => {
  it.each<[string, (scene: Scene) => Parameters<Scene['run']>[0]]>([
    ['a local key', ({ keypair }) => ({ wallet: keypair })],
    ['a wallet-standard wallet', (scene) => ({ wallet: standardWallet(scene) })],
    [
      'a wallet-standard wallet that sends by itself',
      (scene) => ({ wallet: standardWallet(scene, ['solana:signTransaction']) }),
    ],
    ['a wallet adapter', (scene) => ({ wallet: walletFromAdapter(adapter(scene)) })],
    [
      'a wallet adapter that only sends',
      (scene) => ({
        wallet: walletFromAdapter({ ...adapter(scene), signTransaction: undefined }),
      }),
    ],
  ])('%s', async (_, changes) => {
    const scene = await setScene();
    const result = await scene.run(changes(scene));
    expect(result).toMatchObject({ registration: 'accepted', address: scene.address });
    expect(await scene.delegation()).toEqual({ delegate: scene.delegate, amount: 100_500_000n });
    expect(scene.vm.sentCount).toBe(1);
  });
});

describe('a wallet-standard wallet', () => {
  it('gets mainnet, or the given chain', async () => {
    const scene = await setScene();
    const wallet = standardWallet(scene);
    await scene.run({ wallet });
    await scene.run({
      wallet,
      chain: 'solana:devnet',
      amount: '1',
    });
    expect(wallet.told).toEqual(['solana:mainnet', 'solana:devnet']);
  });

  it('delegates from the given account', () => {
    const account = { address: '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp' };
    const other = { address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' };
    const features = { 'solana:signMessage': {}, 'solana:signTransaction': {} };
    const wallet = { accounts: [account, other], features };
    expect(walletFromStandard(wallet).address).toBe(account.address);
    expect(walletFromStandard(wallet, other).address).toBe(other.address);
  });

  it.each([
    ['signs another text than it was given', { signedMessage: new Uint8Array(10) }],
    ['gives no answer', undefined],
  ])('that %s is not trusted', async (_, answer) => {
    const scene = await setScene();
    const wallet = standardWallet(scene);
    const signMessage = async () => [answer && { ...answer, signature: new Uint8Array(64) }];
    const features = { ...wallet.features, 'solana:signMessage': { signMessage } };
    const { error } = await scene.failing({ wallet: { ...wallet, features } });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
  });

  it('that returns nothing for the approval may have sent nothing', async () => {
    const scene = await setScene();
    const wallet = standardWallet(scene);
    const features = {
      ...wallet.features,
      'solana:signTransaction': { signTransaction: async () => [] },
    };
    const { error } = await scene.failing({ wallet: { ...wallet, features } });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(scene.vm.sentCount).toBe(0);
  });
});

describe('a wallet adapter', () => {
  it('must be connected and able to sign messages', async () => {
    const scene = await setScene();
    const whole = adapter(scene);
    expect(() => walletFromAdapter({ ...whole, publicKey: null })).toThrow(/not connected/);
    expect(() => walletFromAdapter({ ...whole, signMessage: undefined })).toThrow(/messages/);
  });

  it('keeps its own `this`', async () => {
    const scene = await setScene();
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
    const result = await scene.run({ wallet: walletFromAdapter(new Adapter()) });
    expect(result.registration).toBe('accepted');
  });

  it('that declines ends the flow as declined', async () => {
    const scene = await setScene();
    const refusing: WalletAdapter = {
      ...adapter(scene),
      signTransaction: async () => {
        throw Object.assign(new Error('no'), {
          name: 'WalletSignTransactionError',
          error: { code: 4001, message: 'User rejected the request.' },
        });
      },
    };
    const { error } = await scene.failing({ wallet: walletFromAdapter(refusing) });
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
  });
});

describe('a runtime without ed25519', () => {
  it('leaves the check of a signature to the service', async () => {
    const { verifyEd25519 } = await import('../../src/solana/wallets/ed25519.js');
    const none = new Uint8Array(31);
    expect(await verifyEd25519(new Uint8Array(64), new Uint8Array(1), none)).toBeUndefined();
  });
});
