import { decodeBase58 } from '../../../contract/formats/base58.js';
import { MockWalletError, type Prompts, type Work } from '../prompts.js';
import type { MockSolanaChain } from './chain.js';
import type { SolanaKey } from './ed25519.js';

/** An account of the wallet standard. */
export type MockStandardAccount = {
  readonly address: string;
  readonly publicKey: Uint8Array;
  readonly chains: readonly string[];
  readonly features: readonly string[];
};

type WalletSettings = {
  readonly key: SolanaKey;
  readonly chain: MockSolanaChain;
  readonly prompts: Prompts;
  readonly work: Work;
  readonly isConnected: boolean;
};
type TransactionInput = { transaction: Uint8Array };
type ConnectInput = { silent?: boolean | undefined };
type MessageInput = { message: Uint8Array };
type Change = (properties: { accounts: readonly MockStandardAccount[] }) => void;

const CHAINS = ['solana:mainnet'];
const ICON = 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=';
const NOT_CONNECTED = 4100;

/** A wallet of the wallet standard for Solana whose key belongs to the test. */
export class MockStandardWallet {
  /** The version of the wallet standard. */
  readonly version = '1.0.0';
  /** The name that a page shows. */
  readonly name = 'Mock wallet';
  /** An empty picture. */
  readonly icon = ICON;
  /** The chains of the wallet standard. */
  readonly chains: readonly string[] = CHAINS;
  /** The wallet's address, whether or not a page is connected. */
  readonly address: string;
  /** The features that a page can call, by their names in the wallet standard. */
  readonly features: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly #settings: WalletSettings;
  readonly #listeners = new Set<Change>();
  #isConnected: boolean;

  /** @internal */
  constructor(settings: WalletSettings) {
    this.#settings = settings;
    this.#isConnected = settings.isConnected;
    this.address = settings.key.address;
    this.features = this.#createFeatures();
  }

  /** The connected account; none before the page has connected. */
  get accounts(): readonly MockStandardAccount[] {
    return this.#isConnected ? [this.#account()] : [];
  }

  #account(): MockStandardAccount {
    const { address, publicKey } = this.#settings.key;
    return { address, publicKey, chains: CHAINS, features: Object.keys(this.features) };
  }

  #createFeatures() {
    const { key, chain, prompts, work } = this.#settings;
    const version = '1.0.0';
    const supportedTransactionVersions = ['legacy', 0];
    const each = <Input, Output>(one: (input: Input) => Promise<Output>) => {
      return (...inputs: Input[]): Promise<Output[]> =>
        work.run(async () => {
          this.#requireConnected();
          const outputs: Output[] = [];
          for (const input of inputs) outputs.push(await one(input));
          return outputs;
        });
    };
    const signMessage = each(async ({ message }: MessageInput) => {
      await prompts.ask('sign-message', new TextDecoder().decode(message));
      return { signedMessage: message, signature: await key.sign(message) };
    });
    const signTransaction = each(async ({ transaction }: TransactionInput) => {
      await prompts.ask('sign-transaction');
      return { signedTransaction: await this.#sign(transaction) };
    });
    const signAndSendTransaction = each(async ({ transaction }: TransactionInput) => {
      await prompts.ask('send-transaction');
      const sent = await chain.sendRawTransaction(await this.#sign(transaction));
      return { signature: decodeBase58(sent) ?? new Uint8Array() };
    });
    return {
      'standard:connect': {
        version,
        connect: (input?: ConnectInput) => work.run(() => this.#connect(input)),
      },
      'standard:disconnect': { version, disconnect: async () => this.#setConnected(false) },
      'standard:events': { version, on: (_: 'change', listener: Change) => this.#on(listener) },
      'solana:signMessage': { version, signMessage },
      'solana:signTransaction': { version, supportedTransactionVersions, signTransaction },
      'solana:signAndSendTransaction': {
        version,
        supportedTransactionVersions,
        signAndSendTransaction,
      },
    };
  }

  async #connect({ silent = false }: ConnectInput = {}): Promise<{
    accounts: readonly MockStandardAccount[];
  }> {
    // The wallet standard: no prompt, and only the accounts that the page may see already.
    if (!this.#isConnected && !silent) {
      await this.#settings.prompts.ask('connect');
      this.#setConnected(true);
    }
    return { accounts: this.accounts };
  }

  #setConnected(isConnected: boolean): void {
    this.#isConnected = isConnected;
    for (const listener of this.#listeners) listener({ accounts: this.accounts });
  }

  #on(listener: Change): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Signs as the first signer, who pays the fee. */
  async #sign(transaction: Uint8Array): Promise<Uint8Array> {
    const signed = transaction.slice();
    const message = transaction.subarray(1 + 64 * (transaction[0] ?? 0));
    signed.set(await this.#settings.key.sign(message), 1);
    return signed;
  }

  #requireConnected(): void {
    if (this.#isConnected) return;
    throw new MockWalletError(NOT_CONNECTED, 'The wallet is not connected.');
  }
}
