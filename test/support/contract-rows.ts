import { readFileSync } from 'node:fs';
import type { EndpointId } from '../../src/contract/endpoints.js';
import type { RetryClass } from '../../src/contract/retry-policy.js';

/** A row of the service's contract, from the copy in test/fixtures. */
export type ContractRow = {
  id: EndpointId;
  method: string;
  path: string;
  auth: ('clientKey' | 'clientId' | 'secretKey' | 'bearer')[];
  us: 'header' | 'header-or-query-region' | 'none';
  ok: number[];
  errors: number[];
  sdk: string;
  body: boolean;
  contract: boolean;
  retryClass: RetryClass;
  /** One call: its input, the request that the service must get, and a success response. */
  call: {
    /** Left out if the method takes only options. */
    input?: unknown;
    path: string;
    query?: Record<string, string>;
    body?: unknown;
    response: { status: number; body: unknown };
  };
};

const file = new URL('../fixtures/endpoints.json', import.meta.url);

/** Every endpoint of the contract. */
export const CONTRACT_ROWS: readonly ContractRow[] = JSON.parse(
  readFileSync(file, 'utf8'),
).endpoints;

/** The endpoints that the contract only names. */
export const PREVIEW_ROWS = CONTRACT_ROWS.filter(({ contract }) => !contract);
