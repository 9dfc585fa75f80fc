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
};

const file = new URL('../fixtures/endpoints.json', import.meta.url);

/** Every endpoint of the contract. */
export const CONTRACT_ROWS: readonly ContractRow[] = JSON.parse(
  readFileSync(file, 'utf8'),
).endpoints;
