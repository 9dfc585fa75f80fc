import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { findEndpoint } from '../../src/transport/declare/find-endpoint.js';

const [row] = ENDPOINTS;
const endpointAt = (path: string) =>
  ({ ...row, method: 'GET' as const, path }) as (typeof ENDPOINTS)[number];

it('findEndpoint prefers the endpoint whose path has fewer placeholders, in either order', () => {
  const rows = ['/v1/things/{id}', '/v1/things/{id}/parts', '/v1/things/all'].map(endpointAt);
  for (const endpoints of [rows, rows.toReversed()]) {
    const find = (path: string) => findEndpoint(endpoints, 'GET', path, {})?.path;
    expect(find('/v1/things/all')).toBe('/v1/things/all');
    expect(find('/v1/things/ALL')).toBe('/v1/things/all');
    expect(find('/v1/things/one')).toBe('/v1/things/{id}');
    expect(find('/v1/things')).toBeUndefined();
  }
});

it('findEndpoint finds no endpoint of another method', () => {
  expect(findEndpoint(ENDPOINTS, 'PATCH', '/v1/card/status', {})).toBeUndefined();
});

it('findEndpoint assumes that a placeholder without a value can match any segment', () => {
  expect(findEndpoint(ENDPOINTS, 'GET', '/v1/wallet/{kind}', {})?.path).toMatch(/^\/v1\/wallet\//);
});
