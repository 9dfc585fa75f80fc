import { element } from './element.js';
import { base } from './load-script.js';

type Entry = { text: string; path?: string; kind?: number; children?: Entry[] };

/** The application of TypeDoc's script. */
type TypeDocApp = {
  createComponents(root: HTMLElement): void;
  showPage(): void;
  ensureActivePageVisible(): void;
};

declare global {
  /** Set by `assets/navigation.js`: JSON, deflated, in base64. */
  var navigationData: string | undefined;
  var app: TypeDocApp | undefined;
}

async function readEntries(data: string): Promise<Entry[]> {
  const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).json();
}

const addressOf = (path: string) => new URL(`${base()}${path}`, location.href);

const isCurrent = ({ path }: Entry) =>
  path !== undefined &&
  location.pathname.endsWith(`/${path}`) &&
  addressOf(path).pathname === location.pathname;

const holdsCurrent = (entry: Entry): boolean =>
  isCurrent(entry) || (entry.children ?? []).some(holdsCurrent);

const icon = (name: number | string, kind = '') =>
  `<svg width="20" height="20" class="${kind}" aria-hidden="true"><use href="#icon-${name}"></use></svg>`;

/** A name that may wrap before each of its words. */
function breakable(name: string): HTMLElement {
  const parts = name.split(/(?<=[a-z_-])(?=[A-Z])/);
  return element(
    'span',
    {},
    ...parts.flatMap((part, index) => (index ? [element('wbr'), part] : [part])),
  );
}

function link(entry: Entry): HTMLElement {
  const { text, path = '', kind } = entry;
  const current = isCurrent(entry) ? { class: 'current', 'aria-current': 'page' } : {};
  const created = element('a', { href: addressOf(path).href, ...current });
  if (kind !== undefined) created.innerHTML = icon(kind, 'tsd-kind-icon');
  created.append(breakable(text));
  return created;
}

/** An entry with entries below it, which are created when it opens for the first time. */
function folder(entry: Entry, above: readonly string[]): HTMLElement {
  const names = [...above, entry.text];
  const list = element('ul', { class: 'tsd-nested-navigation' });
  const summary = element('summary', {
    class: 'tsd-accordion-summary',
    'data-key': names.join('$'),
  });
  summary.innerHTML = icon('chevronDown') + icon('folder', 'tsd-kind-icon');
  summary.append(breakable(entry.text));
  const details = element(
    'details',
    { class: 'tsd-accordion' },
    summary,
    element('div', { class: 'tsd-accordion-details' }, list),
  );
  const fill = () => {
    if (list.childElementCount > 0) return;
    list.append(...itemsOf(entry.children ?? [], names));
    app?.createComponents(list);
  };
  details.addEventListener('toggle', fill);
  if (holdsCurrent(entry)) fill();
  return details;
}

const itemsOf = (entries: readonly Entry[], above: readonly string[]) =>
  entries.map((entry) =>
    element('li', {}, entry.children === undefined ? link(entry) : folder(entry, above)),
  );

async function fillNavigation(root: HTMLElement, data: string): Promise<void> {
  root.replaceChildren(...itemsOf(await readEntries(data), []));
  app?.createComponents(root);
  app?.showPage();
  app?.ensureActivePageVisible();
  root.dataset['state'] = 'done';
}

/**
 * Shows the navigation. TypeDoc's own script creates all of its 700 entries before it shows a page, which
 * takes longer than everything else on the page together.
 */
export function showNavigation(): void {
  const root = document.querySelector<HTMLElement>('#site-nav');
  if (root === null) return;
  if (globalThis.navigationData !== undefined) {
    fillNavigation(root, globalThis.navigationData);
    return;
  }
  document.querySelector('#tsd-nav-script')?.addEventListener('load', () => showNavigation());
}
