import { opened } from 'card-platform-sdk/testing';
import { afterAll, expect, it, vi } from 'vitest';

afterAll(() => Promise.all(opened.map(({ close }) => close())));

it('every request and response of the journey matches the OpenAPI description', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('../../../../examples/journey/main.ts');
  expect(opened).toHaveLength(1);
  const [{ proxy }] = opened;
  expect(proxy.violations).toEqual([]);
  expect(proxy.exchanges).toBeGreaterThanOrEqual(30);
});
