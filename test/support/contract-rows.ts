import { readFileSync } from 'node:fs';
import type { EndpointId } from '../../src/contract/endpoints.js';
import type { RetryClass } from '../../src/contract/retry-policy.js';

/** What the contract's text says of a field of a response. */
export type DocumentedField = {
  /** The listed values. */
  values?: readonly string[];
  /** Texts or numbers that break its format. */
  wrong?: readonly (string | number)[];
  /** Further texts or numbers that it may have. */
  right?: readonly (string | number)[];
  /** Whether it may be absent, or null. */
  mayBeAbsent?: boolean;
  mayBeNull?: boolean;
  /** Whether the response is useless without it. */
  isEssential?: boolean;
  /** Whether any other type than this one is refused always, because it is money. */
  isMoney?: boolean;
  /** Whether a value of another format is refused always. */
  isRefused?: boolean;
};

/** A row of the service's contract, from test/fixtures. */
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
  /** Another class for inputs where a field has a value. */
  retryWhen?: { field: string; is: unknown; retryClass: RetryClass };
  /** What the contract says of each field of a response; see test/client/promise.test.ts. */
  fields?: Record<string, DocumentedField>;
  /** Refusals whose messages the contract documents, for codes that no other endpoint has. */
  refusals?: { code: string; status: number; message: string }[];
  /** Whether an empty response means done. */
  isDoneWhenEmpty?: boolean;
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
