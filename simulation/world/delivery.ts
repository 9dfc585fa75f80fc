import type { EndpointId } from '../../src/contract/endpoints.js';
import type { Random } from '../engine/random.js';
import { type FaultKind, LIES } from './faults.js';
import type { Call } from './ledger.js';
import type { World } from './world.js';

/** The response that a caller receives in place of the service's own. */
export type Forged = { status: number; type: string; body: string; headers?: [string, string][] };

/** What happens to one request. Times are in milliseconds. */
export type Delivery = {
  /** How long the request and the response are in transit. */
  readonly there: number;
  readonly back: number;
  /** Whether the service processes it. */
  readonly isProcessed: boolean;
  /** How the request ends for the caller. */
  readonly ends: 'response' | 'refused' | 'reset' | 'silence';
  readonly forged?: ((request: { headers: Headers; body: string }) => Forged) | undefined;
  /**
   * Whether only a success is replaced, so that the unusable response belongs to something that was
   * done.
   */
  readonly isOfSuccess?: boolean | undefined;
  readonly body?: 'cut' | 'stalls' | 'drips' | undefined;
  readonly isRepeated?: boolean | undefined;
};

const HTML = '<html><body><h1>Something went wrong</h1></body></html>';
/** Refusals that the contract documents, inside an error that is not a refusal. */
const REFUSALS = [
  'Insufficient balance',
  'User already has a card',
  'Card is not frozen',
  'Maximum 5 wallets can be linked',
  'Notification service is not configured',
] as const;
/** The operations that each of them refuses. */
const REFUSAL_OF: Partial<Record<EndpointId, (typeof REFUSALS)[number]>> = {
  'wallets.credit.withdraw': 'Insufficient balance',
  'wallets.internal.withdraw': 'Insufficient balance',
  'wallets.internal.linkToCard': 'Maximum 5 wallets can be linked',
  'card.order': 'User already has a card',
  'card.unfreeze': 'Card is not frozen',
};
const HASH = `0x${'5a'.repeat(32)}`;
const json = (status: number, body: unknown): Forged => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

/**
 * Whether a response says in the words of the service that it failed. A page comes from a proxy, and a
 * gateway sends 502 and 504, perhaps for a response that it has lost.
 */
export const isFailureOfService = ({ status, type }: Forged): boolean =>
  type === 'application/json' && status >= 500 && status !== 502 && status !== 504;

const html = (status: number): Forged => ({ status, type: 'text/html', body: HTML });

function misleading(
  random: Random,
  call: Call | undefined,
): Pick<Delivery, 'isProcessed' | 'forged'> {
  const other = random.pick(REFUSALS);
  const own = call && REFUSAL_OF[call.intention.operation.id];
  // Usually one that this call could really get.
  const message = random.chance(0.7) ? (own ?? other) : other;
  const kind = call?.intention.operation.retryClass === 'never' ? random.between(0, 3) : 0;
  const body = [
    json(random.pick([500, 502, 503]), { message }),
    json(502, { message: `Withdrawal executed, but: ${message}` }),
    json(500, { message, txHash: HASH }),
    json(200, { success: false, message, txHash: HASH }),
  ][kind] as Forged;
  return { isProcessed: kind > 0 || random.chance(0.7), forged: () => body };
}

/** What a 2xx may say instead of the documented success. */
function words(random: Random, call: Call | undefined): Forged {
  const own = call && REFUSAL_OF[call.intention.operation.id];
  const message = own ?? random.pick(REFUSALS);
  const body = random.pick([
    { message },
    { code: 'INSUFFICIENT_BALANCE' },
    { ok: false },
    { status: 'FAILED' },
    { errors: [{ message }] },
    { error: message },
    { data: { success: false } },
    { message: 'Your request was received' },
    { success: 'maybe' },
  ]);
  return json(200, body);
}

/** The commands for which an empty response proves nothing. The others are the proofs of a delegation. */
export const MONEY: readonly string[] = [
  'wallets.credit.withdraw',
  'wallets.internal.withdraw',
  'orders.create',
  'card.order',
] satisfies EndpointId[];

function badBody(random: Random): Forged {
  const body = random.pick(['', 'null', '[]', '{}', HTML, '{"success":tr', '"ok"', '{"txHash":']);
  return { status: 200, type: 'application/json', body };
}

function echo(random: Random): NonNullable<Delivery['forged']> {
  const status = random.pick([500, 502]);
  return ({ headers, body }) =>
    json(status, {
      message: `upstream failed: ${JSON.stringify(Object.fromEntries(headers))} ${body}`,
      details: [body],
      requestId: headers.get('authorization'),
    });
}

/** A request that a fault may meet. */
export type Target = {
  /** The call that it belongs to; `undefined` for those of a delegation. */
  readonly call: Call | undefined;
  readonly method: string;
  /** The path of its URL. */
  readonly path: string;
};

type Draw = (random: Random, call: Call | undefined) => Partial<Delivery>;

const retryClassOf = (call: Call | undefined) => call?.intention.operation.retryClass;

/** The operation of a request; without a call, its method and path. */
const operationOf = ({ call, method, path }: Target): string =>
  call?.intention.operation.id ?? `${method} ${path}`;

/** Whether a request does more than read. */
const isCommand = ({ call, method }: Target): boolean =>
  call === undefined ? method !== 'GET' : retryClassOf(call) !== 'safe';

const movesMoney = (target: Target): boolean =>
  target.call === undefined ? isCommand(target) : MONEY.includes(operationOf(target));

/** How each network fault is drawn, and which calls it can affect. */
const FAULTS: readonly {
  kind: FaultKind;
  meets?: (target: Target) => boolean;
  draw: Draw;
}[] = [
  { kind: 'refused', draw: () => ({ ends: 'refused', isProcessed: false }) },
  {
    kind: 'reset',
    draw: (random) => ({ ends: 'reset', isProcessed: random.chance(0.6) }),
  },
  {
    kind: 'lost',
    draw: (random) => ({ ends: 'silence', isProcessed: random.chance(0.6) }),
  },
  // The service works on a request, and then takes to show its effect, for less than five minutes:
  // `reconcile` relies on it. A request of the page can be late twice, on its way to the proxy too.
  {
    kind: 'late',
    draw: (random, call) => {
      const isOfPage = call?.process.machine.name === 'browser';
      return { there: random.between(10_000, isOfPage ? 85_000 : 230_000) };
    },
  },
  {
    kind: 'duplicate',
    meets: ({ call }) => retryClassOf(call) === 'safe',
    draw: () => ({ isRepeated: true }),
  },
  { kind: 'cut-body', draw: () => ({ body: 'cut' }) },
  { kind: 'slow-body', draw: (random) => ({ body: random.pick(['stalls', 'drips'] as const) }) },
  {
    kind: 'proxy-page',
    draw: (random) => {
      const page = html(random.pick([502, 503, 504, 408, 500]));
      return { isProcessed: random.chance(0.5), forged: () => page };
    },
  },
  {
    kind: 'firewall',
    // A 4xx counts as a refusal if a second request does no harm; see docs/evidence/reliability.md.
    meets: ({ call }) => retryClassOf(call) === 'never' || retryClassOf(call) === 'safe',
    draw: (random) => {
      // Only a 401 may lead to another request.
      const page = html(random.pick([401, 401, 401, 403, 404, 409, 422]));
      return { forged: () => page };
    },
  },
  {
    kind: 'rate-limit',
    draw: (random) => {
      const wait = random.pick(['1', '20', '999999', 'soon', '-5']);
      const body = json(429, { message: 'Too many requests' });
      return {
        isProcessed: false,
        forged: () => ({ ...body, headers: [['retry-after', wait]] }),
      };
    },
  },
  { kind: 'misleading', draw: misleading },
  {
    kind: 'echo',
    draw: (random) => ({ isProcessed: random.chance(0.5), forged: echo(random) }),
  },
  {
    kind: 'bad-body',
    draw: (random, call) => {
      const body = badBody(random);
      // No client can distinguish an empty list from the real one.
      const isList = body.body === '[]' && (retryClassOf(call) ?? 'safe') === 'safe';
      return { forged: () => (isList ? { ...body, body: '[' } : body), isOfSuccess: true };
    },
  },
  {
    kind: 'portal',
    draw: (random) => {
      const page = html(random.pick([200, 203]));
      return { isProcessed: random.chance(0.5), forged: () => page };
    },
  },
  {
    kind: 'words',
    meets: isCommand,
    draw: (random, call) => {
      const said = words(random, call);
      return { isProcessed: random.chance(0.5), forged: () => said };
    },
  },
  {
    kind: 'empty-money',
    meets: movesMoney,
    draw: (random) => {
      const body = random.pick(['', '{}', 'null']);
      const status = body === '' ? random.pick([200, 204, 205]) : 200;
      const type = 'application/json';
      return { isProcessed: random.chance(0.5), forged: () => ({ status, type, body }) };
    },
  },
  {
    kind: 'redirect',
    draw: (random) => {
      const status = random.pick([301, 302, 307, 308]);
      const location: [string, string] = ['location', 'https://elsewhere.example/steal'];
      return {
        isProcessed: random.chance(0.5),
        forged: () => ({ status, type: 'text/plain', body: '', headers: [location] }),
      };
    },
  },
];

/**
 * Whether a request of the calm end meets the one thing that a client must overcome there: the first
 * connection of a read breaks, and that of a phone's first login.
 */
function hasHiccup({ isCalm, ledger }: World, call: Call | undefined): boolean {
  if (!isCalm || call === undefined || call.sent + call.sentToProxy > 0) return false;
  const { operation } = call.intention;
  if (operation.retryClass === 'safe') return call.startedInCalm && call.mostRequests > 1;
  if (operation.id !== 'auth.login' || call.process.machine.name !== 'phone') return false;
  return !ledger.calls.some(
    (other) =>
      other !== call &&
      other.startedInCalm &&
      other.process === call.process &&
      other.intention.operation.id === 'auth.login',
  );
}

/** Whether a request is a withdrawal whose response must get lost, so that the journal is asked. */
function isOfWitness({ isCalm }: World, call: Call | undefined): boolean {
  const { process, intention } = call ?? {};
  const isWithdrawal = intention?.operation.id === 'wallets.credit.withdraw';
  // One that asks for more than there is gets its refusal.
  const isSmall = String(intention?.input?.['amount']).length === 1;
  return isCalm && process?.machine.name === 'witness' && isWithdrawal && isSmall;
}

/** What commands meet more often than other faults: lies, of a success status and of an error. */
const LYING = FAULTS.filter(({ kind }) => [...LIES, 'misleading'].includes(kind));

/** What loses the response to a request that was done, or puts a page in its place. */
const LOSING = FAULTS.filter(({ kind }) => ['reset', 'lost', 'proxy-page'].includes(kind));

/** What shows the password of a login in another spelling. */
const ECHO = FAULTS.filter(({ kind }) => kind === 'echo');

/** Whether a request renews a session with a refresh token. */
const isRenewal = ({ path }: Target): boolean => path === '/v1/auth/oauth/token';

/** The faults of which one meets a request. */
function faultsFor(target: Target, isLie: boolean): typeof FAULTS {
  // A refresh token is used up by a renewal whose response gets lost.
  if (isRenewal(target)) return isLie ? FAULTS : LOSING;
  if (!isLie) return FAULTS;
  const lies = LYING.filter(({ meets }) => meets?.(target) !== false);
  return target.path === '/v1/auth/login' ? lies.flatMap((lie) => [lie, ...ECHO]) : lies;
}

/** Draws what happens to a request. */
export function drawDelivery(world: World, random: Random, target: Target): Delivery {
  const { call } = target;
  const isSlow = random.chance(0.03 * world.intensity) && world.faults.allows('lost');
  const usual: Delivery = {
    there: random.between(2, 60) + (isSlow ? random.between(1_000, 12_000) : 0),
    back: random.between(2, 60),
    isProcessed: true,
    ends: 'response',
  };
  // Renewals are few.
  const isFaulty = random.chance(
    isRenewal(target) ? Math.max(world.intensity, 0.3) : world.intensity,
  );
  const isLie = random.chance(0.35) && isCommand(target);
  const fault = random.pick(faultsFor(target, isLie));
  const drawn = fault.draw(random, call);
  if (isOfWitness(world, call)) {
    const ends = random.pick(['reset', 'silence'] as const);
    return { ...usual, ends, isProcessed: random.chance(0.5) };
  }
  if (hasHiccup(world, call)) return { ...usual, ends: 'reset', isProcessed: false };
  if (!isFaulty || fault.meets?.(target) === false) return usual;
  const operation = isCommand(target) ? operationOf(target) : undefined;
  if (!world.faults.take(fault.kind, operation)) return usual;
  return { ...usual, ...drawn };
}
