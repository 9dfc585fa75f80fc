import { readFileSync } from 'node:fs';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';

/** One sentence of the contract, or one row of its tables. */
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

/** A sentence ends at a full stop before a capital letter, or before code. */
const sentencesOf = (line: string): string[] =>
  line.startsWith('|') ? [line] : line.split(/(?<=\.)\s+(?=[A-Z`])/);

/** Reads every statement of the contract: all but headings, blank lines and table heads. */
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
    for (const sentence of sentencesOf(text)) {
      statements.push({ key: `${heading} > ${sentence}`, heading, text: sentence, endpoints });
    }
  }
  return statements;
}

export const STATEMENTS: readonly Statement[] = readStatements();
