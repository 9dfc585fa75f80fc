import { expect, it } from 'vitest';
import { json } from '../support/clients.js';
import { scriptedProxy, sendTo } from './support.js';

const WITHDRAW = '/v1/wallet/credit/withdraw';
const INPUT = '{"amount":"1","recipientAddress":"x"}';

it.each([
  ['by default', undefined, 65_536],
  ['with the option', 200, 200],
] as const)('a body may have exactly as many bytes as the limit: %s', async (_, maxBodyBytes, limit) => {
  for (const isDeclared of [true, false]) {
    for (const length of [limit, limit + 1]) {
      const { proxy, failures } = scriptedProxy([json({})], { maxBodyBytes });
      const text = INPUT.padEnd(length, ' ');
      // In parts, as a network delivers it.
      const parts = [text.slice(0, 50), text.slice(50)];
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const part = parts.shift();
          if (part === undefined) controller.close();
          else controller.enqueue(new TextEncoder().encode(part));
        },
      });
      const init = {
        headers: {
          'content-type': 'application/json',
          ...(isDeclared && { 'content-length': String(length) }),
        },
        body,
        duplex: 'half',
      };
      const { status } = await sendTo(proxy, 'POST', WITHDRAW, init);
      const isTooLong = failures.some(({ reason }) => reason === 'body_too_large');
      expect([isDeclared, length, isTooLong]).toEqual([isDeclared, length, length > limit]);
      expect(status === 413).toBe(length > limit);
    }
  }
});
