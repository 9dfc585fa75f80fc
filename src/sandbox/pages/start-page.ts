import { ENDPOINT_IDS } from '../../testing/endpoint-ids.js';
import { DEFAULT_PASSWORD } from '../../testing/users.js';
import { DEMO_LOGINS } from '../demo-users.js';
import type { PublicState } from '../public-state.js';
import { escapeHtml, layout, table } from './html.js';

const GOOD = ['VERIFIED', 'ACTIVE'];
const BAD = ['REJECTED', 'BLOCKED', 'disabled', 'locked', 'forbidden'];

/** Renders a state in a colour for good, bad or neutral. The text carries the same information. */
function pill(state: string): string {
  const tone = GOOD.includes(state) ? 'good' : BAD.includes(state) ? 'bad' : 'idle';
  return `<span class="pill ${tone}">${escapeHtml(state)}</span>`;
}

/** Renders the status of a response; `null` while there is none, and if the connection broke. */
function statusPill(status: number | null): string {
  if (status === null) return '<span class="pill bad">no response</span>';
  return `<span class="pill ${status < 400 ? 'good' : 'bad'}">${status}</span>`;
}

function form(action: string, label: string, fields: string): string {
  return `<form method="post" action="/sandbox/actions">${fields}<button name="action" value="${action}">${label}</button></form>`;
}

const amountField = (value: string) =>
  `<input name="amount" value="${value}" aria-label="Amount" inputmode="decimal">`;

function userActions(user: PublicState['users'][number]): string {
  const id = `<input type="hidden" name="user" value="${escapeHtml(user.id)}">`;
  return [
    user.verificationState !== 'VERIFIED' && form('verify', 'Verify', id),
    user.verificationState !== 'VERIFIED' && form('reject', 'Reject', id),
    user.card?.status === 'PENDING' && form('provision', 'Provision card', id),
    user.card && user.card.status !== 'BLOCKED' && form('block', 'Block card', id),
    user.card && form('pay', 'Pay', `${id}${amountField('3.50')}`),
    form('deposit', 'Deposit', `${id}${amountField('25')}`),
    user.isLinked ? form('forbid', 'Forbid', id) : form('permit', 'Permit', id),
  ]
    .filter(Boolean)
    .join(' ');
}

function walletLines({
  creditWallet,
  internalWallets,
  externalWallets,
}: PublicState['users'][number]) {
  return [
    `credit ${creditWallet.balance}`,
    ...internalWallets.map(
      (wallet) =>
        `${wallet.network} ${wallet.balance} ${wallet.currency}${wallet.isLinked ? ', linked' : ''}`,
    ),
    ...externalWallets.map(
      (wallet) => `own ${wallet.network}: up to ${wallet.allowance} ${wallet.currency}`,
    ),
  ]
    .map(escapeHtml)
    .join('<br>');
}

/** How a demo user logs in. */
function login({ email }: PublicState['users'][number]): string {
  const [, way] = DEMO_LOGINS.find(([demo]) => demo === email) ?? [];
  return way === undefined ? '' : `<br><span class="muted">${escapeHtml(way)}</span>`;
}

function accountPills(user: PublicState['users'][number]): string[] {
  return [
    user.verificationState,
    ...(user.environment === 'us' ? ['US'] : []),
    ...(user.isDisabled ? ['disabled'] : []),
    ...(user.isLocked ? ['locked'] : []),
    ...(user.isLinked ? [] : ['forbidden']),
  ];
}

function users(state: PublicState): string {
  const rows = state.users.map((user) => [
    `${escapeHtml(user.email)}<br><code class="muted">${escapeHtml(user.id)}</code>${login(user)}`,
    accountPills(user).map(pill).join(' '),
    user.otp === null ? '' : `<code>${escapeHtml(user.otp)}</code>`,
    user.card ? `${pill(user.card.status)}<br>•••• ${escapeHtml(user.card.panLast4)}` : 'none',
    walletLines(user),
    userActions(user),
  ]);
  const heads = ['User', 'Account', 'Code sent', 'Card', 'Wallets', 'Actions'];
  return table(heads, rows, 'No users yet.');
}

/** The codes that the observed calls have sent. Without those calls there are none. */
function messages(state: PublicState): string {
  if (state.messages.length === 0) return '';
  const rows = [...state.messages]
    .reverse()
    .map(({ to, purpose, code, sentAt }) => [
      escapeHtml(to),
      escapeHtml(purpose),
      `<code>${escapeHtml(code)}</code>`,
      escapeHtml(sentAt),
    ]);
  return `<h2>Messages</h2>${table(['To', 'For', 'Code', 'Sent'], rows, '')}`;
}

function requests(state: PublicState): string {
  const rows = [...state.requests]
    .reverse()
    .map(({ operation, method, path, status }) => [
      escapeHtml(operation ?? 'unknown endpoint'),
      `<code>${escapeHtml(`${method} ${path}`)}</code>`,
      statusPill(status),
    ]);
  return table(['Endpoint', 'Request', 'Status'], rows, 'No requests yet.');
}

function faults(): string {
  const options = ENDPOINT_IDS.map((id) => `<option>${id}</option>`).join('');
  const which = `<label>Endpoint <select name="endpoint">${options}</select></label>`;
  const status =
    '<label>Status <input name="status" value="503" size="4" inputmode="numeric"></label>';
  const minutes =
    '<label>Minutes <input name="minutes" value="10" size="4" inputmode="numeric"></label>';
  return [
    form('fail', 'Fail the next call', which + status),
    form('drop', 'Lose the next response', which),
    form('advance', 'Advance the clock', minutes),
  ].join('');
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** How far the clock is ahead of real time, in its two largest units. */
function offset({ clockAhead }: PublicState): string {
  let rest = clockAhead;
  const parts = UNITS.map(([unit, ms]) => {
    const count = Math.floor(rest / ms);
    rest -= count * ms;
    return { count, text: `${count} ${unit}${count === 1 ? '' : 's'}` };
  });
  const shown = parts.filter(({ count }) => count > 0).slice(0, 2);
  if (shown.length === 0) return '';
  const ahead = shown.map(({ text }) => text).join(' ');
  return `<br><span class="muted">${ahead} ahead of real time; deliveries are signed at the real time</span>`;
}

/**
 * Renders the start page. It shows only the given state. While it is watched, it reloads every two
 * seconds.
 */
export function startPage(
  state: PublicState,
  { nonce, isWatched }: { nonce: string; isWatched: boolean },
): string {
  const watch = isWatched
    ? '<a href="/">stop watching</a>'
    : '<a href="/">refresh</a> · <a href="/?watch">watch</a>';
  const body = `<dl><div><dt>Base URL</dt><dd><code>${escapeHtml(state.baseUrl)}</code></dd></div>
<div><dt>Clock</dt><dd>${escapeHtml(state.now)}${offset(state)}</dd></div>
<div><dt>Password of the demo users</dt><dd><code>${escapeHtml(DEFAULT_PASSWORD)}</code></dd></div>
<div><dt>This page</dt><dd>${watch}</dd></div></dl>
<h2>Users</h2>${users(state)}
${messages(state)}
<h2>Faults</h2><div class="faults box">${faults()}</div>
<h2>Last requests</h2>${requests(state)}`;
  const head = isWatched ? '<meta http-equiv="refresh" content="2">' : '';
  return layout(body, { path: '/', nonce, head });
}
