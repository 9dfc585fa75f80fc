import type { ProofVerifier } from '../../src/testing/proofs.js';
import type { MockUser } from '../../src/testing/state.js';
import { OWNER, SPENDER } from '../../test/delegation/model/ledger.js';
import { verifyToyProof } from '../../test/delegation/model/service.js';
import { ToyChain } from '../../test/delegation/toy-chain/chain.js';
import { type ToyNode, toyNode } from '../../test/delegation/toy-chain/node.js';
import { FINAL_DEPTH } from '../../test/delegation/toy-chain/plan.js';
import {
  type ApprovalRequest,
  type ToyWallet,
  ToyWalletApp,
  ToyWalletError,
} from '../../test/delegation/toy-chain/wallet.js';
import type { Random } from '../engine/random.js';
import { WORLD } from '../engine/scheduler.js';
import type { Process } from './process.js';
import type { World } from './world.js';

const BLOCK_MS = 2_000;
/** At least one of three consecutive responses of the nodes is true. */
const MOST_MISLEADING = 2;
/**
 * For how long blocks are produced after a flow has started, and after it has ended. Otherwise the
 * chain stands still.
 */
const ACTIVE_MS = 4 * 60_000;
const AFTER_END_MS = 20_000;

type Prompt = {
  readonly intention: number;
  status: 'open' | 'declined' | 'sent';
  id: string | undefined;
};

/** The toy chain with its nodes, a wallet with its user, and the ledger of delegations. */
export class DelegationScene {
  readonly chain = new ToyChain('toy-1');
  readonly spender = SPENDER;
  readonly owner = OWNER;
  readonly #wallet = new ToyWalletApp(OWNER, this.chain);
  readonly #world: World;
  readonly #random: Random;
  readonly #user: MockUser;
  readonly #prompts: Prompt[] = [];
  #intentions = 0;
  #activeUntil = 0;
  #isTicking = false;
  #misleading = 0;

  constructor(world: World, user: MockUser) {
    this.#world = world;
    this.#user = user;
    this.#random = world.random.fork('chain');
    const verifyEvmProof: ProofVerifier = (proof) => verifyToyProof(this.chain, proof);
    world.mock.verifyProofs({ verifyEvmProof });
  }

  newIntention(): number {
    return this.#intentions++;
  }

  /** Starts producing blocks. */
  activate(): void {
    this.#activeUntil = this.#world.now + ACTIVE_MS;
    if (!this.#isTicking) this.#tick();
  }

  /** Nothing waits for a block any more. */
  rest(): void {
    this.#activeUntil = Math.min(this.#activeUntil, this.#world.now + AFTER_END_MS);
  }

  #tick(): void {
    const { scheduler, faults, intensity } = this.#world;
    this.#isTicking = this.#world.now < this.#activeUntil;
    if (!this.#isTicking) {
      this.chain.isCongested = false;
      return;
    }
    const random = this.#random;
    const isFaulty = random.chance(0.1 * intensity);
    const depth = random.between(1, 3);
    const isFresh = (this.chain.minedUntil().at(-1)?.height ?? 0) > this.chain.height - 3;
    const other = random.pick(['reorganize', 'congest', 'fail', 'speed-up'] as const);
    // Reverting a block matters only if it contains a transaction.
    const what = isFresh ? 'reorganize' : other;
    if ((isFaulty || (isFresh && random.chance(0.4 * intensity))) && faults.take('chain')) {
      if (what === 'reorganize') this.chain.reorganize(depth);
      if (what === 'congest') this.chain.isCongested = !this.chain.isCongested;
      if (what === 'fail') this.chain.failsNext = true;
      if (what === 'speed-up') this.#speedUp();
      this.#world.note(`chain ${what}`);
    }
    if (!faults.allows('chain')) this.chain.isCongested = false;
    this.chain.mine();
    scheduler.after(BLOCK_MS, WORLD, () => this.#tick());
  }

  #speedUp(): void {
    const [pending] = this.chain.mempool.keys();
    if (pending !== undefined) this.#wallet.speedUp(pending);
  }

  /** Returns whether an approval can no longer have any effect. */
  #isDead({ status, id }: Prompt): boolean {
    if (status === 'declined') return true;
    if (status === 'open' || id === undefined) return false;
    return this.#copies(id).every((copy) => {
      if (this.chain.mempool.has(copy)) return false;
      const mined = this.chain.find(copy);
      if (mined === undefined) return true;
      // A failed one is pending again if its block is removed, and may then succeed.
      return !mined.succeeded && mined.height <= this.chain.height - FINAL_DEPTH;
    });
  }

  #copies(id: string): string[] {
    const origin = this.#wallet.originOf(id);
    return this.#wallet.sent
      .map(({ id: sent }) => sent)
      .filter((sent) => this.#wallet.originOf(sent) === origin);
  }

  #promptsOf(intention: number): Prompt[] {
    return this.#prompts.filter((prompt) => prompt.intention === intention);
  }

  /** A careful user checks the wallet before another approval is requested. */
  mayAskAgain(intention: number): boolean {
    return this.#promptsOf(intention).every((prompt) => this.#isDead(prompt));
  }

  /** Checks the facts that must be true when a flow reports success. */
  checkResult(intention: number, amount: string): void {
    const { externalWallets } = this.#world.mock.users.get(this.#user.id);
    const isRegistered = externalWallets.some(
      (wallet) => wallet.address === OWNER && wallet.allowance === amount,
    );
    const sent = this.#promptsOf(intention).some(({ status }) => status === 'sent');
    const problem = isRegistered
      ? sent
        ? undefined
        : 'a success without an approval'
      : 'a success although the platform has not registered the wallet';
    this.#world.happen({ kind: 'prompted', problem, approvals: this.#effects(intention) });
  }

  #effects(intention: number): number {
    const ids = this.#promptsOf(intention).flatMap(({ id }) => (id ? this.#copies(id) : []));
    return new Set(ids.filter((id) => this.chain.find(id)?.succeeded === true)).size;
  }

  /** The wallet as seen by a page that delegates for one intention. */
  walletOf(process: Process, random: Random, intention: number, isAgain: boolean): ToyWallet {
    const { scheduler, faults, intensity } = this.#world;
    const takesTime = () => scheduler.sleep(random.between(1_500, 25_000), WORLD);
    const isFaulty = (probability: number) =>
      random.chance(probability * intensity) && faults.take('wallet');
    return {
      chainId: async () => this.chain.id,
      sign: async (text) => {
        await takesTime();
        if (isFaulty(0.2)) throw new ToyWalletError(4001, 'User rejected the request.');
        return this.#wallet.sign(text);
      },
      sendApproval: async (request) => {
        const prompt = this.#open(intention, isAgain);
        await takesTime();
        return this.#confirm(prompt, request, {
          declines: isFaulty(0.3),
          isLost: isFaulty(0.3),
          process,
        });
      },
    };
  }

  #open(intention: number, isAgain: boolean): Prompt {
    const isAlive = this.#promptsOf(intention).some((earlier) => !this.#isDead(earlier));
    const problem =
      isAlive && !isAgain
        ? 'the wallet was asked again for an approval that can have an effect'
        : undefined;
    this.#world.note(`prompt of ${intention}`);
    this.#world.happen({ kind: 'prompted', problem, approvals: this.#effects(intention) });
    const prompt: Prompt = { intention, status: 'open', id: undefined };
    this.#prompts.push(prompt);
    return prompt;
  }

  /** The user confirms or declines, even if the page is gone by then. */
  #confirm(
    prompt: Prompt,
    request: ApprovalRequest,
    { declines, isLost, process }: { declines: boolean; isLost: boolean; process: Process },
  ): string | Promise<string> {
    prompt.status = 'declined';
    if (declines) throw new ToyWalletError(4001, 'User rejected the request.');
    const sent = this.#wallet.confirm(request);
    Object.assign(prompt, { status: 'sent', id: sent.id });
    this.#world.note(`approval ${sent.id.slice(-4)} of ${prompt.intention}`);
    if (!process.isAlive) return new Promise(() => {});
    if (isLost) throw new ToyWalletError(4900, 'disconnected');
    return sent.id;
  }

  /** A node, which may be behind, fail or not respond. */
  nodeOf(process: Process, random: Random): ToyNode {
    const { scheduler, faults, intensity } = this.#world;
    const read = async <T>(ask: (node: ToyNode) => Promise<T>): Promise<T> => {
      await scheduler.sleep(random.between(20, 400), process);
      const isMisleading =
        random.chance(intensity) && this.#misleading < MOST_MISLEADING && faults.take('chain');
      this.#misleading = isMisleading ? this.#misleading + 1 : 0;
      if (!isMisleading) return ask(toyNode(this.chain));
      const lag = random.pick([1, 2, 6]);
      if (random.chance(0.2)) throw new Error('https://node.example/node-key-canary: 429');
      if (random.chance(0.1)) await scheduler.sleep(20_000, process);
      return ask(toyNode(this.chain, lag));
    };
    return {
      chainId: () => read((node) => node.chainId()),
      transaction: (id) => read((node) => node.transaction(id)),
      account: (owner) => read((node) => node.account(owner)),
      transactionsOf: (owner, after) => read((node) => node.transactionsOf(owner, after)),
      allowance: (owner, spender) => read((node) => node.allowance(owner, spender)),
    };
  }
}
