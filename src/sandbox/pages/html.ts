const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML. */
export function escapeHtml(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const STYLE = `
:root{color-scheme:light dark;--line:#8883;--panel:#8881;--accent:#1f5fbf;--good:#1a7f37;--bad:#c02a2a;--idle:#8a6100}
@media(prefers-color-scheme:dark){:root{--accent:#8ab8ff;--good:#5dd07c;--bad:#ff8a80;--idle:#e8b64c}}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:0 auto;padding:1.5rem}
header{display:flex;flex-wrap:wrap;gap:.3rem 1.5rem;align-items:baseline;margin-bottom:1.25rem}
h1{font-size:1.4rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem;scroll-margin-top:1rem}
h3{font-size:.8rem;font-weight:600;opacity:.75;margin:1rem 0 .3rem}
a{color:var(--accent)}nav{display:flex;flex-wrap:wrap;gap:.2rem 1rem}
nav [aria-current]{color:inherit;text-decoration:none;font-weight:600}
table{border-collapse:collapse;width:100%}
th{font-size:.8rem;font-weight:600;opacity:.75}
th,td{text-align:left;padding:.5rem .7rem;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
code,pre{font-family:ui-monospace,monospace;font-size:.87em;overflow-wrap:anywhere}
pre{margin:0;padding:.7rem;background:var(--panel);border-radius:8px;white-space:pre-wrap}
p{margin:.3rem 0}
dl{display:flex;gap:.4rem 2rem;flex-wrap:wrap;margin:0}dt{font-size:.8rem;opacity:.75}dd{margin:0}
form{display:inline-flex;gap:.4rem;flex-wrap:wrap;align-items:center;margin:0}
button,select,input{font:inherit;padding:.25rem .7rem;border:1px solid #8886;border-radius:6px;max-width:100%}
button{cursor:pointer}
td:last-child>form{margin:0 .3rem .3rem 0}
.faults{display:flex;flex-direction:column;gap:.6rem;align-items:flex-start}
.box{border:1px solid var(--line);border-radius:10px;overflow-x:auto}
.faults.box{padding:.8rem}
.pill{font-size:.8rem;font-weight:600;border:1px solid;border-radius:99px;padding:.1rem .6rem;white-space:nowrap}
.good{color:var(--good)}.bad{color:var(--bad)}.idle{color:var(--idle)}.muted{opacity:.75}
details{border-bottom:1px solid var(--line)}details:last-child{border-bottom:0}
summary{cursor:pointer;padding:.5rem .7rem;display:flex;flex-wrap:wrap;gap:.1rem .7rem;align-items:baseline}
summary:hover{background:var(--panel)}
.inside{padding:0 .9rem .9rem}.verb{min-width:3.4rem;font-weight:600;color:var(--accent)}
@media(max-width:44rem){body{padding:1rem}
.wide thead{display:none}.wide tr{display:block;padding:.4rem 0;border-bottom:1px solid var(--line)}
.wide tr:last-child{border-bottom:0}.wide td{display:block;border:0;padding:.15rem .7rem}
.wide td[data-label]::before{content:attr(data-label);display:block;font-size:.75rem;opacity:.75}
.wide td:empty{display:none}}`;

const PAGES = [
  ['/', 'Overview'],
  ['/sandbox/reference', 'Reference'],
  ['/openapi.json', 'OpenAPI'],
  ['/sandbox/openapi.json', 'Control OpenAPI'],
  ['/sandbox/state', 'State'],
] as const;

/** A page of the sandbox. It has no script. */
export function layout(
  body: string,
  { path, nonce, head = '' }: { path: string; nonce: string; head?: string },
): string {
  const links = PAGES.map(([href, name]) =>
    href === path
      ? `<a href="${href}" aria-current="page">${name}</a>`
      : `<a href="${href}">${name}</a>`,
  ).join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}
<title>card-platform-sandbox</title><style nonce="${nonce}">${STYLE}</style></head><body>
<header><h1>card-platform-sandbox</h1>
<nav>${links}</nav></header>
${body}
</body></html>
`;
}

/** A table whose rows become blocks on a narrow screen. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  empty: string,
): string {
  if (rows.length === 0) return `<p class="muted">${empty}</p>`;
  const body = rows
    .map((row) =>
      row.map((cell, index) => `<td data-label="${heads[index]}">${cell}</td>`).join(''),
    )
    .map((cells) => `<tr>${cells}</tr>`)
    .join('');
  const head = heads.map((name) => `<th>${name}</th>`).join('');
  return `<div class="box"><table class="wide"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
