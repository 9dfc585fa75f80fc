import type { DelegationResult } from '../../../src/delegation/options.js';
import type { ToyTransaction } from '../toy-chain/chain.js';
import type { ToyDelegation } from '../toy-chain/plan.js';
import type { ApprovalRequest } from '../toy-chain/wallet.js';
import type { Tab } from './pages.js';

export const OWNER = '0x1111111111111111111111111111111111111111';
export const STRANGER = '0x2222222222222222222222222222222222222222';
export const SPENDER = '0x3333333333333333333333333333333333333333';
/** The key in the URL of the node. */
export const NODE_KEY = 'node-key-canary';

/** A page that is open in a tab. */
export type Page = {
  readonly tab: Tab;
  isClosed: boolean;
  /** The client that its flows share. */
  client: ToyDelegation['client'] | undefined;
  /** The run whose flow is running, or was the last one. */
  run: Run | undefined;
};

/** A request for an approval that a run showed in the wallet. */
export type Prompt = {
  readonly run: Run;
  readonly request: ApprovalRequest;
  status: 'open' | 'declined' | 'sent';
  transaction?: ToyTransaction;
};

/** A state that a page has saved, and the prompts that had been shown when it was the newest one. */
export type Saved = { readonly json: string; readonly known: Set<Prompt> };

/** One call of the flow. */
export type Run = {
  readonly number: number;
  readonly page: Page;
  readonly amount: bigint;
  readonly controller: AbortController;
  /** The prompts that its states contain: its own, and those of the state from which it started. */
  readonly known: Set<Prompt>;
  newest: Saved | undefined;
  step: string;
  sleptMs: number;
  interactionCount: number;
  outcome: { result: DelegationResult } | { error: unknown } | undefined;
};

/** An event that a run waits for. */
export type Interaction = {
  readonly run: Run;
  readonly kind: InteractionKind;
  /** Lets it happen, in one of its ways. */
  settle(fate: string): Promise<void>;
};

/** The possible results of each kind of interaction; the first one is the normal case. */
export const FATES = {
  'wallet chain': ['ok', 'fails', 'closes page'],
  sign: ['ok', 'declined', 'fails', 'closes page'],
  approve: [
    'ok',
    'declined',
    'response lost',
    'nothing sent',
    'edited',
    'closes page',
    'left open',
  ],
  node: ['ok', 'behind', 'fails', 'far behind', 'hangs', 'closes page'],
  token: ['ok', 'response lost', 'request lost', '503', 'closes page'],
  submit: ['ok', 'response lost', 'request lost', '503', '500', 'refused', 'closes page'],
  list: ['ok', 'stale', '503', 'response lost', 'closes page'],
  sleep: ['ok', 'closes page'],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export type InteractionKind = keyof typeof FATES;
