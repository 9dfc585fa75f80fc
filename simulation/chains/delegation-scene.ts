import type { DelegationResult } from '../../src/delegation/options.js';
import type { MockUser } from '../../src/testing/state.js';
import type { Random } from '../engine/random.js';
import { WORLD } from '../engine/scheduler.js';
import type { Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { type Chain, type ChainTransaction, limitIn } from './chain.js';
import { Nodes } from './nodes.js';

const BLOCK_MS = 2_000;
/**
 * For how long blocks are made after a flow has started, and after it has ended. Otherwise the chain
 * stands still.
 */
const ACTIVE_MS = 4 * 60_000;
const AFTER_END_MS = 20_000;
/** The time that a user takes at most for a prompt. */
const SLOWEST_USER_MS = 150_000;
const UNITS = 1_000_000n;
/** So few that a limit is often there already. */
const AMOUNTS = ['10', '25', '40', '60', '90'];

/** A delegation that a user wants once. */
export type Wanted = {
  readonly intention: number;
  readonly amount: string;
};

/** What a user or a wallet changes before a transaction is sent. */
export type Change = 'none' | 'other-limit' | 'tampered';

type Prompt = {
  readonly intention: number;
  /** Whether the flow itself sends what the wallet signs. */
  readonly isSigning: boolean;
  status: 'open' | 'declined' | 'sent';
  /** Its transaction. */
  origin: string | undefined;
  /** Whether it is too late for what the wallet would sign. */
  readonly isExpired: () => boolean;
  /** The page that has shown it. */
  readonly process: Process;
  /** Whether the flow that has shown it has ended. */
  isLeft: boolean;
};

/** How a flow asks for an approval. */
type PromptKind = {
  /** Whether the user has said that nothing was sent before. */
  readonly isAgain: boolean;
  readonly isSigning: boolean;
  readonly isExpired?: () => boolean;
};

/** What happens to the mempool. Congestion has to begin and to end. */
const EVENTS = ['congest', 'congest', 'fail', 'evict'] as const;

/** What differs between the scenes of the chains. */
export type SceneRules<T> = {
  readonly name: string;
  readonly network: string;
  readonly owner: string;
  /** How many confirmations an approval needs, its own block included. */
  readonly required: number;
  /** How many confirmations prove a failure. */
  readonly requiredOfFailure: number;
  /** Whether somebody could still send a transaction that is not in the mempool. */
  canReturn(transaction: T): boolean;
  /** Replaces a waiting transaction: with another fee, or with something else. */
  replace?(pending: T, random: Random): void;
};

/** The error of a wallet, with its code. */
export class WalletFailure extends Error {
  override readonly name = 'ProviderRpcError';

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const declined = () => new WalletFailure(4001, 'User rejected the request.');

type Answer = Change | { readonly isSilent: boolean; readonly failure: WalletFailure };

/** What a user and a wallet do about a prompt. */
function decide(
  canBeSilent: boolean,
  isFaulty: (probability: number) => boolean,
  random: Random,
): Answer {
  if (isFaulty(0.25)) return { isSilent: false, failure: declined() };
  const failure = new WalletFailure(-32603, 'Internal JSON-RPC error.');
  if (canBeSilent && isFaulty(0.1)) return { isSilent: true, failure };
  if (isFaulty(0.1)) return { isSilent: false, failure };
  return isFaulty(0.25) ? random.pick(['other-limit', 'tampered'] as const) : 'none';
}

/** One chain with its nodes, a wallet with its user, and the ledger of the delegations. */
export class DelegationScene<T extends ChainTransaction> {
  readonly chain: Chain<T>;
  readonly nodes: Nodes<T>;
  readonly rules: SceneRules<T>;
  readonly #world: World;
  readonly #random: Random;
  readonly #user: MockUser;
  readonly #prompts: Prompt[] = [];
  readonly #known = new Map<string, T>();
  #intentions = 0;
  #activeUntil = 0;
  #isTicking = false;

  constructor(world: World, user: MockUser, chain: Chain<T>, rules: SceneRules<T>) {
    this.#world = world;
    this.#user = user;
    this.chain = chain;
    this.rules = rules;
    this.nodes = new Nodes(world, chain, rules.name);
    this.#random = world.random.fork(`chain ${rules.name}`);
  }

  newIntention(random: Random): Wanted {
    return { intention: this.#intentions++, amount: random.pick(AMOUNTS) };
  }

  /** Starts making blocks. */
  activate(): void {
    this.#activeUntil = this.#world.now + ACTIVE_MS;
    if (!this.#isTicking) this.#tick();
  }

  /** A flow has ended: it sends nothing that its wallet signs now. */
  leave(intention: number): void {
    for (const prompt of this.#promptsOf(intention)) prompt.isLeft = true;
  }

  /** Nothing waits for a block any more. */
  rest(): void {
    this.#activeUntil = Math.min(this.#activeUntil, this.#world.now + AFTER_END_MS);
  }

  #tick(): void {
    const { scheduler, faults } = this.#world;
    this.#isTicking = this.#world.now < this.#activeUntil;
    if (!this.#isTicking || !faults.allows('chain')) this.chain.isCongested = false;
    if (!this.#isTicking) return;
    this.#disturb();
    this.chain.mine();
    scheduler.after(BLOCK_MS, WORLD, () => this.#tick());
  }

  #disturb(): void {
    const { faults, intensity } = this.#world;
    const random = this.#random;
    const { mined, height, pending } = this.chain.view();
    const isFaulty = random.chance(0.15 * intensity);
    const depth = random.between(1, 3);
    const isLost = random.chance(0.3);
    const event = random.pick(EVENTS);
    const [first] = pending;
    // Replacing a block matters only if it contains a transaction.
    const isFresh = (mined.at(-1)?.block ?? 0) > height - 3;
    // A user does something about a transaction that waits.
    const isStuck =
      this.chain.isCongested && first !== undefined && this.rules.replace !== undefined;
    const what = isFresh ? 'reorganize' : isStuck && random.chance(0.5) ? 'replace' : event;
    const isLikely = (isFresh || isStuck) && random.chance(0.3 * intensity);
    if (!(isFaulty || isLikely) || !faults.take('chain')) return;
    if (what === 'reorganize') this.chain.reorganize(depth, isLost);
    if (what === 'congest') this.chain.isCongested = !this.chain.isCongested;
    if (what === 'fail') this.chain.failsNext = true;
    if (what === 'evict' && first !== undefined) this.chain.evict(first.id);
    if (what === 'replace' && first !== undefined) this.rules.replace?.(first, random);
    this.#world.note(`${this.rules.name} ${what} ${depth} ${isLost} ${first?.id.slice(-4)}`);
  }

  /** Notes a transaction that somebody has signed. */
  know(transaction: T): T {
    this.#known.set(transaction.id, transaction);
    return transaction;
  }

  find(id: string): T | undefined {
    return this.#known.get(id);
  }

  #promptsOf(intention: number): Prompt[] {
    return this.#prompts.filter((prompt) => prompt.intention === intention);
  }

  #copiesOf({ origin }: Prompt): T[] {
    return [...this.#known.values()].filter((one) => one.origin === origin);
  }

  /** Whether an approval can no longer have any effect. */
  #isDead(prompt: Prompt): boolean {
    if (prompt.status === 'declined') return true;
    // What a wallet only signs goes nowhere once its flow has ended.
    const isLeft = prompt.isLeft || !prompt.process.isAlive;
    if (prompt.status === 'open') return prompt.isExpired() || (prompt.isSigning && isLeft);
    return this.#copiesOf(prompt).every((copy) => {
      // One that takes its place to cancel it sets no limit.
      if (copy.units === undefined || this.#hasFailed(copy)) return true;
      return !this.chain.isAlive(copy.id) && !this.rules.canReturn(copy);
    });
  }

  /** Whether the chain has shown a failure with the required confirmations. */
  #hasFailed({ id }: T): boolean {
    return this.chain.depthsOf(id).failure >= this.rules.requiredOfFailure;
  }

  /** A careful user checks the wallet before another approval is requested. */
  mayAskAgain(intention: number): boolean {
    return this.#promptsOf(intention).every((prompt) => this.#isDead(prompt));
  }

  /** Whether nothing of an intention waits any more: the user sees in the wallet what has become of it. */
  isSettled(intention: number): boolean {
    return this.#promptsOf(intention).every((prompt) => this.#isOver(prompt));
  }

  /** Whether the wallet has been asked for an approval of an intention. */
  wasAsked(intention: number): boolean {
    return this.#promptsOf(intention).length > 0;
  }

  /** Whether nothing of any intention waits any more. */
  isQuiet(): boolean {
    return this.#prompts.every((prompt) => this.#isOver(prompt));
  }

  #isOver(prompt: Prompt): boolean {
    const { pending } = this.chain.view();
    const isWaiting = ({ id }: T) => pending.some((one) => one.id === id);
    return prompt.status !== 'open' && !this.#copiesOf(prompt).some(isWaiting);
  }

  /** How many approvals of an intention are on the chain, without those that had failed there. */
  #effects(intention: number): number {
    const isEffective = (copy: T) =>
      !this.#hasFailed(copy) &&
      this.chain.view().mined.some(({ transaction, failed }) => {
        return transaction.id === copy.id && !failed && transaction.units !== undefined;
      });
    const effective = this.#promptsOf(intention).filter((one) => {
      return this.#copiesOf(one).some(isEffective);
    });
    // A wallet that signs the same transaction twice has signed one.
    return new Set(effective.map(({ origin }) => origin)).size;
  }

  /**
   * Shows a prompt for an approval. The user confirms or declines, even if the page is gone by then.
   *
   * @param accept returns the transaction that the wallet signs, or signs and sends
   */
  async prompt<R>(
    { intention }: Wanted,
    how: PromptKind & { canBeSilent: boolean },
    { process, random }: { process: Process; random: Random },
    accept: (change: Change) => Promise<{ transaction: T; response: R }>,
  ): Promise<R> {
    const { scheduler, intensity, faults } = this.#world;
    const prompt = this.#open(intention, how, process);
    const isFaulty = (probability: number) =>
      random.chance(probability * intensity) && faults.take('wallet');
    const isSlow = isFaulty(0.2);
    await scheduler.sleep(random.between(1_500, isSlow ? SLOWEST_USER_MS : 25_000), WORLD);
    const answer = decide(how.canBeSilent, isFaulty, random);
    if (typeof answer === 'object') {
      prompt.status = 'declined';
      return answer.isSilent ? new Promise<never>(() => {}) : this.#fail(process, answer.failure);
    }
    const { transaction, response } = await accept(answer);
    this.know(transaction);
    Object.assign(prompt, { status: 'sent', origin: transaction.origin });
    this.#world.note(`approval ${transaction.id.slice(-4)} of ${intention} ${answer}`);
    const isLost = !how.isSigning && isFaulty(0.6);
    if (isLost) return this.#fail(process, new WalletFailure(4900, 'disconnected'));
    // What follows is done by the page, if it is still there.
    await scheduler.sleep(0, process);
    return response;
  }

  /** What a wallet responds is heard by the page, if it is still there. */
  async #fail(process: Process, failure: WalletFailure): Promise<never> {
    await this.#world.scheduler.sleep(0, process);
    throw failure;
  }

  #open(
    intention: number,
    { isAgain, isSigning, isExpired = () => false }: PromptKind,
    process: Process,
  ): Prompt {
    const isAlive = this.#promptsOf(intention).some((earlier) => !this.#isDead(earlier));
    const problem =
      isAlive && !isAgain
        ? 'the wallet was asked again for an approval that can have an effect'
        : undefined;
    this.#world.note(`prompt of ${intention}`);
    this.#world.happen({ kind: 'prompted', problem, approvals: this.#effects(intention) });
    const prompt: Prompt = {
      intention,
      isSigning,
      status: 'open',
      origin: undefined,
      isExpired,
      process,
      isLeft: false,
    };
    this.#prompts.push(prompt);
    return prompt;
  }

  /** Lets the user sign a message, or decline. */
  async sign<R>(
    { process, random }: { process: Process; random: Random },
    sign: () => Promise<R>,
  ): Promise<R> {
    const { scheduler, intensity, faults } = this.#world;
    await scheduler.sleep(random.between(1_500, 25_000), process);
    if (random.chance(0.2 * intensity) && faults.take('wallet')) throw declined();
    return sign();
  }

  /** Whether the chain has shown an approval of this amount, alone and with enough confirmations. */
  #problemOf(id: string, amount: string): string | undefined {
    const found = this.#known.get(id);
    if (found === undefined) return 'a transaction that nobody has signed';
    if (!found.isExact) return 'a transaction that is not only the approval';
    if (found.units !== BigInt(amount) * UNITS) return 'an approval of another limit';
    const { success } = this.chain.depthsOf(id);
    return success >= this.rules.required
      ? undefined
      : `an approval with ${success} of ${this.rules.required} confirmations`;
  }

  /** Judges a proof, as the invariants do, and checks it, as the platform does. */
  receiveProof(id: string, amount: string): { field: string; message: string } | undefined {
    const problem = this.#problemOf(id, amount);
    this.#world.happen({ kind: 'proved', problem: problem && `a proof of ${problem}` });
    const { mined } = this.chain.view();
    const isThere = mined.some(({ transaction, failed }) => transaction.id === id && !failed);
    if (isThere) return undefined;
    return { field: 'txHash', message: 'Transaction not found or not confirmed' };
  }

  /** Checks the facts that must be true when a flow reports success. */
  checkResult(
    { intention }: Wanted,
    { amount, transactionId: id, registration }: Omit<DelegationResult, 'state'>,
  ): void {
    const isOwn = ({ address }: { address: string }) =>
      address.toLowerCase() === this.rules.owner.toLowerCase();
    const hasLimit = ({ externalWallets }: MockUser) =>
      externalWallets.some((wallet) => isOwn(wallet) && wallet.allowance === amount);
    // After a lost response only the list of wallets is left. One that lags can show an equal limit of
    // an earlier delegation, and nothing in it tells the two apart.
    const isRegistered =
      registration === 'accepted'
        ? hasLimit(this.#world.mock.users.get(this.#user.id))
        : this.#world.replica.mayHaveShown(this.#user, hasLimit);
    const wanted = BigInt(amount) * UNITS;
    const isSet = [0, 1, 2, 3, 4].some((behind) => limitIn(this.chain.view(behind)) === wanted);
    const shown = id === undefined ? (isSet ? undefined : 'a limit that is not set') : undefined;
    const verified = id === undefined ? shown : this.#problemOf(id, amount);
    const problem = isRegistered ? verified : 'a limit that the platform has not registered';
    this.#world.happen({ kind: 'proved', problem: problem && `a success with ${problem}` });
    this.#world.happen({
      kind: 'prompted',
      problem: undefined,
      approvals: this.#effects(intention),
    });
  }

  /** Checks what an error promises. Without an approval in its state, nothing can have an effect. */
  checkError({ intention }: Wanted, code: string, hasApproval: boolean): void {
    const isAlive = this.#promptsOf(intention).some((prompt) => !this.#isDead(prompt));
    const problem =
      isAlive && !hasApproval ? `${code} without an approval, which can have an effect` : undefined;
    this.#world.happen({ kind: 'prompted', problem, approvals: this.#effects(intention) });
  }
}
