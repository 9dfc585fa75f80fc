import { type AcceptedAdditions, readAdditions } from './additions.js';
import { defaultChainConfig } from './chain-config.js';
import { requireInteger, requireTime } from './check-options.js';
import { choicesFrom } from './choices.js';
import { callEach, MockClock } from './clock.js';
import { copyData } from './copy-data.js';
import { Deliveries } from './deliveries.js';
import { cardActivated, changeVerification, type Emit } from './events.js';
import { Identifiers } from './identifiers.js';
import { credentialsOf, type MockPlatformOptions } from './options.js';
import type { MockSnapshot, MockState, MockUser } from './state.js';
import { DEFAULT_TENANT } from './tenants.js';

/** Returns the state of a new platform. */
function emptyState({
  chainConfig,
  usChainConfig,
  choices,
  ...options
}: MockPlatformOptions): MockState {
  return {
    users: [],
    sessions: [],
    loginAttempts: [],
    otps: [],
    delegationTokens: [],
    consentSets: [],
    auditRecords: [],
    webhooks: [],
    deliveries: [],
    pages: [],
    products: [{ id: 'metal-card', description: 'Metal card', isEligible: true }],
    // Copies, so that a reset finds what the test has passed.
    chainConfig: copyData(chainConfig ?? defaultChainConfig()),
    usChainConfig: copyData(usChainConfig ?? null),
    choices: choicesFrom(choices),
    tenants: [{ name: DEFAULT_TENANT, ...credentialsOf(options) }],
    isReferralActive: true,
    isCustodial: true,
    isNotificationServiceConfigured: true,
  };
}

function completeVerification(user: MockUser, now: number, emit: Emit): void {
  if (user.verification === null || user.verification.doneAt > now) return;
  const { result } = user.verification;
  user.verification = null;
  changeVerification(user, result, emit);
}

function completeProvisioning(user: MockUser, now: number, emit: Emit): void {
  const { card } = user;
  if (card?.status !== 'PENDING' || now < card.activeAt) return;
  card.status = 'ACTIVE';
  emit(cardActivated(user, card));
}

/** Completes the verifications and the card provisionings that are due. */
function applyElapsedTime({ users }: MockState, clock: MockClock, emit: Emit): void {
  const now = clock.now();
  for (const user of users) {
    completeVerification(user, now, emit);
    completeProvisioning(user, now, emit);
  }
}

/**
 * Returns a copy of a snapshot.
 *
 * @throws TypeError for a time or a position that cannot be one
 */
export function readSnapshot({ state, now, ids }: MockSnapshot): MockSnapshot {
  return { state: copyData(state), now: requireTime('now', now), ids: requireInteger('ids', ids) };
}

const DEFAULT_START = Date.UTC(2026, 0, 1);
const DEFAULT_SEED = 1;

/** The state, the clock, the id generator and the deliveries of a mock platform. */
export class Simulation {
  readonly clock: MockClock;
  readonly ids: Identifiers;
  readonly deliveries: Deliveries;
  readonly additions: AcceptedAdditions;
  state: MockState;
  readonly #options: MockPlatformOptions;

  constructor(options: MockPlatformOptions) {
    const { startsAt = DEFAULT_START, seed = DEFAULT_SEED } = options;
    this.#options = options;
    this.clock = new MockClock(startsAt);
    this.ids = new Identifiers(requireInteger('seed', seed));
    this.additions = readAdditions(options.additions);
    this.state = emptyState(options);
    this.deliveries = new Deliveries(this, options);
  }

  /** Moves the clock, and applies everything that is due then. */
  advance(ms: number): void {
    callEach([
      () => this.clock.advance(ms),
      () => this.applyElapsedTime(),
      () => this.deliveries.retryDue(),
    ]);
  }

  /** Applies everything that is due at the current time. */
  applyElapsedTime(): void {
    applyElapsedTime(this.state, this.clock, (event) => this.deliveries.emit(event));
  }

  reset(): void {
    this.deliveries.abandon();
    this.state = emptyState(this.#options);
    this.ids.restart();
    this.clock.set();
  }

  snapshot(): MockSnapshot {
    return { state: copyData(this.state), now: this.clock.now(), ids: this.ids.state };
  }

  /** Takes a snapshot over, as `readSnapshot` has returned it. */
  restore({ state, now, ids }: MockSnapshot): void {
    this.deliveries.abandon();
    this.state = state;
    this.ids.restart(ids);
    this.deliveries.resume(now);
    // Last, because it calls the listeners of `onTimeChange`, which may throw.
    this.clock.set(now);
  }
}
