import README from '../../../README.md';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';
import { element } from '../element.js';
import { base } from '../load-script.js';

const ROW = /^\| `(\w+)` \| [^|\n]+ \| ([^|\n]+) \|$/gm;

/** The advice of the README for each outcome, as Markdown. */
const ADVICE: ReadonlyMap<string, string> = new Map(
  [...README.matchAll(ROW)].map(([, outcome = '', advice = '']) => [outcome, advice]),
);

const INLINE = /`([^`]+)`|\[([^\]]+)\]\(([^)]+)\.md\)/g;

/** Returns a line of Markdown with code and links to pages as nodes. */
function nodesOf(markdown: string): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let end = 0;
  for (const found of markdown.matchAll(INLINE)) {
    const [whole, code, text = '', page = ''] = found;
    const link = () => element('a', { href: `${base()}${page}.html` }, text);
    nodes.push(markdown.slice(end, found.index), code ? element('code', {}, code) : link());
    end = found.index + whole.length;
  }
  return [...nodes, markdown.slice(end)];
}

/** What a caller does about an error of an endpoint, from the error's own facts. */
export function nextSteps(endpoint: string, error: unknown): HTMLElement {
  const { outcome, isRetryable } = Object(error) as Record<string, unknown>;
  const isRead = ENDPOINTS.find(({ id }) => id === endpoint)?.retry.class === 'safe';
  const advice = isRead
    ? ['This endpoint only reads, so calling it again does no harm.']
    : nodesOf(ADVICE.get(`${outcome}`) ?? '');
  return element(
    'p',
    { class: 'next' },
    ...advice,
    ' ',
    element('code', {}, 'isRetryable'),
    ` is ${isRetryable}.`,
  );
}
