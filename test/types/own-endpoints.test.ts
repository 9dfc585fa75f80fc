import type { CardPlatformClient } from 'card-platform-sdk';
import { call, createClient, defineEndpoint } from 'card-platform-sdk/endpoints';
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

it('infers input and result of own endpoints, and checks their declarations', () => {
  expect([results, inputs, declarations, rawRequests]).toHaveLength(4);
});
