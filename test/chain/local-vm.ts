import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromBytes,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  setTransactionMessageFeePayerSigner,
  signature,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { Keypair, VersionedMessage } from '@solana/web3.js';
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

const BLOCKS_OF_A_BLOCKHASH = 150;
const MINT_SIZE = 82;
const SOL = 1_000_000_000n;

/** A mint of the VM, and who issues it. */
export type LocalMint = { address: string; decimals: number; programAddress: string };

type Sent = { signature: string; err: unknown; executed: ExecutedTransaction; accounts: string[] };

/**
 * A Solana VM in this process with the real token programs, and a connection to it with the methods
 * of @solana/web3.js. Blocks pass only when a test says so.
 */
export class LocalVm {
  readonly svm = new LiteSVM();
  readonly connection: SolanaConnection;
  readonly #sent: Sent[] = [];
  #height = 1_000;

  private constructor(readonly issuer: KeyPairSigner) {
    this.svm.airdrop(issuer.address, lamports(1_000n * SOL));
    this.connection = this.#connection();
  }

  static async start(): Promise<LocalVm> {
    return new LocalVm(await generateKeyPairSigner());
  }

  /** A wallet with some SOL for fees. */
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
    const account = accountOf(owner, mint);
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

  /** The issuer freezes an account. */
  async freeze(account: string, mint: LocalMint): Promise<void> {
    const input = { account: address(account), mint: address(mint.address), owner: this.issuer };
    await this.send(this.issuer, [
      getFreezeAccountInstruction(input, { programAddress: address(mint.programAddress) }),
    ]);
  }

  /** The delegate spends from an account, into the issuer's own. */
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
    const empty = setTransactionMessageFeePayerSigner(
      payer,
      createTransactionMessage({ version: 0 }),
    );
    const message = this.svm.setTransactionMessageLifetimeUsingLatestBlockhash(
      appendTransactionMessageInstructions(instructions, empty),
    );
    const result = this.svm.sendTransaction(await signTransactionMessageWithSigners(message));
    this.svm.expireBlockhash();
    if (result instanceof FailedTransactionMetadata) throw new Error(result.toString());
  }

  /** What a transaction did, if it is on the chain. */
  executed(id: string): ExecutedTransaction | undefined {
    return this.#sent.find((each) => each.signature === id)?.executed;
  }

  /** How many transactions came through the connection. */
  get sent(): number {
    return this.#sent.length;
  }

  /** Lets blocks pass: by default so many that every blockhash given out so far has run out. */
  pass(blocks = BLOCKS_OF_A_BLOCKHASH + 1): void {
    this.#height += blocks;
    this.svm.expireBlockhash();
  }

  #connection(): SolanaConnection {
    return {
      getAccountInfo: async (of) => this.#account(of),
      getLatestBlockhash: async () => ({
        blockhash: this.svm.latestBlockhash(),
        lastValidBlockHeight: this.#height + BLOCKS_OF_A_BLOCKHASH,
      }),
      getBlockHeight: async () => this.#height,
      sendRawTransaction: async (bytes) => this.#execute(bytes),
      getSignatureStatuses: async (signatures) => ({
        value: signatures.map((wanted) => {
          const sent = this.#sent.find((each) => each.signature === wanted);
          return sent ? { err: sent.err, confirmationStatus: 'confirmed' as const } : null;
        }),
      }),
      getTransaction: async (wanted) => this.executed(wanted) ?? null,
      getSignaturesForAddress: async (of, { limit }) =>
        this.#sent
          .filter(({ accounts }) => accounts.includes(of.toBase58()))
          .map(({ signature: id, err }) => ({ signature: id, err, blockTime: null }))
          .reverse()
          .slice(0, limit),
    };
  }

  #account(of: AddressObject) {
    const found = this.svm.getAccount(address(of.toBase58()));
    if (!found.exists) return null;
    const owner: Address = found.programAddress;
    return { data: Uint8Array.from(found.data), owner: { toBase58: () => owner } };
  }

  #execute(bytes: Uint8Array): string {
    const transaction = getTransactionDecoder().decode(bytes);
    const id = bs58.encode(bytes.subarray(1, 65));
    if (this.svm.getTransaction(signature(id))) throw preflightFailure('already been processed');
    const result = this.svm.sendTransaction(transaction);
    if (result instanceof FailedTransactionMetadata) throw preflightFailure(result.toString());
    const message = VersionedMessage.deserialize(Uint8Array.from(transaction.messageBytes));
    this.#sent.push({
      signature: id,
      err: null,
      executed: { transaction: { message } },
      accounts: message.staticAccountKeys.map((key) => key.toBase58()),
    });
    return id;
  }
}

/** What a node says of a transaction that it tried out and that failed, as web3.js puts it. */
function preflightFailure(words: string): Error {
  const error = new Error(`Simulation failed. ${words}`);
  error.name = 'SendTransactionError';
  return error;
}

/** The key as @solana/kit signs with it. */
export function signerOf(keypair: Keypair): Promise<KeyPairSigner> {
  return createKeyPairSignerFromBytes(keypair.secretKey);
}

/** The owner's associated token account. */
export function accountOf(owner: string, mint: LocalMint): string {
  const { address: mintAddress, programAddress } = mint;
  return associatedTokenAccount({ owner, mint: mintAddress, programAddress });
}
