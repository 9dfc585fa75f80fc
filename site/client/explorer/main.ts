import README from '../../../docs/start/did-money-move.md';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';
import { factsOf, type ShownError } from '../run/main.js';
import type { SentRequest } from '../run/stage.js';
import { type Choice, exploreCell } from './explore.js';
import { FAULTS, MOMENTS } from './faults.js';

export { FAULTS, MOMENTS };

/** The endpoints to choose from. */
export const ENDPOINT_IDS = ENDPOINTS.map(({ id }) => id);

const ROW = /^\| `(\w+)` \| [^|\n]+ \| ([^|\n]+) \|$/gm;

/** The advice of the guide for each outcome, as Markdown. */
const ADVICE: ReadonlyMap<string, string> = new Map(
  [...README.matchAll(ROW)].map(([, outcome = '', advice = '']) => [outcome, advice]),
);

/** What a page shows about one cell. */
export type Cell = {
  error?: ShownError;
  /** The next step, as the guide words it. */
  advice: string;
  requests: readonly SentRequest[];
  hasActed: boolean;
};

/** Makes the call of a cell. */
export async function explore(choice: Choice): Promise<Cell> {
  const { error, requests, hasActed } = await exploreCell(choice);
  const isRead = ENDPOINTS.find(({ id }) => id === choice.endpoint)?.retry.class === 'safe';
  const facts = error === undefined ? undefined : factsOf(error);
  const advice = isRead
    ? 'This endpoint only reads, so calling it again does no harm.'
    : (ADVICE.get(facts?.outcome ?? '') ?? '');
  return {
    ...(facts && { error: facts }),
    advice: advice.replaceAll('`', '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1'),
    requests,
    hasActed,
  };
}
