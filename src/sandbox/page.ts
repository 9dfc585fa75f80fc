import { ENDPOINT_IDS } from '../testing/endpoint-ids.js';
import type { PublicState } from './state.js';

const STYLE = `
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #8884;vertical-align:top}
code{font-family:ui-monospace,monospace}
form{display:inline-flex;gap:.4rem;flex-wrap:wrap;align-items:center;margin:0}
button,select,input{font:inherit;padding:.2rem .6rem}
.scroll{overflow-x:auto}.muted{opacity:.7}`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in the page. */
export function escapeHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[], empty: string) {
  if (rows.length === 0) return `<p class="muted">${empty}</p>`;
  const cells = (tag: string, row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const body = rows.map((row) => cells('td', row)).join('');
  return `<div class="scroll"><table><thead>${cells('th', heads)}</thead><tbody>${body}</tbody></table></div>`;
}

function form(action: string, label: string, fields: string): string {
  return `<form method="post" action="/sandbox/actions">${fields}<button name="action" value="${action}">${label}</button></form>`;
}

function userActions(user: PublicState['users'][number]): string {
  const id = `<input type="hidden" name="user" value="${escapeHtml(user.id)}">`;
  return [
    user.verificationState !== 'VERIFIED' && form('verify', 'Verify', id),
    user.verificationState !== 'VERIFIED' && form('reject', 'Reject', id),
    user.card?.status === 'PENDING' && form('provision', 'Provision card', id),
    user.card && user.card.status !== 'BLOCKED' && form('block', 'Block card', id),
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
        `${wallet.network} ${wallet.balance} ${wallet.currency}${wallet.isLinked ? ', pays' : ''}`,
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
    escapeHtml(user.verificationState),
    user.otp === null ? '' : `<code>${escapeHtml(user.otp)}</code>`,
    user.card ? escapeHtml(`${user.card.status} •••• ${user.card.panLast4}`) : 'none',
    walletLines(user),
    userActions(user),
  ]);
  const heads = ['User', 'Verification', 'Code sent', 'Card', 'Wallets', 'Do'];
  return table(heads, rows, 'No users yet.');
}

function requests(state: PublicState): string {
  const rows = [...state.requests]
    .reverse()
    .map(({ operation, method, path, status }) => [
      escapeHtml(operation ?? 'no endpoint'),
      `<code>${escapeHtml(`${method} ${path}`)}</code>`,
      escapeHtml(status ?? 'broken off'),
    ]);
  return table(['Endpoint', 'Request', 'Status'], rows, 'No requests yet.');
}

/** The start page. It has no script, and shows nothing that it was not given. */
export function startPage(state: PublicState, password: string, nonce: string): string {
  const options = ENDPOINT_IDS.map((id) => `<option>${id}</option>`).join('');
  const which = `<label>Endpoint <select name="endpoint">${options}</select></label>`;
  const status =
    '<label>Status <input name="status" value="503" size="4" inputmode="numeric"></label>';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>card-platform-sandbox</title><style nonce="${nonce}">${STYLE}</style></head><body>
<h1>card-platform-sandbox</h1>
<p>Base URL <code>${escapeHtml(state.baseUrl)}</code> · time ${escapeHtml(state.now)} · password of the demo users <code>${escapeHtml(password)}</code> · <a href="/">refresh</a> · <a href="/sandbox/state">state as JSON</a></p>
<h2>Users</h2>${users(state)}
<h2>Faults</h2>
<p>${form('fail', 'Fail the next call', which + status)}</p>
<p>${form('drop', 'Lose the next answer', which)}</p>
<p>${form('advance', 'Let time pass', '<label>Minutes <input name="minutes" value="10" size="4" inputmode="numeric"></label>')}</p>
<h2>Last requests</h2>${requests(state)}
</body></html>
`;
}
