import { expect, it, vi } from 'vitest';

it('a schema that is used before the first call explains how to load zod earlier', async () => {
  vi.resetModules();
  const { cardStatus } = await import('../../src/contract/card.js');
  expect(() => cardStatus.input['~standard'].validate({})).toThrow(
    /import card-platform-sdk\/schemas/,
  );
  await import('../../src/schemas/index.js');
  expect(cardStatus.input['~standard'].validate({})).toEqual({ value: {} });
});
