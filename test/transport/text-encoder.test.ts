import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextEncoder as Chosen, Utf8Encoder } from '../../src/transport/adapters/text-encoder.js';

it('encodes every text as the encoder of the runtime does', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  );
  const encoder = new TextEncoder();
  fc.assert(
    fc.property(texts, (text) => {
      expect(new Utf8Encoder().encode(text)).toEqual(encoder.encode(text));
    }),
  );
});

it('leaves the encoder of the runtime in use where there is one', () => {
  expect(Chosen).toBe(TextEncoder);
});
