import type { Outcome } from '../../src/errors/index.js';
import type { MockUser } from '../../src/testing/state.js';
import { Entries } from './entries.js';
import type { Operation } from './operations.js';
import type { Process } from './process.js';
import { Secrets } from './secrets.js';

/** Something that a user wants to happen once. All of its calls act for the same intention. */
export type Intention = {
  readonly id: number;
  readonly user: MockUser;
  readonly operation: Operation;
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly calls: Call[];
  /** How often the platform has executed it, according to the platform's own state. */
  effects: number;
  /** The call whose lookup reported that it was not executed. */
  deniedBy: string | undefined;
};

/** One call of an application. */
export type Call = {
  readonly id: number;
  readonly intention: Intention;
  readonly process: Process;
  readonly startedAt: number;
  /** The latest time at which it must have ended. */
  readonly endsBy: number;
  readonly hasJournal: boolean;
  /** Whether it is sent without an entry if the store fails. */
  readonly mayLackEntry: boolean;
  /** How many requests the options of its client allow. */
  readonly mostRequests: number;
  /** Whether no fault could happen any more when it began. */
  readonly startedInCalm: boolean;
  /** Requests that may have reached the service. */
  sent: number;
  /** Requests that may have reached the proxy of a page. */
  sentToProxy: number;
  /** How many of those something on the way has sent a second time. */
  repeatedToProxy: number;
  /** Requests that the service refused because of their token. */
  refusedTokens: number;
  /** Requests that the service has processed. */
  processed: number;
  effects: number;
  /** How often the service has processed it with success, with or without a change. */
  successes: number;
  /** Whether the newest response was a success of the service itself, complete and in time. */
  hasSuccess: boolean;
  /** The status of the service's newest response. */
  lastStatus: number | undefined;
  /** The outcome that the caller got; `undefined` while it runs, or after a crash. */
  outcome: Outcome | undefined;
  /**
   * Whether another call may have rejected with the same value, such as the error of the application's
   * own renewal. If the calls end differently, the value stands for `unknown`.
   */
  mayShareError: boolean;
  abortedAt: number | undefined;
  /** The journal's id of its entry, once that was written. */
  entryId: string | undefined;
  /** Whether a look has found that it was executed. */
  isFound: boolean;
  /** The process that acts on a verdict of `recover` at this moment. */
  handler: Process | undefined;
};

/** An error or another text that leaves the package: for a log, a screen or a store. */
export type Shown = { readonly where: string; readonly text: string };

/** An event of a run that invariants check. */
export type Happening =
  | { kind: 'sent'; call: Call | undefined; process: Process; url: string; headers: Headers }
  | { kind: 'processed'; call: Call; hadEffect: boolean; isSuccess: boolean }
  | { kind: 'ended'; call: Call; error: unknown; result: unknown; signal: AbortSignal }
  | { kind: 'reconciled'; call: Call; verdict: string }
  | { kind: 'handled'; call: Call; process: Process; verdict: string }
  | { kind: 'refreshed'; refreshToken: string; isAccepted: boolean }
  | { kind: 'shown'; shown: Shown }
  | { kind: 'prompted'; problem: string | undefined; approvals: number }
  | { kind: 'proved'; problem: string | undefined }
  | { kind: 'delivered'; problem: string | undefined }
  | { kind: 'died'; process: Process }
  | { kind: 'step' }
  | { kind: 'over' };

/** An access token and its user. */
export type IssuedToken = {
  readonly token: string;
  readonly userId: string;
  readonly region: 'global' | 'us';
  readonly expiresAt: number;
};

/** Records what really happened, which only the simulation knows. */
export class Ledger {
  readonly intentions: Intention[] = [];
  readonly calls: Call[] = [];
  readonly running = new Set<Call>();
  readonly tokens = new Map<string, IssuedToken>();
  /** When the tokens of sessions end, by the clock of the phone that has them. */
  readonly sessionEnds = new Map<string, number>();
  /**
   * Refresh tokens that the service has accepted, and that must not be sent again. The network excuses
   * those of requests to which it forged a failure in the words of the service.
   */
  readonly usedRefreshTokens = new Set<string>();
  readonly processes: Process[] = [];
  readonly secrets = new Secrets();
  readonly entries = new Entries<Call>();
  openExchanges = 0;
  requests = 0;

  newIntention(user: MockUser, operation: Operation, input: Intention['input']): Intention {
    const { length: id } = this.intentions;
    const intention: Intention = {
      id,
      user,
      operation,
      input,
      calls: [],
      effects: 0,
      deniedBy: undefined,
    };
    this.intentions.push(intention);
    return intention;
  }

  callOf(id: string | null): Call | undefined {
    return id === null ? undefined : this.calls[Number(id)];
  }
}
