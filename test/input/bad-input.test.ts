import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RequestValidationError } from '../../src/errors/index.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { BAD_INPUTS, callWith } from './bad-input.js';

describe(`${BAD_INPUTS.length} invalid inputs`, () => {
  it.each(
    BAD_INPUTS.map((bad) => ({ ...bad, shown: inspect(bad.value, { depth: 1 }).slice(0, 80) })),
  )('$operation rejects $field when it is $shown', async ({ operation, field, value }) => {
    const { fetch, requests } = scriptedFetch(json({ success: true }));
    const error = await rejection(
      callWith(clientFor('https://api.example.com', { fetch }), operation, value),
    );
    expect(error).toBeInstanceOf(RequestValidationError);
    expect(error).toMatchObject({ operation, outcome: 'not_sent', attempts: 0 });
    const paths = (error as RequestValidationError).issues.map(({ path }) => path);
    expect(paths.some((path) => path === field || path.startsWith(`${field}.`))).toBe(true);
    expect(requests).toHaveLength(0);
  });
});

describe('an input as a whole', () => {
  const refusedInputs = [undefined, null, 5, 'text', [], () => 1, Symbol('x')];

  it.each(
    refusedInputs.map((input) => ({ input, shown: inspect(input) })),
  )('must not be $shown', async ({ input }) => {
    const { fetch, requests } = scriptedFetch(json({ success: true }));
    const client = clientFor('https://api.example.com', { fetch });
    const error = await rejection(callWith(client, 'wallets.credit.withdraw', input));
    expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
    expect(requests).toHaveLength(0);
  });

  it('reports all issues at once without quoting a value', async () => {
    const client = clientFor('https://api.example.com');
    const input = { email: 'not-an-address-7391', password: '', otpCode: '83' };
    const error = await rejection(client.auth.login(input));
    expect((error as RequestValidationError).issues.map(({ path }) => path)).toEqual([
      'email',
      'password',
      'otpCode',
    ]);
    expect(inspect(error)).not.toContain('7391');
  });

  it('must not be cyclic or nested too deeply', async () => {
    const client = clientFor('https://api.example.com');
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    let deep: unknown = 1;
    for (let i = 0; i < 40; i++) deep = { deep };
    for (const metadata of [cycle, { deep }]) {
      const error = await rejection(
        callWith(client, 'webhooks.update', {
          id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e',
          metadata,
        }),
      );
      expect(error).toMatchObject({ name: 'RequestValidationError' });
    }
  });

  it('is read once, so that the validated values are sent', async () => {
    const { fetch, requests } = scriptedFetch(json({ txHash: 'x' }));
    let reads = 0;
    const input = {
      get amount() {
        reads++;
        return reads === 1 ? '1' : '1000000';
      },
    };
    await clientFor('https://api.example.com', { fetch }).wallets.credit.withdraw(input);
    expect(reads).toBe(1);
    expect(requests[0]?.init.body).toBe('{"amount":"1"}');
  });

  it('must have own properties, and its toJSON() is ignored', async () => {
    const client = clientFor('https://api.example.com');
    const inherited = Object.create({ amount: '5' });
    expect(await rejection(callWith(client, 'wallets.credit.withdraw', inherited))).toMatchObject({
      issues: [{ path: 'amount' }],
    });
    const { fetch, requests } = scriptedFetch(json({ txHash: 'x' }));
    class Amount {
      amount = '1';
      toJSON() {
        return { amount: '1000000' };
      }
    }
    await clientFor('https://api.example.com', { fetch }).wallets.credit.withdraw(new Amount());
    expect(requests[0]?.init.body).toBe('{"amount":"1"}');
  });

  it('must not have keys that change a prototype', async () => {
    const client = clientFor('https://api.example.com');
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const metadata = JSON.parse(`{"${key}": {"polluted": true}}`);
      const input = { id: '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e', metadata };
      const error = await rejection(client.webhooks.update(input));
      expect(error).toMatchObject({ issues: [{ path: `metadata.${key}` }] });
    }
    expect({}).not.toHaveProperty('polluted');
  });
});
