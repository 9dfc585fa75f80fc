import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalToBaseUnits } from '../../src/contract/formats/decimal.js';
import { copyInput } from '../../src/transport/request/copy-input.js';
import { clientFor, json, rejection } from '../support/clients.js';
import { anyText, eventually, holds } from './runs.js';

describe('an input', () => {
  it('with getters is read once, and the value that was read is sent', () => {
    holds(
      [fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 })],
      (values) => {
        let reads = 0;
        const changingInput = {
          get value() {
            return values[Math.min(reads++, values.length - 1)];
          },
        };
        const { copy, issues } = copyInput(changingInput);
        expect(reads).toBe(1);
        if (issues.length === 0)
          expect(JSON.stringify(copy)).toBe(JSON.stringify({ value: values[0] }));
      },
      2_000,
    );
  });

  it('of any kind leads either to a typed error or to a request', async () => {
    let sent = 0;
    const fetch = async () => {
      sent++;
      return json({ txHash: 'x' });
    };
    const client = clientFor('https://api.example.com', { fetch });
    const input = fc.oneof(fc.anything(), fc.record({ amount: fc.oneof(anyText, fc.anything()) }));
    await eventually([input], async (value) => {
      const before = sent;
      const call = client.wallets.credit.withdraw(value as never);
      const failed = await call.then(
        () => undefined,
        (error: unknown) => error,
      );
      if (sent > before) {
        const { amount } = value as { amount: string };
        expect(decimalToBaseUnits(amount, 100)).toBeGreaterThan(0n);
      } else {
        expect(failed).toMatchObject({
          name: 'RequestValidationError',
          outcome: 'not_sent',
          attempts: 0,
        });
      }
    });
  });

  it("of header values is sent unchanged or rejected by the header's name", async () => {
    let headers: RequestInit['headers'];
    const fetch = async (_url: string, init: RequestInit) => {
      headers = init.headers;
      return json({ id: 'c', status: 'ACTIVE' });
    };
    const client = clientFor('https://api.example.com', { fetch });
    await eventually([anyText], async (value) => {
      headers = undefined;
      const call = client.card.status({ headers: { 'x-trace': value } });
      if (/^[\x20-\x7e\t]{0,4096}$/.test(value)) {
        await call;
        expect(headers).toMatchObject({ 'x-trace': value });
        return;
      }
      const error = await rejection(call);
      expect(error).toMatchObject({ name: 'ConfigurationError', option: 'headers' });
      expect((error as Error).message).toContain('x-trace');
      expect(headers).toBeUndefined();
    });
  });
});
