import { readFileSync } from 'node:fs';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';

/** One line of the contract that makes a statement. */
export type Statement = {
  /** Its heading and its beginning, by which a row names it. */
  key: string;
  heading: string;
  text: string;
  /** The endpoints of its section. */
  endpoints: readonly string[];
};

const FILE = new URL('../../fixtures/api.md', import.meta.url);
const RULER = /^\|[-| ]+\|$/;
const ENDPOINT_LINE = /\b(GET|POST|PUT|PATCH|DELETE) (\/v\d\/\S+?)\*\*/g;

/** The copy of the contract. */
export const CONTRACT_TEXT = readFileSync(FILE, 'utf8');

/** Returns the endpoints that a line documents, such as `**GET /v1/card/status**`. */
function endpointsOf(text: string): string[] {
  return [...text.matchAll(ENDPOINT_LINE)].map(([, method, path]) => {
    const found = ENDPOINTS.find((one) => one.method === method && one.path === path);
    if (found === undefined) throw new Error(`${method} ${path} is not declared`);
    return found.id;
  });
}

/** Reads every statement of the contract: each line but headings, blank lines and table heads. */
function readStatements(): Statement[] {
  const statements: Statement[] = [];
  const lines = CONTRACT_TEXT.split('\n');
  let heading = '';
  let endpoints: string[] = [];
  for (const [index, text] of lines.entries()) {
    if (text.startsWith('#')) {
      heading = text.replace(/^#+ /, '');
      endpoints = [];
      continue;
    }
    const isTableHead = text.startsWith('|') && RULER.test(lines[index + 1] ?? '');
    if (text.trim() === '' || RULER.test(text) || isTableHead) continue;
    endpoints = [...endpoints, ...endpointsOf(text)];
    statements.push({ key: `${heading} > ${text}`, heading, text, endpoints });
  }
  return statements;
}

export const STATEMENTS: readonly Statement[] = readStatements();
