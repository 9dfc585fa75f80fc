import type { CardPlatformClient } from 'card-platform-sdk';
import {
  call,
  cardStatus,
  createClient,
  defineEndpoint,
  freezeCard,
  getDelegationToken,
} from 'card-platform-sdk/endpoints';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';

// The compiler judges these functions (`npm run types`): a line below `@ts-expect-error` must not
// compile, every other line must. Nothing here is called.

const common = { id: 'own.get', method: 'GET', path: '/v1/own', retry: 'safe' } as const;

async function results(client: CardPlatformClient): Promise<unknown> {
  const noBody: unknown = await call(client, defineEndpoint(common), {});
  const text: string = await call(client, defineEndpoint({ ...common, response: 'text' }), {});
  const bytes: Uint8Array = await call(
    client,
    defineEndpoint({ ...common, response: 'bytes' }),
    {},
  );
  const output = z.object({ total: z.number() });
  const { total } = await call(client, defineEndpoint({ ...common, output }), {});
  const exact: number = total;
  const lines = z.pipe(
    z.string(),
    z.transform((csv: string) => csv.split('\n')),
  );
  const csv = defineEndpoint({ ...common, response: 'text', output: lines });
  const rows: string[] = await call(client, csv, {});
  // @ts-expect-error bytes are not a string
  const wrong: string = await call(client, defineEndpoint({ ...common, response: 'bytes' }), {});
  return [noBody, text, bytes, exact, rows, wrong];
}

function inputs(client: CardPlatformClient): unknown {
  const input = z.strictObject({ id: z.string(), page: z.optional(z.number()) });
  const endpoint = defineEndpoint({ ...common, path: '/v1/own/{id}', input, query: ['page'] });
  const day = z.pipe(
    z.strictObject({ day: z.number() }),
    z.transform(({ day }: { day: number }) => ({ date: `2026-01-${day}` })),
  );
  const transformed = defineEndpoint({ ...common, input: day, query: ['date'] });
  const light = createClient({ baseUrl: 'https://api.example.com' });
  return [
    call(client, endpoint, { id: 'a' }),
    call(light, endpoint, { id: 'a', page: 1 }, { timeout: 1_000 }),
    call(client, transformed, { day: 1 }),
    // @ts-expect-error the endpoint needs an id
    call(client, endpoint, {}),
    // @ts-expect-error the page is a number
    call(client, endpoint, { id: 'a', page: '1' }),
    // @ts-expect-error a call takes what goes into the schema, not what comes out
    call(client, transformed, { date: '2026-01-01' }),
    // @ts-expect-error the endpoint takes no input
    call(client, defineEndpoint(common), { id: 'a' }),
  ];
}

function declarations(): unknown {
  const input = z.strictObject({ id: z.string() });
  return [
    // @ts-expect-error the retry class is required
    defineEndpoint({ id: 'own.get', method: 'GET', path: '/v1/own' }),
    // @ts-expect-error the retry class is misspelled
    defineEndpoint({ ...common, retry: 'allways' }),
    // @ts-expect-error the input has no such field
    defineEndpoint({ ...common, input, query: ['idd'] }),
    // @ts-expect-error the input has no such field
    defineEndpoint({ ...common, input, wireNames: { idd: 'ID' } }),
    // @ts-expect-error there is no such credential
    defineEndpoint({ ...common, credentials: ['password'] }),
    // @ts-expect-error there is no such response
    defineEndpoint({ ...common, response: 'blob' }),
    // @ts-expect-error the option is misspelled
    defineEndpoint({ ...common, respones: 'text' }),
  ];
}

async function rawRequests(client: CardPlatformClient): Promise<unknown> {
  const data: unknown = await client.request('GET', '/v1/own');
  const text: string = await client.request('GET', '/v1/own', { response: 'text' });
  const bytes: Uint8Array = await client.request('GET', '/v1/own', { response: 'bytes' });
  const schema = z.pipe(z.string(), z.transform(Number));
  const total: number = await client.request('GET', '/v1/own', { response: 'text', schema });
  return [data, text, bytes, total];
}

function looks(): unknown {
  const input = z.strictObject({ amount: z.string(), note: z.string() });
  const pay = { id: 'own.pay', method: 'POST', path: '/v1/own', retry: 'never', input } as const;
  const output = z.array(z.object({ amount: z.string(), at: z.string(), memo: z.string() }));
  const list = defineEndpoint({ ...common, output });
  const change = defineEndpoint({ ...common, retry: 'idempotent' });
  return [
    defineEndpoint({
      ...pay,
      reconcile: {
        details: ['amount'],
        target: ['amount'],
        async look({ details, read, show, entry, isTooOld }) {
          const rows = (await read(list, {})) ?? [];
          const card: string | undefined = (await read(cardStatus, {}))?.status;
          show(list, rows, ['at']);
          // @ts-expect-error the rows have no such field
          show(list, rows, ['date']);
          // @ts-expect-error the endpoint may change something
          await read(change, {});
          // @ts-expect-error the endpoint changes something
          await read(freezeCard, {});
          // @ts-expect-error a GET that must not be sent twice
          await read(getDelegationToken, { address: '0x', network: 'linea' });
          // @ts-expect-error the endpoint takes no input
          await read(list, { page: 1 });
          // @ts-expect-error the entry does not hold the note
          const note: string = details.note;
          const effects = rows.map(({ at, amount }) => ({
            time: at,
            matches: (other: { amount: string }) => other.amount === amount,
          }));
          const isOld: boolean = isTooOld(rows[0]?.at);
          return { effects: [card, note, isOld, entry.at].length > 0 ? effects : [] };
        },
      },
    }),
    defineEndpoint({
      ...pay,
      reconcile: { details: [], look: async () => ({ isDone: undefined, reason: 'nobody knows' }) },
    }),
    defineEndpoint({
      ...pay,
      // @ts-expect-error the input has no such field
      reconcile: { details: ['total'], look: async () => ({ isDone: true }) },
    }),
    defineEndpoint({
      ...pay,
      // @ts-expect-error only a detail can be the target
      reconcile: { details: ['amount'], target: ['note'], look: async () => ({ isDone: true }) },
    }),
    // @ts-expect-error a look returns no verdict
    defineEndpoint({ ...pay, reconcile: { details: [], look: async () => 'executed' } }),
    // @ts-expect-error a look is required
    defineEndpoint({ ...pay, reconcile: { details: [] } }),
  ];
}

it('the types of endpoints of your own are inferred, and wrong declarations do not compile', () => {
  expect([results, inputs, declarations, rawRequests, looks]).toHaveLength(5);
});
