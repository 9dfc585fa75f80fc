import type { Invariant } from './invariant.js';

const bearer = (headers: Headers) => /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1];

/** A request carries the token of the user whom it is for, and of nobody else. */
export const tokenOfUser: Invariant = {
  name: 'token-of-its-user',
  on: ['sent'],
  check: ({ ledger }, happening) => {
    if (happening.kind !== 'sent' || happening.call === undefined) return;
    const token = bearer(happening.headers);
    if (token === undefined) return;
    const { user, operation } = happening.call.intention;
    const issued = ledger.tokens.get(token);
    if (issued === undefined || issued.userId === user.id) return;
    return `${operation.id} of ${user.email} has the token of another user`;
  },
};

/** Endpoints for which the contract has no routing. */
const NOT_ROUTED = /^(?:webhooks|orders)\./;

/** A request goes to the region of its user. */
export const regionOfUser: Invariant = {
  name: 'region-of-its-user',
  on: ['sent'],
  check: ({ mock }, happening) => {
    if (happening.kind !== 'sent' || happening.call === undefined) return;
    // A page leaves the region to its proxy.
    if (!happening.url.startsWith(mock.baseUrl)) return;
    const { user, operation } = happening.call.intention;
    const isUs = happening.headers.get('x-us-env') === 'true';
    const mustBeUs = user.environment === 'us' && !NOT_ROUTED.test(operation.id);
    if (isUs === mustBeUs) return;
    return `${operation.id} of a user in ${user.environment} was sent to ${isUs ? 'us' : 'global'}`;
  },
};

/** A session provides no expired token. A call keeps its token over all of its attempts. */
export const tokenIsFresh: Invariant = {
  name: 'no-expired-token',
  on: ['sent'],
  check: ({ ledger }, happening) => {
    if (happening.kind !== 'sent' || happening.call === undefined) return;
    const { process, intention, startedAt } = happening.call;
    const end = ledger.sessionEnds.get(bearer(happening.headers) ?? '');
    if (end === undefined || startedAt + process.skew < end) return;
    return `a token that has expired was sent with ${intention.operation.id}`;
  },
};

/** A refresh token that the service has accepted is not sent again, unless it was excused. */
export const refreshTokenOnce: Invariant = {
  name: 'refresh-token-once',
  on: ['refreshed'],
  check: ({ ledger }, happening) => {
    if (happening.kind !== 'refreshed') return;
    const { refreshToken, isAccepted } = happening;
    if (ledger.usedRefreshTokens.has(refreshToken)) return 'a used refresh token was sent again';
    if (isAccepted) ledger.usedRefreshTokens.add(refreshToken);
    return undefined;
  },
};
