import { createMockPlatform, type MockPlatform } from '../../src/testing/platform.js';
import type { MockUser } from '../../src/testing/state.js';
import { bytesOf, parsed, textOf } from './bytes.js';
import type { Call } from './ledger.js';
import { CALL_HEADER, type Incoming, type Outgoing } from './network.js';
import type { World } from './world.js';

const SESSION_MS = 6 * 60 * 60_000;
/** Fields of a response that must never be printed. */
const SECRET_FIELDS = [
  ...['accessToken', 'token', 'imageUrl', 'hostedPageUrl', 'apiKey', 'api_key'],
  ...['access_token', 'refresh_token', 'nonce'],
];

function learnSecrets({ ledger }: World, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    if (typeof field === 'string' && SECRET_FIELDS.includes(name)) ledger.secrets.add(field, name);
    else learnSecrets({ ledger } as World, field);
  }
}

/** Records a session that a login has started. */
function learnSession(world: World, { userId, accessToken }: Record<string, unknown>): void {
  if (typeof accessToken !== 'string' || typeof userId !== 'string') return;
  noteToken(world, accessToken, world.mock.users.get(userId));
}

/** Records the access token of a renewed OAuth session. */
function learnGrant(world: World, { access_token: token }: Record<string, unknown>): void {
  const session = world.mock.state.sessions.find(({ accessToken }) => accessToken === token);
  if (session === undefined || typeof token !== 'string') return;
  noteToken(world, token, world.mock.users.get(session.userId));
}

/** Records the user of a token. */
export function noteToken({ ledger, scheduler }: World, token: string, user: MockUser): string {
  const expiresAt = scheduler.now + SESSION_MS;
  ledger.tokens.set(token, { token, userId: user.id, region: user.environment, expiresAt });
  ledger.secrets.add(token, 'access token');
  return token;
}

/** The fee that a debit of the history includes. */
export const feeInHistory = ({ scenario: { seed } }: World) => [0, 0, 1, 0, 0, 14.4][seed % 6] ?? 0;

/**
 * The contract does not define how a history spells an amount, nor whether a debit includes the fee,
 * so worlds differ in both. With the fee, the debit of one request looks like that of another one.
 */
function shownHistory(world: World, bytes: Uint8Array): Uint8Array {
  const { seed } = world.scenario;
  const rows = JSON.parse(textOf(bytes)) as { amount: string; sign: string }[];
  const fee = feeInHistory(world);
  const spell = (amount: string) =>
    [amount, String(Number(amount)), Number(amount).toFixed(6)][seed % 3];
  const shown = rows.map(({ amount, ...row }) => {
    const includesFee = fee > 0 && row.sign === 'debit';
    return { ...row, amount: spell(includesFee ? String(Number(amount) + fee) : amount) };
  });
  return bytesOf(JSON.stringify(shown));
}

const tokenOf = (headers: Headers) => headers.get('authorization')?.replace(/^Bearer /, '');

/** The user of a request's token. */
function userOf({ ledger, mock }: World, headers: Headers): MockUser | undefined {
  const userId = ledger.tokens.get(tokenOf(headers) ?? '')?.userId;
  return userId === undefined ? undefined : mock.users.find(userId);
}

/** Lets entries arrive in a history that somebody reads page after page. */
function letArrive(world: World, url: string, user: MockUser): void {
  const { arrivals, mock, faults, intensity } = world;
  const walletId = new URL(url).searchParams.get('walletId') ?? '';
  const wallets = [user.creditWallet, ...user.internalWallets];
  const isKnown = wallets.some(({ id }) => id === walletId);
  if (!isKnown || !arrivals.chance(0.4 * intensity) || !faults.take('arrivals')) return;
  for (let count = arrivals.between(1, 12); count > 0; count--) {
    mock.wallets.deposit(user, walletId, `0.0${arrivals.between(1, 9)}`);
  }
}

/** A GET that does more than read. */
const isFaucet = (url: string) => url.includes('/delegation/token');

function booksOf({ mock }: World, { intention }: Call): string {
  const { operation, user } = intention;
  return String(operation.ledger(mock.users.get(user.id), mock.state));
}

/** Ends the session of a request early, as if its user had signed out elsewhere. */
function revokeSession({ mock }: World, headers: Headers): void {
  const token = tokenOf(headers);
  const index = mock.state.sessions.findIndex(({ accessToken }) => accessToken === token);
  if (index >= 0) mock.state.sessions.splice(index, 1);
}

/**
 * The service: the mock platform, whose state before and after a request shows the effect of the
 * request.
 */
export async function processRequest(world: World, request: Incoming): Promise<Outgoing> {
  const { mock, ledger } = world;
  const call = ledger.callOf(request.headers.get(CALL_HEADER));
  const { url, method, headers, body } = request;
  const isRevoked = world.sessions.chance(0.02 * world.intensity);
  if (isRevoked && headers.has('authorization') && world.faults.take('revoked')) {
    revokeSession(world, headers);
  }
  const user = userOf(world, headers);
  const isOfHistory = url.includes('/wallet/history');
  if (isOfHistory && user !== undefined) letArrive(world, url, user);
  const before = call && booksOf(world, call);
  const send = async () => {
    const sent = await mock.fetch(url, { method, headers, ...(body !== '' && { body }) });
    return { response: sent, received: new Uint8Array(await sent.arrayBuffer()) };
  };
  const isRead = method === 'GET' && !isFaucet(url);
  const changed = call?.intention.user ?? user;
  if (!isRead && changed !== undefined) world.replica.keep(mock.users.get(changed.id));
  const { response, received } = await (isRead ? world.replica.read(user, send) : send());
  const isHistory = isOfHistory && response.ok;
  const bytes = isHistory ? shownHistory(world, received) : received;
  const shown = parsed(bytes);
  learnSecrets(world, shown);
  learnSession(world, shown);
  const { status } = response;
  const sent = parsed(bytesOf(body));
  if (typeof sent['refresh_token'] === 'string') {
    const { refresh_token: refreshToken } = sent;
    learnGrant(world, shown);
    world.happen({ kind: 'refreshed', refreshToken, isAccepted: response.ok });
  }
  world.note(`platform ${status} ${call?.id ?? '-'}`);
  if (call !== undefined) {
    const hadEffect = before !== booksOf(world, call);
    const isSuccess = response.ok && shown['success'] !== false;
    call.processed++;
    call.lastStatus = status;
    if (status === 401) call.refusedTokens++;
    if (isSuccess) call.successes++;
    if (hadEffect) {
      call.effects++;
      call.intention.effects++;
    }
    world.happen({ kind: 'processed', call, hadEffect, isSuccess });
  }
  return { status, headers: response.headers, bytes };
}

/** A platform that uses the ids and the time of the world. */
export function createPlatform(
  seed: number,
  startsAt: number,
  options: Parameters<typeof createMockPlatform>[0],
): MockPlatform {
  return createMockPlatform({ ...options, seed, startsAt });
}
