import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { contractRow } from '../../src/transport/declare/contract-row.js';

const [row] = ENDPOINTS;
const endpointAt = (path: string) =>
  ({ ...row, method: 'GET' as const, path }) as (typeof ENDPOINTS)[number];

it('contractRow prefers the endpoint whose path has fewer placeholders, in either order', () => {
  const rows = ['/v1/things/{id}', '/v1/things/{id}/parts', '/v1/things/all'].map(endpointAt);
  for (const endpoints of [rows, rows.toReversed()]) {
    const find = (path: string) => contractRow(endpoints, 'GET', path, {})?.path;
    expect(find('/v1/things/all')).toBe('/v1/things/all');
    expect(find('/v1/things/ALL')).toBe('/v1/things/all');
    expect(find('/v1/things/one')).toBe('/v1/things/{id}');
    expect(find('/v1/things')).toBeUndefined();
  }
});

it('contractRow finds no endpoint of another method', () => {
  expect(contractRow(ENDPOINTS, 'PATCH', '/v1/card/status', {})).toBeUndefined();
});

it('contractRow assumes that a placeholder without a value can match any segment', () => {
  expect(contractRow(ENDPOINTS, 'GET', '/v1/wallet/{kind}', {})?.path).toMatch(/^\/v1\/wallet\//);
});
