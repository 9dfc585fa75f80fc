import { createRequire } from 'node:module';
import {
  BaseMessageSignerWalletAdapter,
  WalletDisconnectedError,
  WalletError,
  type WalletName,
  WalletNotConnectedError,
  WalletReadyState,
  WalletSendTransactionError,
  WalletSignMessageError,
  WalletSignTransactionError,
  WalletTimeoutError,
  WalletWindowClosedError,
} from '@solana/wallet-adapter-base';
import { UnsafeBurnerWalletAdapter } from '@solana/wallet-adapter-unsafe-burner';
import {
  type Connection,
  type Keypair,
  type PublicKey,
  type Transaction,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, it, vi } from 'vitest';
import type { SolanaWallet } from '../../src/solana/index.js';
import { walletFromAdapter } from '../../src/solana/web3/index.js';
import { type NodeScene, setUpNodeScene } from './support/node-scene.js';

// Its ES modules cannot be imported by Node.
const ledger: typeof import('@ledgerhq/errors') = createRequire(import.meta.url)(
  '@ledgerhq/errors',
);

/** The scene with a connected burner wallet, which holds SOL and USDC. */
async function setUpBurner() {
  const scene = await setUpNodeScene();
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const adapter = new UnsafeBurnerWalletAdapter();
  warn.mockRestore();
  await adapter.connect();
  const address = adapter.publicKey?.toBase58() ?? '';
  scene.vm.setLamports(address, 1_000_000_000n);
  await scene.vm.fund(address, scene.mint, 500_000_000n);
  return { ...scene, adapter, address };
}

/** The wallet without the method that the flow prefers. */
function withoutSigning({ address, signMessage, sendTransaction }: SolanaWallet): SolanaWallet {
  return { address, signMessage, sendTransaction };
}

/** The types of the event emitter are missing where Node resolves them. */
function onError(adapter: unknown, listener: (error: unknown) => void): void {
  (adapter as { on(event: 'error', listener: (error: unknown) => void): void }).on(
    'error',
    listener,
  );
}

/** Throws the errors of a wallet or device at one of its methods. */
type Failure = { at: 'message' | 'transaction' | 'after-sending' | 'nowhere'; error?: unknown };

/**
 * A wallet adapter on the real base class. It wraps the errors of its wallet with the classes and in
 * the way that the adapters of Phantom, Solflare and Ledger do: `new Wallet…Error(error?.message, error)`.
 */
class TestAdapter extends BaseMessageSignerWalletAdapter {
  readonly name = 'Test' as WalletName<'Test'>;
  readonly url = 'https://wallet.example';
  readonly icon = '';
  readonly readyState = WalletReadyState.Installed;
  readonly connecting = false;
  readonly supportedTransactionVersions = new Set(['legacy', 0] as const);
  isConnected = true;

  constructor(
    readonly keypair: Keypair,
    readonly scene: NodeScene,
    readonly failure: Failure = { at: 'nowhere' },
  ) {
    super();
    // An event emitter without a listener for `error` would throw it.
    onError(this, () => {});
  }

  get publicKey(): PublicKey | null {
    return this.isConnected ? this.keypair.publicKey : null;
  }

  async connect(): Promise<void> {
    this.isConnected = true;
  }

  async disconnect(): Promise<void> {
    this.isConnected = false;
  }

  override async signMessage(message: Uint8Array): Promise<Uint8Array> {
    try {
      if (this.failure.at === 'message') throw this.failure.error;
      return await this.scene.wallet.signMessage(message);
    } catch (error) {
      throw new WalletSignMessageError((error as Error | undefined)?.message, error);
    }
  }

  override async signTransaction<T extends Transaction | VersionedTransaction>(
    transaction: T,
  ): Promise<T> {
    if (!this.isConnected) throw new WalletNotConnectedError();
    try {
      if (this.failure.at === 'transaction') throw this.failure.error;
      if (transaction instanceof VersionedTransaction) transaction.sign([this.keypair]);
      else transaction.partialSign(this.keypair);
      return transaction;
    } catch (error) {
      throw new WalletSignTransactionError((error as Error | undefined)?.message, error);
    }
  }

  override async sendTransaction(
    transaction: Transaction,
    connection: Connection,
  ): Promise<string> {
    const signature = await super.sendTransaction(transaction, connection);
    if (this.failure.at === 'after-sending') throw this.failure.error;
    return signature;
  }
}

const adapterOf = (scene: NodeScene, failure?: Failure) =>
  new TestAdapter(scene.keypair, scene, failure);

/**
 * The errors that wallets and devices throw when the user declines, before an adapter wraps them.
 */
const REJECTIONS: [string, unknown][] = [
  ['Phantom', Object.assign(new Error('User rejected the request.'), { code: 4001 })],
  ['Solflare', new Error('Transaction rejected')],
  ['Backpack', new Error('Approval Denied')],
  ['a text', new Error('Transaction cancelled')],
  ['Ledger, by its status', new ledger.TransportStatusError(0x6985)],
  ['Ledger Live', new ledger.UserRefusedOnDevice()],
];

describe('the burner wallet adapter', () => {
  it('completes a delegation with at most 8 reads of the node', async () => {
    const scene = await setUpBurner();
    const result = await scene.runDelegation({ wallet: walletFromAdapter(scene.adapter) });
    expect(result).toMatchObject({ registration: 'accepted', address: scene.address });
    expect(scene.node.requests.length).toBeLessThanOrEqual(8);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('completes a delegation when it sends the approval itself', async () => {
    const scene = await setUpBurner();
    const wallet = withoutSigning(walletFromAdapter(scene.adapter));
    const result = await scene.runDelegation({ wallet });
    expect(result).toMatchObject({ registration: 'accepted', address: scene.address });
    expect(scene.vm.sentCount).toBe(1);
  });

  it('is refused while it is not connected', async () => {
    const { adapter } = await setUpBurner();
    await adapter.disconnect();
    expect(() => walletFromAdapter(adapter)).toThrow('not connected');
  });

  it('has sent nothing when it was disconnected before the approval', async () => {
    const scene = await setUpBurner();
    for (const change of [(wallet: SolanaWallet) => wallet, withoutSigning]) {
      await scene.adapter.connect();
      const address = scene.adapter.publicKey?.toBase58() ?? '';
      scene.vm.setLamports(address, 1_000_000_000n);
      await scene.vm.fund(address, scene.mint, 500_000_000n);
      const wallet = change(walletFromAdapter(scene.adapter));
      const { error, state } = await scene.delegateAndCatch({
        wallet,
        onProgress: ({ step, status }) => {
          if (step === 'message-signed' && status === 'done') void scene.adapter.disconnect();
        },
      });
      expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
      expect(state?.approval).toBeUndefined();
    }
    expect(scene.vm.sentCount).toBe(0);
  });
});

describe('an error of @solana/wallet-adapter-base', () => {
  it('has a name of its own and keeps the error of the wallet in its field `error`', () => {
    const inner = new ledger.TransportStatusError(0x6985);
    const error = new WalletSignTransactionError(inner.message, inner);
    expect(error).toBeInstanceOf(WalletError);
    expect(error).toMatchObject({ name: 'WalletSignTransactionError', error: inner });
    expect(error).not.toHaveProperty('code');
    expect(inner).toMatchObject({ name: 'TransportStatusError', statusCode: 0x6985 });
    expect(inner.message).toContain('0x6985');
  });

  it.each(REJECTIONS)('around a rejection of %s means user_rejected', async (_, error) => {
    for (const at of ['message', 'transaction'] as const) {
      for (const change of [(wallet: SolanaWallet) => wallet, withoutSigning]) {
        const scene = await setUpNodeScene();
        const wallet = change(walletFromAdapter(adapterOf(scene, { at, error })));
        const ended = await scene.delegateAndCatch({ wallet });
        expect(ended.error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
        expect(ended.state?.approval).toBeUndefined();
        expect(scene.vm.sentCount).toBe(0);
      }
    }
  });

  it('whose window is closed before it has signed means user_rejected', async () => {
    const scene = await setUpNodeScene();
    const error = new WalletWindowClosedError();
    const ended = await scene.delegateAndCatch({
      wallet: walletFromAdapter(adapterOf(scene, { at: 'transaction', error })),
    });
    expect(ended.error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
    expect(ended.state?.approval).toBeUndefined();
  });

  it.each([
    new WalletDisconnectedError(),
    new WalletTimeoutError(),
    new WalletWindowClosedError(),
    new WalletSendTransactionError('the response was lost', new Error('Load failed')),
  ])('%o after the wallet sent is not taken for a refusal', async (error) => {
    const scene = await setUpNodeScene();
    const adapter = adapterOf(scene, { at: 'after-sending', error });
    const wallet = withoutSigning(walletFromAdapter(adapter));
    const ended = await scene.delegateAndCatch({ wallet });
    expect(ended.error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    const result = await scene.runDelegation({ resume: ended.state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it.each([
    new ledger.LockedDeviceError('Ledger device: Locked device (0x5515)'),
    new ledger.DisconnectedDevice(),
    new ledger.TransportStatusError(0x6a81),
  ])('around %o of a device means that nothing was signed or sent', async (error) => {
    for (const change of [(wallet: SolanaWallet) => wallet, withoutSigning]) {
      const scene = await setUpNodeScene();
      const wallet = change(walletFromAdapter(adapterOf(scene, { at: 'transaction', error })));
      const ended = await scene.delegateAndCatch({ wallet });
      expect(ended.error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
      expect(ended.state?.approval).toBeUndefined();
      const result = await scene.runDelegation({ resume: ended.state });
      expect(result.registration).toBe('accepted');
      expect(scene.vm.sentCount).toBe(1);
    }
  });

  it('around a refused simulation has its own code, and nothing was sent', async () => {
    const scene = await setUpNodeScene();
    const adapter = adapterOf(scene);
    const sent: unknown[] = [];
    onError(adapter, (error) => sent.push(error));
    scene.vm.setLamports(scene.address, 0n);
    const wallet = withoutSigning(walletFromAdapter(adapter));
    const { error, state } = await scene.delegateAndCatch({ wallet, checkFunds: false });
    expect(sent[0]).toBeInstanceOf(WalletSendTransactionError);
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
  });
});
