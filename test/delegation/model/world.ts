import { isCardPlatformError } from '../../../src/errors/index.js';
import { CardPlatformClient } from '../../../src/index.js';
import { createMockPlatform, type MockPlatform } from '../../../src/testing/index.js';
import { ToyChain } from '../toy-chain/chain.js';
import { TOY_CURRENCY, TOY_NETWORK } from '../toy-chain/plan.js';
import { ToyWalletApp } from '../toy-chain/wallet.js';
import {
  FATES,
  type Interaction,
  OWNER,
  type Page,
  type Prompt,
  type Run,
  type Saved,
  SPENDER,
  STRANGER,
} from './ledger.js';
import { BrowserLocks, type Tab } from './pages.js';
import { verifyToyProof } from './service.js';

/** The settings that stay the same during one run of the model. */
export type Setting = {
  /** Whether approvals expire after some blocks. */
  expires: boolean;
  /** Whether the platform already has a wallet of somebody else with the same limit. */
  hasStranger: boolean;
};

/** Everything around the flow, and a record of what really happened. */
export class World {
  readonly chain = new ToyChain('toy-1');
  readonly otherChain = new ToyChain('toy-2');
  readonly wallet = new ToyWalletApp(OWNER, this.chain);
  readonly locks = new BrowserLocks();
  readonly mock: MockPlatform;
  readonly client: CardPlatformClient;
  readonly userId: string;
  readonly setting: Setting;
  readonly pages: (Page | undefined)[];
  readonly runs: Run[] = [];
  readonly prompts: Prompt[] = [];
  readonly saved: Saved[] = [];
  /** The violations of a run. */
  readonly violations: string[] = [];
  pending: Interaction[] = [];
  /** The limit that the user wants now. */
  amount = 50n;
  /** Whether an error has allowed another request for the approval. */
  mayApproveAgain = false;
  /** Whether the user has set another limit than the flow asked for. */
  isContested = false;
  /** Consecutive reads of a node that did not show the present. */
  misleadingReads = 0;
  /** When the approvals of the owner changed last, on the chain. */
  changedAt: number;
  #lastLook = '';

  constructor(
    setting: Setting,
    readonly tabs: readonly Tab[],
  ) {
    this.setting = setting;
    this.mock = createMockPlatform({
      additions: [TOY_NETWORK, TOY_CURRENCY],
      verifyEvmProof: (proof) => verifyToyProof(this.chain, proof),
    });
    const user = this.mock.users.add();
    this.userId = user.id;
    if (setting.hasStranger) this.#register(STRANGER);
    let accessToken = this.mock.accessTokenFor(user);
    let issuedAt = this.mock.now;
    this.client = new CardPlatformClient({
      baseUrl: this.mock.baseUrl,
      fetch: this.mock.fetch,
      ...this.mock.credentials,
      retry: false,
      additions: { evmNetworks: [TOY_NETWORK], delegationCurrencies: [TOY_CURRENCY] },
      accessToken: () => {
        if (this.mock.now - issuedAt > 3_600_000) {
          accessToken = this.mock.accessTokenFor(user);
          issuedAt = this.mock.now;
        }
        return accessToken;
      },
    });
    this.pages = tabs.map(() => undefined);
    this.changedAt = this.mock.now;
    for (const tab of tabs) tab.flights.clear();
  }

  #register(address: string): void {
    const entry = { address, currency: TOY_CURRENCY, network: TOY_NETWORK, balance: '0' };
    this.mock.users.get(this.userId).externalWallets.push({ ...entry, allowance: '50' });
  }

  get now(): number {
    return this.mock.now;
  }

  get running(): Run[] {
    return this.runs.filter((run) => run.outcome === undefined && !run.page.isClosed);
  }

  /** Lets time pass for everybody. */
  advance(milliseconds: number): void {
    this.mock.advance(milliseconds);
    this.chain.advance(milliseconds);
    this.noteChanges();
  }

  /** Remembers when the chain last changed for the owner. */
  noteChanges(): void {
    const mined = this.chain.minedUntil().map(({ id, succeeded }) => `${id}${succeeded}`);
    const look = [...mined, this.chain.allowance(OWNER, SPENDER)].join();
    if (look !== this.#lastLook) this.changedAt = this.now;
    this.#lastLook = look;
  }

  /** Settles one of the events that the runs wait for, then waits for its consequences. */
  async settle(place: number, fate: number): Promise<void> {
    const interaction = this.pending[place % this.pending.length];
    if (interaction === undefined) return;
    this.pending = this.pending.filter((other) => other !== interaction);
    const fates: readonly string[] = FATES[interaction.kind];
    await interaction.settle(fates[fate % fates.length] ?? 'ok');
    await this.quiet();
  }

  /** Waits until every run waits for something, or has ended. */
  async quiet(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    this.noteChanges();
  }

  /** Closes the page of a tab. A prompt that is open in the wallet stays open. */
  close(page: Page): void {
    page.isClosed = true;
    this.pending = this.pending.filter(({ run }) => run.page !== page);
    this.locks.releaseAll(page);
    page.tab.flights.clear();
    const place = this.pages.indexOf(page);
    if (place >= 0) this.pages[place] = undefined;
  }

  /** Lets the runs end without any fault. */
  async runToEnd(): Promise<void> {
    for (let turn = 0; turn < 2_000 && this.running.length > 0; turn++) {
      if (this.pending.length === 0) throw new Error('a run waits for nothing');
      await this.settle(0, 0);
    }
    if (this.running.length > 0) throw new Error('a run does not end');
  }

  /** The wallets that the platform has registered for the owner. */
  registered() {
    return this.mock.users
      .get(this.userId)
      .externalWallets.filter(({ address }) => address === OWNER);
  }

  end(run: Run, outcome: NonNullable<Run['outcome']>): void {
    if (run.page.isClosed) return;
    run.outcome = outcome;
    if ('error' in outcome && isCardPlatformError(outcome.error)) {
      if (outcome.error.code === 'approval_unknown') this.mayApproveAgain = true;
    }
  }
}
