import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { endpointTable } from '../../scripts/endpoint-table.js';

it('docs/endpoints.md is current (else: npm run docs:endpoints)', () => {
  const page = readFileSync(new URL('../../docs/endpoints.md', import.meta.url), 'utf8');
  expect(page).toBe(endpointTable());
});
