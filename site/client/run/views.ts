import { element } from '../element.js';
import { base } from '../load-script.js';
import type { SentRequest } from './stage.js';

const cell = (text: string | number | undefined) => element('td', {}, `${text ?? '–'}`);

/** The requests that left, each with its status and outcome. */
export function requestTable(requests: readonly SentRequest[]): HTMLElement {
  if (requests.length === 0) return element('p', {}, 'No request left.');
  const heads = ['#', 'request', 'status', 'outcome'];
  const rows = requests.map(({ method, path, status, outcome }, index) =>
    element(
      'tr',
      {},
      cell(index + 1),
      element('td', {}, element('code', {}, `${method} ${path}`)),
      cell(status ?? 'no response'),
      cell(outcome),
    ),
  );
  return element(
    'table',
    { tabindex: '0' },
    element('caption', {}, 'Requests that left'),
    element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', {}, head)))),
    element('tbody', {}, ...rows),
  );
}

/** The facts of an error of the package, with a link to its code. */
export function errorView(error: unknown): HTMLElement {
  const { name, message, outcome, code, docsUrl } = Object(error) as Record<string, unknown>;
  const view = element('div', { class: 'error' });
  view.append(
    element('p', {}, element('strong', {}, `${name ?? 'Error'}: `), `${message ?? error}`),
  );
  if (outcome !== undefined)
    view.append(element('p', {}, 'outcome ', element('code', {}, `${outcome}`)));
  if (typeof docsUrl === 'string') {
    const page = `${base()}docs/reference/error-catalogue.html${new URL(docsUrl).hash}`;
    view.append(element('p', {}, 'code ', element('a', { href: page }, `${code}`)));
  }
  return view;
}
