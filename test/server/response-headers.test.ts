import { expect, it } from 'vitest';
import { writeResponse } from '../../src/server/responses.js';

// A page that comes back a moment too early is refused again.
it.each([
  [1, '1'],
  [1_000, '1'],
  [1_001, '2'],
  [59_999, '60'],
  [0, '0'],
])('a wait of %i ms is %s s for the page: never shorter than the service asked', (retryAfterMs, expected) => {
  const { headers } = writeResponse({ status: 429, body: {}, retryAfterMs });
  expect(headers.get('retry-after')).toBe(expected);
});

it('a response without a wait has no such header', () => {
  expect(writeResponse({ status: 429, body: {} }).headers.has('retry-after')).toBe(false);
});
