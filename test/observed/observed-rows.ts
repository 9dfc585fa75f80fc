import { readFileSync } from 'node:fs';
import type { FaultTarget } from '../../src/testing/index.js';

/** A row of the description of the observed calls. */
export type ObservedRow = {
  id: Exclude<FaultTarget, '*' | object>;
  method: string;
  path: string;
  auth: ('clientKey' | 'bearer' | 'loginBearer' | 'none')[];
  us: 'header' | 'none';
  ok: number[];
  errors: number[];
  body: boolean;
  certainty: 'high' | 'medium' | 'low';
};

const file = new URL('../fixtures/observed-endpoints.json', import.meta.url);

/** Every observed call, as it was handed over. */
export const OBSERVED_ROWS: readonly ObservedRow[] = JSON.parse(
  readFileSync(file, 'utf8'),
).endpoints;
