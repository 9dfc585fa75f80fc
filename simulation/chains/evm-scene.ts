import { keccak256, parseTransaction, serializeTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { EvmCall, EvmNode, EvmWallet } from '../../src/evm/index.js';
import type { MockUser } from '../../src/testing/state.js';
import type { Random } from '../engine/random.js';
import type { Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { Chain } from './chain.js';
import { type Change, DelegationScene, WalletFailure, type Wanted } from './delegation-scene.js';
import {
  approveInput,
  EVM_CHAIN_ID,
  EVM_SPENDER,
  EVM_TOKEN,
  type EvmTransaction,
  FIRST_NONCE,
  nextNonce,
  readApprove,
  respondEvm,
} from './evm-node.js';

const ACCOUNT = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const OTHER = '0x00000000000000000000000000000000DeaDBeef';
const UNIT = 1_000_000n;

type Hex = `0x${string}`;
type Parts = Pick<EvmTransaction, 'nonce' | 'to' | 'input' | 'value'>;

/** The choices of one world. */
function choicesOf(world: World) {
  const random = world.random.fork('choices of evm');
  return {
    confirmations: random.pick([1, 1, 2, 4]),
    confirmationTimeout: random.pick([30_000, 180_000]),
  };
}

/** The choices of one delegation: its wallet and its node. */
function choicesFor(world: World, { intention }: Wanted) {
  const random = world.random.fork(`choices of evm for ${intention}`);
  return {
    /** Whether the account signs, and the flow sends. */
    isSigning: random.chance(0.4),
    /** How many blocks a node searches at once. */
    mostBlocks: random.pick([10_000, 2_000]),
    promptTimeout: random.pick([undefined, 60_000]),
  };
}

type Choices = ReturnType<typeof choicesFor>;

/** An EVM chain, its nodes, and the wallet of a user. */
export class EvmScene {
  readonly scene: DelegationScene<EvmTransaction>;
  readonly #world: World;
  readonly #choices: ReturnType<typeof choicesOf>;
  /** The fee of the next transaction, which makes each one different. */
  #fee = 1_000_000_000n;

  constructor(world: World, user: MockUser) {
    this.#world = world;
    this.#choices = choicesOf(world);
    const chain = new Chain<EvmTransaction>({
      blocks: 1,
      isDue: ({ nonce }, { mined }) => nonce === FIRST_NONCE + mined.length,
      isOver: ({ nonce }, { mined }) => nonce < FIRST_NONCE + mined.length,
    });
    this.scene = new DelegationScene(world, user, chain, {
      name: 'evm',
      network: 'linea',
      owner: ACCOUNT.address,
      required: this.#choices.confirmations,
      requiredOfFailure: this.#choices.confirmations,
      canReturn: () => false,
      replace: (pending, random) => this.#replace(pending, random),
    });
    world.mock.verifyProofs({
      verifyEvmProof: ({ txHash, amount }) => this.scene.receiveProof(txHash, amount),
    });
  }

  #signed(parts: Parts, origin?: string): EvmTransaction & { raw: Hex } {
    this.#fee += 1n;
    const raw = serializeTransaction(
      {
        type: 'eip1559',
        chainId: EVM_CHAIN_ID,
        nonce: parts.nonce,
        to: parts.to as Hex,
        data: parts.input as Hex,
        value: parts.value,
        gas: 50_000n,
        maxFeePerGas: this.#fee,
      },
      { r: `0x${'1'.padStart(64, '0')}`, s: `0x${'2'.padStart(64, '0')}`, yParity: 0 },
    );
    const id = keccak256(raw);
    const isToken = parts.to.toLowerCase() === EVM_TOKEN.toLowerCase();
    const approve = isToken ? readApprove(parts.input) : undefined;
    const isForSpender = approve?.spender === EVM_SPENDER.toLowerCase();
    return {
      ...parts,
      id,
      raw,
      origin: origin ?? id,
      from: ACCOUNT.address,
      units: isForSpender ? approve.units : undefined,
      isExact: isForSpender && parts.value === 0n,
    };
  }

  /** The user speeds a transaction up, cancels it, or sets another limit. */
  #replace(pending: EvmTransaction, random: Random): void {
    const how = random.pick(['faster', 'cancel', 'other-limit'] as const);
    const { nonce, origin } = pending;
    const self = { nonce, to: ACCOUNT.address, input: '0x', value: 0n };
    const units = BigInt(random.between(10, 90)) * UNIT;
    const other = { ...pending, input: approveInput(EVM_SPENDER, units) };
    const parts = { faster: pending, cancel: self, 'other-limit': other }[how];
    const copy = this.scene.know(this.#signed(parts, origin));
    this.#world.note(`${how} ${copy.id.slice(-4)}`);
    this.scene.chain.submit(copy, pending.id);
  }

  /** What the wallet sends in place of a call. */
  #changed({ to, data, value }: EvmCall, change: Change, random: Random): Omit<Parts, 'nonce'> {
    const units = BigInt(random.between(10, 90)) * UNIT;
    const tampered = random.chance(0.5)
      ? { to, input: approveInput(OTHER, units), value }
      : { to, input: data, value: 1n };
    return {
      none: { to, input: data, value },
      'other-limit': { to, input: approveInput(EVM_SPENDER, units), value },
      tampered,
    }[change];
  }

  #wallet(
    process: Process,
    random: Random,
    wanted: Wanted,
    { isAgain, isSigning, promptTimeout }: Choices & { readonly isAgain: boolean },
  ): EvmWallet {
    const { scene } = this;
    const how = { isAgain, isSigning, canBeSilent: promptTimeout !== undefined };
    const sign = (call: EvmCall, change: Change) => {
      const nonce = nextNonce(scene.chain.view(), true);
      return this.#signed({ nonce, ...this.#changed(call, change, random) });
    };
    const common = {
      address: ACCOUNT.address,
      getChainId: async () => {
        const isElsewhere = random.chance(0.03 * this.#world.intensity);
        return isElsewhere && this.#world.faults.take('wallet') ? 1 : EVM_CHAIN_ID;
      },
      signMessage: (message: string) =>
        scene.sign({ process, random }, () => ACCOUNT.signMessage({ message })),
    };
    const sendTransaction = (call: EvmCall) =>
      scene.prompt(wanted, how, { process, random }, async (change) => {
        const transaction = sign(call, change);
        scene.chain.submit(transaction);
        return { transaction, response: transaction.id };
      });
    if (!isSigning) return { ...common, sendTransaction };
    return {
      ...common,
      sendTransaction,
      signTransaction: (call) =>
        scene.prompt(wanted, how, { process, random }, async (change) => {
          const transaction = sign(call, change);
          return { transaction, response: transaction.raw };
        }),
      sendSigned: (raw) => this.#broadcast(process, raw as Hex),
    };
  }

  /** A node takes a signed transaction. */
  async #broadcast(process: Process, raw: Hex): Promise<string> {
    const { nodes, chain } = this.scene;
    const { nonce = 0 } = parseTransaction(raw);
    const id = keccak256(raw);
    const transaction = this.scene.find(id);
    await nodes.read(process, (view) => {
      if (nonce < nextNonce(view, false)) throw new WalletFailure(-32000, 'nonce too low');
      const isTaken = view.pending.some((one) => one.nonce === nonce && one.id !== id);
      if (isTaken) throw new WalletFailure(-32000, 'replacement transaction underpriced');
      if (transaction !== undefined) chain.submit(transaction);
    });
    return id;
  }

  #node(process: Process, { mostBlocks }: Choices): EvmNode {
    const { nodes } = this.scene;
    return {
      request: ({ method, params = [] }) => {
        const call = { method, params: params as readonly unknown[] };
        return nodes.read(process, (view) => respondEvm(view, call, mostBlocks));
      },
    };
  }

  /** The options of `delegateEvm` for one click. */
  optionsFor(process: Process, random: Random, wanted: Wanted, isAgain: boolean) {
    const choices = choicesFor(this.#world, wanted);
    const { promptTimeout } = choices;
    const { confirmations, confirmationTimeout } = this.#choices;
    return {
      wallet: this.#wallet(process, random, wanted, { ...choices, isAgain }),
      node: this.#node(process, choices),
      network: 'linea',
      currency: 'usdc',
      spender: EVM_SPENDER,
      domain: 'app.example',
      confirmations,
      confirmationTimeout,
      ...(promptTimeout !== undefined && { promptTimeout }),
    } as const;
  }
}
