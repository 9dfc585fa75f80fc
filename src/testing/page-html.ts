const STYLE =
  'body{font:16px system-ui;margin:24px;color:#111827}label{display:block;margin-bottom:8px}' +
  'input{font:24px monospace;width:6ch;padding:8px}button{font:inherit;padding:8px 16px;margin:16px 8px 0 0}';

/** The headers of every page. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // With `no-referrer` a browser would send the form with `Origin: null`, as foreign pages do.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

function document(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body>${body}</body></html>`;
}

type Css = Readonly<Record<string, string | number>>;

/** The places of the PIN page that each field of `customCss` styles. */
const STYLED: readonly (readonly [field: string, selector: string, property: string])[] = [
  ['backgroundColor', 'body', 'background'],
  ['textColor', 'body', 'color'],
  ['backgroundColorPrimary', 'button[value=set]', 'background'],
  ['textColorPrimary', 'button[value=set]', 'color'],
  ['pinBorderColor', 'input', 'border-color'],
  ['buttonBorderRadius', 'button', 'border-radius'],
  ['pinBorderRadius', 'input', 'border-radius'],
];

/** The contract allows any text, so what could leave its place in the style is left out. */
const PLAIN_VALUE = /^[\w#(),.% -]*$/;

function styleOf(css: Css): string {
  const rules = STYLED.flatMap(([field, selector, property]) => {
    const value = css[field];
    if (value === undefined || !PLAIN_VALUE.test(String(value))) return [];
    return [`${selector}{${property}:${typeof value === 'number' ? `${value}px` : value}}`];
  });
  return rules.length === 0 ? '' : `<style>${rules.join('')}</style>`;
}

/** Returns the hosted page on which a user sets the PIN. */
export function pinForm(css: Css, problem = ''): string {
  return document(
    'Set your PIN',
    `${styleOf(css)}<form method="post"><label for="pin">New PIN, 4 digits</label><input id="pin" name="pin" inputmode="numeric" maxlength="4" autocomplete="off" type="password" aria-describedby="problem"><p id="problem" role="alert">${problem}</p><button name="action" value="set">Set PIN</button><button name="action" value="cancel" formnovalidate>Cancel</button></form>`,
  );
}

/** Returns the last page of the PIN form. When embedded, it posts the contract's message to its parent. */
export function pinResultPage(isDone: boolean, isEmbedded: boolean): string {
  const text = isDone ? 'Your PIN is set.' : 'Your PIN was not changed.';
  const script = isEmbedded ? "<script>parent.postMessage({type:'abort'},'*')</script>" : '';
  return document('Set your PIN', `<p role="status">${text}</p>${script}`);
}

/** Returns a page that stands in for the identity provider. */
export function verificationForm(): string {
  return document(
    'Verify your identity',
    '<form method="post"><p>This stands in for the identity provider.</p><button name="action" value="submit">Submit valid documents</button><button name="action" value="reject">Submit documents that will be rejected</button></form>',
  );
}

/** Returns the page shown after the documents were submitted. */
export function verificationResultPage(): string {
  return document(
    'Verify your identity',
    '<p role="status">Your documents are being reviewed.</p>',
  );
}
