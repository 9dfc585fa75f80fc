import { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import type {
  AddressObject,
  ExecutedTransaction,
  SolanaAccountInfo,
  SolanaCommitment,
  SolanaConnection,
} from '../../../src/solana/index.js';

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
/** USDC of the main network. */
export const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const DELEGATE = '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp';
export const OTHER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
/** How many blocks a blockhash lives. */
const LIFETIME = 150;

type Instruction = { program: string; accounts: string[]; data: number[] };

/** A transaction that the cluster has executed, or failed to. */
export type ScriptedTransaction = {
  signature: string;
  err: unknown;
  status: SolanaCommitment;
  instructions: Instruction[];
  /** Addresses that only a lookup table names, as a versioned transaction does. */
  looked?: string[];
};

const address = (text: string): AddressObject => ({ toBase58: () => text });
const littleEndian = (value: bigint) =>
  Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(index * 8)) & 255n));
const fromLittleEndian = (bytes: number[]) =>
  bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** The data of an `ApproveChecked`, written out. */
export function approveData(units: bigint, decimals = 6): number[] {
  return [13, ...littleEndian(units), decimals];
}

/** A cluster that only a test changes, with a connection that answers from it. It has no timers. */
export class ScriptedCluster {
  height = 5_000;
  slot = 6_000;
  blockhash = OTHER;
  program = TOKEN_PROGRAM;
  decimals = 6;
  lamports = 10_000_000;
  /** The program that the account of the wallet belongs to. */
  walletProgram = SYSTEM_PROGRAM;
  /** The token account. */
  account = {
    exists: true,
    address: '',
    owner: '',
    mint: MINT,
    delegate: undefined as string | undefined,
    delegated: 0n,
    balance: 500_000_000n,
    state: 1,
  };
  /** The account of the delegate, which need not exist. */
  delegateAccount: SolanaAccountInfo | null = null;
  /** Newest first. */
  transactions: ScriptedTransaction[] = [];
  /** Whether a sent transaction is executed, and with which status. */
  lands: SolanaCommitment | undefined = 'confirmed';
  /** Changes what a sent transaction executes. */
  tamper: (one: ScriptedTransaction) => ScriptedTransaction = (one) => one;
  /** How many transactions the history keeps. */
  kept = Number.POSITIVE_INFINITY;
  sent: Uint8Array[] = [];
  readonly calls: { method: string; params: readonly unknown[] }[] = [];

  /** A connection with every method that a `Connection` of web3.js has. */
  readonly connection: Required<SolanaConnection> = {
    getAccountInfo: async (one) => this.#note('getAccountInfo', this.#account(one.toBase58()), one),
    getMultipleAccountsInfo: async (list) =>
      this.#note(
        'getMultipleAccountsInfo',
        list.map((one) => this.#account(one.toBase58())),
        list.map((one) => one.toBase58()),
      ),
    getLatestBlockhash: async (commitment) =>
      this.#note(
        'getLatestBlockhash',
        { blockhash: this.blockhash, lastValidBlockHeight: this.height + LIFETIME },
        commitment,
      ),
    getBlockHeight: async (commitment) => this.#note('getBlockHeight', this.height, commitment),
    getEpochInfo: async (commitment) =>
      this.#note('getEpochInfo', { absoluteSlot: this.slot, blockHeight: this.height }, commitment),
    getSignatureStatuses: async (signatures, config) =>
      this.#note(
        'getSignatureStatuses',
        {
          context: { slot: this.slot },
          value: signatures.map((signature) => {
            const found = this.find(signature);
            return found === undefined
              ? null
              : { err: found.err, confirmationStatus: found.status };
          }),
        },
        config,
      ),
    getTransaction: async (signature, config) =>
      this.#note('getTransaction', this.#executed(signature), config),
    getSignaturesForAddress: async (_, { limit, ...config }, commitment) =>
      this.#note(
        'getSignaturesForAddress',
        this.transactions
          .slice(0, Math.min(limit, this.kept))
          .map(({ signature, err }) => ({ signature, err })),
        { limit, ...config },
        commitment,
      ),
    sendRawTransaction: async (bytes, options) => {
      this.#note('sendRawTransaction', undefined, options);
      return this.execute(bytes);
    },
    simulateTransaction: async () => ({ value: { err: null, logs: [] } }),
  };

  countOf(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  find(signature: string): ScriptedTransaction | undefined {
    return this.transactions.find((one) => one.signature === signature);
  }

  /** Adds an earlier or a foreign transaction of the token account. */
  add(number: number, instructions: Instruction[] = []): string {
    const signature = bs58.encode(
      Uint8Array.from({ length: 64 }, (_, i) =>
        i === 0 ? 200 + (number % 50) : i === 1 ? Math.floor(number / 50) : i,
      ),
    );
    this.transactions.unshift({ signature, err: null, status: 'finalized', instructions });
    return signature;
  }

  /** Executes a signed transaction, if the cluster takes it. Returns its signature. */
  execute(bytes: Uint8Array): string {
    const { signatures, message } = VersionedTransaction.deserialize(bytes);
    const signature = bs58.encode(signatures[0] ?? new Uint8Array(64));
    this.sent.push(bytes);
    if (this.lands === undefined || this.find(signature) !== undefined) return signature;
    const keys = message.staticAccountKeys.map((key) => key.toBase58());
    const one = this.tamper({
      signature,
      err: null,
      status: this.lands,
      instructions: message.compiledInstructions.map(
        ({ programIdIndex, accountKeyIndexes, data }) => ({
          program: keys[programIdIndex] ?? '',
          accounts: accountKeyIndexes.map((index) => keys[index] ?? ''),
          data: [...data],
        }),
      ),
    });
    this.transactions.unshift(one);
    if (one.err === null) for (const each of one.instructions) this.#apply(each);
    return signature;
  }

  #apply({ program, accounts, data }: Instruction): void {
    if (program !== this.program || accounts[0] !== this.account.address) return;
    if (data[0] === 13) {
      this.account.delegate = accounts[2];
      this.account.delegated = fromLittleEndian(data.slice(1, 9));
    }
    if (data[0] === 5) {
      this.account.delegate = undefined;
      this.account.delegated = 0n;
    }
  }

  #note<T>(method: string, result: T, ...params: unknown[]): T {
    this.calls.push({ method, params });
    return result;
  }

  #executed(signature: string): ExecutedTransaction | null {
    const found = this.find(signature);
    if (found === undefined) return null;
    const { err, instructions, looked = [] } = found;
    const names = instructions.flatMap(({ program, accounts }) => [program, ...accounts]);
    const fixed = [...new Set(names)].filter((name) => !looked.includes(name));
    const keys = [...fixed, ...looked];
    // A table's writable addresses come first, then those that are only read.
    const [writable, readonly] = [looked.slice(0, 1), looked.slice(1)];
    return {
      transaction: {
        message: {
          staticAccountKeys: fixed.map(address),
          compiledInstructions: instructions.map(({ program, accounts, data }) => ({
            programIdIndex: keys.indexOf(program),
            accountKeyIndexes: accounts.map((name) => keys.indexOf(name)),
            data: Uint8Array.from(data),
          })),
        },
      },
      meta: {
        err,
        loadedAddresses: { writable: writable.map(address), readonly: readonly.map(address) },
      },
    };
  }

  #account(name: string): SolanaAccountInfo | null {
    if (name === MINT) {
      const data = new Uint8Array(82);
      data.set([this.decimals, 1], 44);
      return { data, owner: address(this.program) };
    }
    if (name === DELEGATE) return this.delegateAccount;
    const { account } = this;
    if (name === account.owner && name !== account.address) {
      return {
        data: new Uint8Array(),
        owner: address(this.walletProgram),
        lamports: this.lamports,
      };
    }
    if (name !== account.address || !account.exists) return null;
    const data = new Uint8Array(165);
    data.set(bs58.decode(account.mint), 0);
    data.set(bs58.decode(account.owner), 32);
    data.set(littleEndian(account.balance), 64);
    if (account.delegate !== undefined) {
      data[72] = 1;
      data.set(bs58.decode(account.delegate), 76);
    }
    data[108] = account.state;
    data.set(littleEndian(account.delegated), 121);
    return { data, owner: address(this.program) };
  }
}
