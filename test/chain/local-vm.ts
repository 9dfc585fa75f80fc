import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromBytes,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  setTransactionMessageFeePayerSigner,
  signature,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  AddressLookupTableAccount,
  Keypair,
  SendTransactionError,
  VersionedMessage,
} from '@solana/web3.js';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getFreezeAccountInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import bs58 from 'bs58';
import { FailedTransactionMetadata, LiteSVM } from 'litesvm';
import {
  type AddressObject,
  associatedTokenAccount,
  type ExecutedTransaction,
  type SolanaConnection,
  TOKEN_PROGRAM,
} from '../../src/solana/index.js';
import { describeFailure } from './solana-transaction-errors.js';

const BLOCKHASH_LIFETIME_IN_BLOCKS = 150;
const LOOKUP_TABLE_HEADER = 56;
const MINT_SIZE = 82;
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const SOL = 1_000_000_000n;

/** A mint of the VM. */
export type LocalMint = { address: string; decimals: number; programAddress: string };

/** A transaction that the VM has executed, in the form in which a node stores it. */
export type ExecutedOnVm = {
  signature: string;
  slot: number;
  /** Seconds since 1970. */
  blockTime: number;
  err: unknown;
  /** The signed part, in the wire format. */
  message: Uint8Array;
  /** The accounts that it names through lookup tables. */
  loadedAddresses: { writable: string[]; readonly: string[] };
};

/**
 * A Solana VM in this process with the real token programs, and a connection to it with the methods
 * of @solana/web3.js. Blocks pass only when a test calls `advanceBlocks`.
 */
export class LocalVm {
  readonly svm = new LiteSVM();
  readonly connection: SolanaConnection;
  readonly #sent: ExecutedOnVm[] = [];
  #height = 1_000;
  /** Some slots have no block, so slots are ahead of block heights. */
  #slot = 5_000;
  /** A transaction may have any of these. */
  readonly #recentBlockhashes = new Set<string>();
  /** The clock of the validators. */
  now: () => number = Date.now;

  private constructor(readonly issuer: KeyPairSigner) {
    this.svm.airdrop(issuer.address, lamports(1_000n * SOL));
    this.connection = this.#createConnection();
  }

  static async start(): Promise<LocalVm> {
    return new LocalVm(await generateKeyPairSigner());
  }

  /** Creates a wallet with some SOL for fees. */
  newWallet(): Keypair {
    const keypair = Keypair.generate();
    this.svm.airdrop(address(keypair.publicKey.toBase58()), lamports(SOL));
    return keypair;
  }

  async newMint(decimals = 6, programAddress: string = TOKEN_PROGRAM): Promise<LocalMint> {
    const mint = await generateKeyPairSigner();
    const { issuer } = this;
    await this.send(issuer, [
      getCreateAccountInstruction({
        payer: issuer,
        newAccount: mint,
        lamports: this.svm.minimumBalanceForRentExemption(BigInt(MINT_SIZE)),
        space: MINT_SIZE,
        programAddress: address(programAddress),
      }),
      getInitializeMint2Instruction(
        {
          mint: mint.address,
          decimals,
          mintAuthority: issuer.address,
          freezeAuthority: issuer.address,
        },
        { programAddress: address(programAddress) },
      ),
    ]);
    return { address: mint.address, decimals, programAddress };
  }

  /** Opens the owner's associated token account and puts tokens into it. */
  async fund(owner: string, mint: LocalMint, units: bigint): Promise<string> {
    const account = findTokenAccount(owner, mint);
    const token = address(account);
    const config = { programAddress: address(mint.programAddress) };
    await this.send(this.issuer, [
      getCreateAssociatedTokenIdempotentInstruction({
        payer: this.issuer,
        ata: token,
        owner: address(owner),
        mint: address(mint.address),
        tokenProgram: address(mint.programAddress),
      }),
      getMintToInstruction(
        { mint: address(mint.address), token, mintAuthority: this.issuer, amount: units },
        config,
      ),
    ]);
    return account;
  }

  /** Freezes a token account, as the issuer. */
  async freeze(account: string, mint: LocalMint): Promise<void> {
    const input = { account: address(account), mint: address(mint.address), owner: this.issuer };
    await this.send(this.issuer, [
      getFreezeAccountInstruction(input, { programAddress: address(mint.programAddress) }),
    ]);
  }

  /** Changes the bytes of an account without a transaction, so that no blockhash expires. */
  changeAccount(account: string, change: (data: Uint8Array) => void): void {
    const found = this.svm.getAccount(address(account));
    if (!found.exists) throw new Error('there is no such account');
    const data = Uint8Array.from(found.data);
    change(data);
    this.svm.setAccount({ ...found, data });
  }

  /** Makes an account belong to another program, with the same bytes. */
  giveTo(programAddress: string, account: string): void {
    const found = this.svm.getAccount(address(account));
    if (!found.exists) throw new Error('there is no such account');
    this.svm.setAccount({ ...found, programAddress: address(programAddress) });
  }

  /** Sets how many lamports a wallet has. With none, the chain forgets its account. */
  setLamports(wallet: string, amount: bigint): void {
    this.svm.setAccount({
      address: address(wallet),
      data: new Uint8Array(),
      executable: false,
      lamports: lamports(amount),
      programAddress: address(SYSTEM_PROGRAM),
      space: 0n,
    });
  }

  /** Spends from a token account as the delegate. The issuer receives the tokens. */
  async spend(delegate: Keypair, from: string, mint: LocalMint, units: bigint): Promise<void> {
    const to = await this.fund(this.issuer.address, mint, 0n);
    const authority = await signerOf(delegate);
    await this.send(authority, [
      getTransferCheckedInstruction(
        {
          source: address(from),
          mint: address(mint.address),
          destination: address(to),
          authority,
          amount: units,
          decimals: mint.decimals,
        },
        { programAddress: address(mint.programAddress) },
      ),
    ]);
  }

  /** Signs and executes instructions; throws when the chain refuses them. */
  async send(payer: KeyPairSigner, instructions: readonly Instruction[]): Promise<void> {
    const result = this.svm.sendTransaction(await this.#sign(payer, instructions));
    this.svm.expireBlockhash();
    this.#slot++;
    if (result instanceof FailedTransactionMetadata) throw new Error(result.toString());
  }

  /** Signs and sends instructions like a wallet that sends by itself. Returns the signature. */
  async sendRecorded(payer: KeyPairSigner, instructions: readonly Instruction[]): Promise<string> {
    const signed = await this.#sign(payer, instructions);
    return this.execute(Uint8Array.from(getTransactionEncoder().encode(signed)));
  }

  #sign(payer: KeyPairSigner, instructions: readonly Instruction[]) {
    const empty = setTransactionMessageFeePayerSigner(
      payer,
      createTransactionMessage({ version: 0 }),
    );
    const message = this.svm.setTransactionMessageLifetimeUsingLatestBlockhash(
      appendTransactionMessageInstructions(instructions, empty),
    );
    return signTransactionMessageWithSigners(message);
  }

  /** Returns a transaction that the connection sent, as the chain has it. */
  findSent(id: string): ExecutedOnVm | undefined {
    return this.#sent.find((each) => each.signature === id);
  }

  /** Returns a transaction and its effects, if it is on the chain. */
  getExecuted(id: string): ExecutedTransaction | undefined {
    const sent = this.findSent(id);
    return sent && { transaction: { message: VersionedMessage.deserialize(sent.message) } };
  }

  /** Returns the transactions that name an account, newest first. */
  history(account: string): ExecutedOnVm[] {
    const isNamed = ({ message, loadedAddresses }: ExecutedOnVm) => {
      const keys = VersionedMessage.deserialize(message).staticAccountKeys;
      const loaded = [...loadedAddresses.writable, ...loadedAddresses.readonly];
      return keys.some((key) => key.toBase58() === account) || loaded.includes(account);
    };
    return this.#sent.filter(isNamed).reverse();
  }

  /** How many transactions were sent through the connection. */
  get sentCount(): number {
    return this.#sent.length;
  }

  get height(): number {
    return this.#height;
  }

  get slot(): number {
    return this.#slot;
  }

  /** A new one each time: on a chain it changes with every slot. */
  latestBlockhash() {
    this.svm.expireBlockhash();
    const blockhash: string = this.svm.latestBlockhash();
    this.#recentBlockhashes.add(blockhash);
    return {
      blockhash,
      lastValidBlockHeight: this.#height + BLOCKHASH_LIFETIME_IN_BLOCKS,
    };
  }

  /** Advances the block height: by default so far that every earlier blockhash has expired. */
  advanceBlocks(blocks = BLOCKHASH_LIFETIME_IN_BLOCKS + 1): void {
    this.#height += blocks;
    this.#slot += blocks;
    this.#recentBlockhashes.clear();
    this.svm.expireBlockhash();
  }

  /**
   * Executes a signed transaction and returns its signature.
   *
   * @throws SendTransactionError of @solana/web3.js when the chain refuses it.
   */
  execute(bytes: Uint8Array): string {
    const transaction = getTransactionDecoder().decode(bytes);
    const id = bs58.encode(bytes.subarray(1, 65));
    if (this.svm.getTransaction(signature(id))) {
      throw createSendError('This transaction has already been processed', []);
    }
    const { recentBlockhash } = VersionedMessage.deserialize(
      Uint8Array.from(transaction.messageBytes),
    );
    // The VM itself accepts only the newest.
    this.svm.withBlockhashCheck(!this.#recentBlockhashes.has(recentBlockhash));
    const result = this.svm.sendTransaction(transaction);
    this.svm.withBlockhashCheck(true);
    if (result instanceof FailedTransactionMetadata) {
      throw createSendError(describeFailure(result).text, result.meta().logs());
    }
    const message = Uint8Array.from(transaction.messageBytes);
    this.#sent.push({
      signature: id,
      slot: ++this.#slot,
      blockTime: Math.floor(this.now() / 1_000),
      err: null,
      message,
      loadedAddresses: this.#loadAddresses(message),
    });
    return id;
  }

  /** Simulates a transaction without checking its signatures and blockhash, and changes nothing. */
  simulateUnsigned(bytes: Uint8Array) {
    this.svm.withSigverify(false).withBlockhashCheck(false);
    const simulated = this.svm.simulateTransaction(getTransactionDecoder().decode(bytes));
    this.svm.withSigverify(true).withBlockhashCheck(true);
    return simulated;
  }

  /** Returns the accounts that a transaction names through lookup tables. */
  #loadAddresses(bytes: Uint8Array): ExecutedOnVm['loadedAddresses'] {
    const loaded: ExecutedOnVm['loadedAddresses'] = { writable: [], readonly: [] };
    for (const lookup of VersionedMessage.deserialize(bytes).addressTableLookups) {
      const table = this.svm.getAccount(address(lookup.accountKey.toBase58()));
      if (!table.exists) throw new Error('there is no such lookup table');
      const { addresses } = AddressLookupTableAccount.deserialize(Uint8Array.from(table.data));
      const at = (index: number) => addresses[index]?.toBase58() ?? '';
      loaded.writable.push(...lookup.writableIndexes.map(at));
      loaded.readonly.push(...lookup.readonlyIndexes.map(at));
    }
    return loaded;
  }

  /** Puts a lookup table on the chain. */
  addLookupTable(addresses: readonly string[]): AddressLookupTableAccount {
    const key = Keypair.generate().publicKey;
    const header = new Uint8Array(LOOKUP_TABLE_HEADER);
    header[0] = 1;
    header.fill(255, 4, 12);
    const data = Uint8Array.from([
      ...header,
      ...addresses.flatMap((each) => [...bs58.decode(each)]),
    ]);
    this.svm.setAccount({
      address: address(key.toBase58()),
      data,
      executable: false,
      lamports: lamports(SOL),
      programAddress: address('AddressLookupTab1e1111111111111111111111111'),
      space: BigInt(data.length),
    });
    this.svm.warpToSlot(BigInt(this.#slot));
    return new AddressLookupTableAccount({
      key,
      state: AddressLookupTableAccount.deserialize(data),
    });
  }

  #createConnection(): SolanaConnection {
    return {
      getAccountInfo: async (account) => this.#readAccount(account),
      getLatestBlockhash: async () => this.latestBlockhash(),
      getBlockHeight: async () => this.#height,
      sendRawTransaction: async (bytes) => this.execute(bytes),
      getSignatureStatuses: async (signatures) => ({
        value: signatures.map((id) => {
          const sent = this.findSent(id);
          return sent ? { err: sent.err, confirmationStatus: 'confirmed' as const } : null;
        }),
      }),
      getTransaction: async (id) => this.getExecuted(id) ?? null,
      getSignaturesForAddress: async (account, { limit }) =>
        this.history(account.toBase58())
          .map(({ signature: id, slot, err }) => ({ signature: id, slot, err }))
          .slice(0, limit),
    };
  }

  #readAccount(account: AddressObject) {
    const found = this.svm.getAccount(address(account.toBase58()));
    if (!found.exists) return null;
    const owner: Address = found.programAddress;
    const { lamports } = found;
    return { data: Uint8Array.from(found.data), owner: { toBase58: () => owner }, lamports };
  }
}

/** The error of @solana/web3.js for a transaction that failed when the node simulated it. */
function createSendError(reason: string, logs: string[]): SendTransactionError {
  return new SendTransactionError({
    action: 'simulate',
    signature: '',
    transactionMessage: `Transaction simulation failed: ${reason}`,
    logs,
  });
}

/** Returns the key as a signer of @solana/kit. */
export function signerOf(keypair: Keypair): Promise<KeyPairSigner> {
  return createKeyPairSignerFromBytes(keypair.secretKey);
}

/** Returns the address of the owner's associated token account. */
export function findTokenAccount(owner: string, mint: LocalMint): string {
  const { address: mintAddress, programAddress } = mint;
  return associatedTokenAccount({ owner, mint: mintAddress, programAddress });
}
