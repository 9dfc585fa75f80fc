import { decodeBase58, encodeBase58 } from '../../src/contract/formats/base58.js';
import {
  associatedTokenAccount,
  type SolanaConnection,
  type SolanaWallet,
} from '../../src/solana/index.js';
import { walletFromKeypair } from '../../src/solana/wallets/keypair.js';
import type { MockUser } from '../../src/testing/state.js';
import { readLittleEndian } from '../../src/testing/wallets/solana/accounts.js';
import {
  type ParsedTransaction,
  parseTransaction,
} from '../../src/testing/wallets/solana/parse-transaction.js';
import type { Random } from '../engine/random.js';
import type { Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { Chain } from './chain.js';
import { type Change, DelegationScene, type Wanted } from './delegation-scene.js';
import {
  BLOCKHASH_LIFETIME,
  blockhashOf,
  CONFIRMED_AFTER,
  FINAL_AFTER,
  heightAt,
  lastBlockOf,
  listSignatures,
  readAccount,
  readExecuted,
  readStatus,
  SOLANA_DELEGATE,
  SOLANA_MINT,
  type SolanaTransaction,
  TOKEN_PROGRAM,
} from './solana-node.js';

/** The public key of a seed of 32 times 7. */
const OWNER = 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB';
const SECRET_KEY = Uint8Array.from([
  ...new Array<number>(32).fill(7),
  ...(decodeBase58(OWNER) ?? []),
]);
const APPROVE_CHECKED = 13;
const UNIT = 1_000_000n;

/** The choices of one world. */
function choicesOf(world: World) {
  const random = world.random.fork('choices of solana');
  return {
    commitment: random.pick(['confirmed', 'confirmed', 'finalized'] as const),
    confirmationTimeout: random.pick([30_000, 180_000]),
  };
}

/** The choices of one delegation: its wallet and its node. */
function choicesFor(world: World, { intention }: Wanted) {
  const random = world.random.fork(`choices of solana for ${intention}`);
  return {
    /** Whether the wallet signs, and the flow sends. */
    isSigning: random.chance(0.4),
    /** How many transactions a node keeps of an account. */
    kept: random.pick([1_000, 1]),
    hasSlots: random.chance(0.7),
    hasHistory: random.chance(0.7),
    promptTimeout: random.pick([undefined, 40_000]),
  };
}

type Choices = ReturnType<typeof choicesFor>;

/** The Solana cluster, its nodes, and the wallet of a user. */
export class SolanaScene {
  readonly scene: DelegationScene<SolanaTransaction>;
  readonly #world: World;
  readonly #choices: ReturnType<typeof choicesOf>;
  readonly #signer: SolanaWallet;
  readonly #place = {
    owner: OWNER,
    tokenAccount: associatedTokenAccount({ owner: OWNER, mint: SOLANA_MINT }),
  };
  /** The signatures of all transactions that a node has got. */
  readonly #sent = new Set<string>();

  constructor(world: World, user: MockUser) {
    this.#world = world;
    this.#choices = choicesOf(world);
    this.#signer = walletFromKeypair({ secretKey: SECRET_KEY });
    const chain = new Chain<SolanaTransaction>({
      blocks: 5,
      isDue: ({ last }, { height }) => height <= last,
      isOver: ({ last }, { height }) => height > last,
    });
    const isFinal = this.#choices.commitment === 'finalized';
    this.scene = new DelegationScene(world, user, chain, {
      name: 'solana',
      network: 'solana',
      owner: OWNER,
      required: 1 + (isFinal ? FINAL_AFTER : CONFIRMED_AFTER),
      requiredOfFailure: 1 + CONFIRMED_AFTER,
      canReturn: ({ id, last }) => this.#sent.has(id) && chain.view().height <= last,
    });
    world.mock.verifyProofs({
      verifySolanaProof: ({ txHash, amount }) => this.scene.receiveProof(txHash, amount),
    });
  }

  /** What a signed transaction does. The wallet may have changed that. */
  #read(parsed: ParsedTransaction, change: Change, random: Random): SolanaTransaction {
    const { accounts, blockhash, signatures } = parsed;
    const id = encodeBase58(signatures[0] ?? new Uint8Array(64));
    const units = BigInt(random.between(10, 90)) * UNIT;
    const instructions = parsed.instructions.flatMap((one) => {
      if (accounts[one.programIdIndex] !== TOKEN_PROGRAM || change === 'none') return [one];
      if (change === 'tampered') return [one, { ...one, data: Uint8Array.of(3, 1) }];
      const data = one.data.slice();
      new DataView(data.buffer).setBigUint64(1, units, true);
      return [{ ...one, data }];
    });
    const ofToken = instructions.filter((one) => accounts[one.programIdIndex] === TOKEN_PROGRAM);
    const approval = ofToken.find(({ data }) => data[0] === APPROVE_CHECKED);
    return {
      id,
      origin: id,
      accounts,
      instructions,
      last: lastBlockOf(blockhash),
      units: approval && readLittleEndian(approval.data.subarray(1, 9)),
      isExact: ofToken.length === 1 && approval !== undefined,
    };
  }

  #submit(transaction: SolanaTransaction): void {
    this.#sent.add(transaction.id);
    this.scene.chain.submit(transaction);
  }

  #wallet(
    process: Process,
    random: Random,
    wanted: Wanted,
    { isAgain, isSigning, promptTimeout }: Choices & { readonly isAgain: boolean },
  ): SolanaWallet {
    const { scene } = this;
    const howFor = (wire: Uint8Array) => {
      const last = lastBlockOf(parseTransaction(wire).blockhash);
      const isExpired = () => scene.chain.view().height > last;
      return { isAgain, isSigning, isExpired, canBeSilent: promptTimeout !== undefined };
    };
    const sign = async (wire: Uint8Array, change: Change) => {
      const signed = (await this.#signer.signTransaction?.(wire)) ?? wire;
      return { signed, transaction: this.#read(parseTransaction(signed), change, random) };
    };
    return {
      address: OWNER,
      signMessage: (message) =>
        scene.sign({ process, random }, () => this.#signer.signMessage(message)),
      ...(isSigning && {
        signTransaction: (wire: Uint8Array) =>
          scene.prompt(wanted, howFor(wire), { process, random }, async (change) => {
            const { signed, transaction } = await sign(wire, change);
            return { transaction, response: signed };
          }),
      }),
      ...(!isSigning && {
        sendTransaction: (wire: Uint8Array) =>
          scene.prompt(wanted, howFor(wire), { process, random }, async (change) => {
            const { transaction } = await sign(wire, change);
            this.#submit(transaction);
            return { transaction, response: transaction.id };
          }),
      }),
    };
  }

  /** A node takes a signed transaction, after its checks. */
  async #broadcast(process: Process, wire: Uint8Array): Promise<string> {
    const { signatures } = parseTransaction(wire);
    const transaction = this.scene.find(encodeBase58(signatures[0] ?? new Uint8Array(64)));
    if (transaction === undefined) throw new Error('nobody has signed this');
    await this.scene.nodes.read(process, (view) => {
      if (view.height > transaction.last) {
        const error = new Error('Transaction simulation failed: Blockhash not found');
        throw Object.assign(error, { code: -32002, logs: [] });
      }
      this.#submit(transaction);
    });
    return transaction.id;
  }

  #connection(process: Process, { hasSlots, hasHistory, kept }: Choices): SolanaConnection {
    const { nodes } = this.scene;
    const place = this.#place;
    const read: typeof nodes.read = (...given) => nodes.read(...given);
    return {
      getAccountInfo: (address, commitment) =>
        read(process, (view) => readAccount(view, place, address.toBase58(), commitment)),
      getMultipleAccountsInfo: (list, commitment) =>
        read(process, (view) =>
          list.map((address) => readAccount(view, place, address.toBase58(), commitment)),
        ),
      getLatestBlockhash: (commitment) =>
        read(process, (view) => {
          const height = heightAt(view, commitment);
          return {
            blockhash: blockhashOf(height),
            lastValidBlockHeight: height + BLOCKHASH_LIFETIME,
          };
        }),
      getBlockHeight: (commitment) => read(process, (view) => heightAt(view, commitment)),
      getSignatureStatuses: (signatures) =>
        read(process, (view) => ({
          context: { slot: view.height },
          value: signatures.map((signature) => readStatus(view, signature)),
        })),
      getTransaction: (signature, { commitment }) =>
        read(process, (view) => readExecuted(view, signature, commitment)),
      sendRawTransaction: (wire) => this.#broadcast(process, wire),
      ...(hasHistory && {
        getSignaturesForAddress: (_, { limit, minContextSlot = 0 }, commitment) =>
          read(process, (view) => {
            if (view.height < minContextSlot) throw new Error('Minimum context slot not reached');
            return listSignatures(view, Math.min(limit, kept), commitment);
          }),
      }),
      ...(hasSlots && {
        getEpochInfo: (commitment) =>
          read(process, (view) => {
            const height = heightAt(view, commitment);
            return { absoluteSlot: height, blockHeight: height };
          }),
      }),
    };
  }

  /** The options of `delegateSolana` for one click. */
  optionsFor(process: Process, random: Random, wanted: Wanted, isAgain: boolean) {
    const choices = choicesFor(this.#world, wanted);
    const { promptTimeout } = choices;
    const { commitment, confirmationTimeout } = this.#choices;
    return {
      wallet: this.#wallet(process, random, wanted, { ...choices, isAgain }),
      node: this.#connection(process, choices),
      currency: 'usdc',
      spender: SOLANA_DELEGATE,
      domain: 'app.example',
      commitment,
      confirmationTimeout,
      ...(promptTimeout !== undefined && { promptTimeout }),
    } as const;
  }
}
