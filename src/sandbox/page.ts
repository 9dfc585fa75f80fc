import { ENDPOINT_IDS } from '../testing/endpoint-ids.js';
import type { PublicState } from './public-state.js';

const STYLE = `
:root{color-scheme:light dark;--line:#8883;--panel:#8881;--good:#1a7f37;--bad:#c02a2a;--idle:#8a6100}
@media(prefers-color-scheme:dark){:root{--good:#5dd07c;--bad:#ff8a80;--idle:#e8b64c}}
body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:0 auto;padding:2rem 1.5rem}
h1{font-size:1.5rem;margin:0 0 .5rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}
table{border-collapse:collapse;width:100%}
th{font-size:.8rem;font-weight:600;opacity:.75}
th,td{text-align:left;padding:.5rem .7rem;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
code{font-family:ui-monospace,monospace;font-size:.9em}
dl{display:flex;gap:.4rem 2rem;flex-wrap:wrap;margin:0}dt{font-size:.8rem;opacity:.75}dd{margin:0}
form{display:inline-flex;gap:.4rem;flex-wrap:wrap;align-items:center;margin:0}
button,select,input{font:inherit;padding:.25rem .7rem;border:1px solid #8886;border-radius:6px}
button{cursor:pointer}
.faults{display:flex;flex-direction:column;gap:.6rem;align-items:flex-start}
.box{border:1px solid var(--line);border-radius:10px;overflow-x:auto}
.faults.box{padding:.8rem}
.pill{font-size:.8rem;font-weight:600;border:1px solid;border-radius:99px;padding:.1rem .6rem;white-space:nowrap}
.good{color:var(--good)}.bad{color:var(--bad)}.idle{color:var(--idle)}.muted{opacity:.75}`;

const GOOD = ['VERIFIED', 'ACTIVE'];
const BAD = ['REJECTED', 'BLOCKED', 'disabled'];

/** Renders a state in a colour for good, bad or neutral. The text carries the same information. */
function pill(state: string): string {
  const tone = GOOD.includes(state) ? 'good' : BAD.includes(state) ? 'bad' : 'idle';
  return `<span class="pill ${tone}">${escapeHtml(state)}</span>`;
}

/** Renders the status of a response; `null` is a broken connection. */
function statusPill(status: number | null): string {
  if (status === null) return '<span class="pill bad">connection broken</span>';
  return `<span class="pill ${status < 400 ? 'good' : 'bad'}">${status}</span>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML. */
function escapeHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[], empty: string) {
  if (rows.length === 0) return `<p class="muted">${empty}</p>`;
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const body = rows.map((row) => cells('td', row)).join('');
  return `<div class="box"><table><thead>${cells('th', heads)}</thead><tbody>${body}</tbody></table></div>`;
}

function form(action: string, label: string, fields: string): string {
  return `<form method="post" action="/sandbox/actions">${fields}<button name="action" value="${action}">${label}</button></form>`;
}

const amountField = (value: string) =>
  `<label>Amount <input name="amount" value="${value}" size="5" inputmode="decimal"></label>`;

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

function users(state: PublicState): string {
  const rows = state.users.map((user) => [
    `${escapeHtml(user.email)}<br><code class="muted">${escapeHtml(user.id)}</code>`,
    `${pill(user.verificationState)}${user.isDisabled ? ` ${pill('disabled')}` : ''}`,
    user.otp === null ? '' : `<code>${escapeHtml(user.otp)}</code>`,
    user.card ? `${pill(user.card.status)} •••• ${escapeHtml(user.card.panLast4)}` : 'none',
    walletLines(user),
    userActions(user),
  ]);
  const heads = ['User', 'Verification', 'Code sent', 'Card', 'Wallets', 'Actions'];
  return table(heads, rows, 'No users yet.');
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

/**
 * Renders the start page. It has no script and shows only the given state. While it is watched, it
 * reloads every two seconds.
 */
export function startPage(
  state: PublicState,
  { password, nonce, isWatched }: { password: string; nonce: string; isWatched: boolean },
): string {
  const watch = isWatched
    ? '<a href="/">stop watching</a>'
    : '<a href="/">refresh</a> · <a href="/?watch">watch</a>';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${isWatched ? '<meta http-equiv="refresh" content="2">' : ''}
<title>card-platform-sandbox</title><style nonce="${nonce}">${STYLE}</style></head><body>
<h1>card-platform-sandbox</h1>
<dl><div><dt>Base URL</dt><dd><code>${escapeHtml(state.baseUrl)}</code></dd></div>
<div><dt>Clock</dt><dd>${escapeHtml(state.now)}</dd></div>
<div><dt>Password of the demo users</dt><dd><code>${escapeHtml(password)}</code></dd></div>
<div><dt>This page</dt><dd>${watch} · <a href="/sandbox/state">state as JSON</a></dd></div></dl>
<h2>Users</h2>${users(state)}
<h2>Faults</h2><div class="faults box">${faults()}</div>
<h2>Last requests</h2>${requests(state)}
</body></html>
`;
}
