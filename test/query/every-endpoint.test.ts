import { dehydrate, QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { ENDPOINT_BY_ID, ENDPOINTS, type EndpointId } from '../../src/contract/endpoints.js';
import { CardPlatformClient } from '../../src/index.js';
import { createQueries, shouldDehydrateQuery } from '../../src/query/index.js';
import { SAMPLE_CALLS } from '../support/calls.js';
import { CREDENTIALS, json } from '../support/clients.js';

type Options = {
  queryKey?: readonly unknown[];
  queryFn?: (context: { signal: AbortSignal }) => Promise<unknown>;
  structuralSharing?: boolean;
  mutationKey?: readonly unknown[];
  mutationFn?: (input: unknown) => Promise<unknown>;
  retry: unknown;
  networkMode?: string;
  scope?: unknown;
  meta?: unknown;
  gcTime?: number;
};

type Sent = { method: string; path: string; query: object; headers: Headers; body: unknown };

/** Queries whose client records the requests and receives one response to all of them. */
function recording(response: unknown, status = 200) {
  const sent: Sent[] = [];
  const baseUrl = 'https://api.example.com';
  const client = new CardPlatformClient({
    baseUrl,
    ...CREDENTIALS,
    fetch: async (url, { method = '', headers, body }) => {
      const parsed = typeof body === 'string' ? JSON.parse(body) : undefined;
      const [path = '', query] = url.slice(baseUrl.length).split('?');
      const fields = Object.fromEntries(new URLSearchParams(query));
      sent.push({ method, path, query: fields, headers: new Headers(headers), body: parsed });
      return json(response, status);
    },
  });
  return { sent, queries: createQueries({ client, user: 'user-1', region: 'us' }) };
}

/** The options of an endpoint, found by its id. */
function optionsOf(queries: object, id: string, input?: unknown): Options {
  const path = id.split('.');
  const name = path.pop() ?? '';
  const namespace = path.reduce<object>((one, part) => Reflect.get(one, part), queries);
  return Reflect.get(namespace, name)(input);
}

const isRead = (id: EndpointId) => ENDPOINT_BY_ID[id].retry.class === 'safe';

/** Whether a response holds a secret. */
function isSecret(id: string): boolean {
  const { secrets, redactsNamed }: { secrets: readonly string[]; redactsNamed?: boolean } =
    ENDPOINT_BY_ID[id as EndpointId];
  return secrets.length > 0 || redactsNamed === true;
}

const READS = SAMPLE_CALLS.filter(({ id }) => isRead(id as EndpointId));
const OTHERS = SAMPLE_CALLS.filter(({ id }) => !isRead(id as EndpointId));
const { queries } = recording({});

it('a query that failed is not stored, and one of the app is', async () => {
  const queryClient = new QueryClient({ defaultOptions: { dehydrate: { shouldDehydrateQuery } } });
  const failing = recording({}, 403).queries.card.status();
  await queryClient.fetchQuery(failing).catch(() => {});
  // Its key looks like that of an endpoint whose response has a secret.
  await queryClient.fetchQuery({ queryKey: ['app', 'us', null, 'user', 'get'], queryFn: () => 1 });
  expect(dehydrate(queryClient).queries).toMatchObject([
    { queryKey: ['app', 'us', null, 'user', 'get'] },
  ]);
});

it('covers every endpoint with a sample call', () => {
  expect([...READS, ...OTHERS].map(({ id }) => id).sort()).toEqual(
    ENDPOINTS.map(({ id }) => id).sort(),
  );
});

it('no call that returns a single-use token or URL is a query', () => {
  const singleUse = ENDPOINTS.filter((one) => one.retry.class === 'issues-token');
  expect(singleUse.map(({ id }) => id).sort()).toEqual([
    'card.createDetailsToken',
    'card.createPinToken',
    'card.createSetPinToken',
    'delegation.getToken',
    'user.startVerification',
  ]);
  for (const { id } of singleUse) expect(optionsOf(queries, id)).not.toHaveProperty('queryFn');
});

describe.each(READS)('the query of $id', ({ id, input, path, query, response }) => {
  it('sends the documented request to the region of its key, with the signal', async () => {
    const { sent, queries } = recording(response.body, response.status);
    const queryClient = new QueryClient();
    await queryClient.fetchQuery(optionsOf(queries, id, input) as never);
    const [request, ...further] = sent;
    expect(further).toEqual([]);
    expect(request).toMatchObject({ path, query: query ?? {} });
    const { routing } = ENDPOINT_BY_ID[id as EndpointId];
    expect(request?.headers.get('x-us-env')).toBe(routing === 'none' ? null : 'true');
  });

  it('passes the signal of the library on', async () => {
    const { sent, queries } = recording(response.body, response.status);
    const reason = new Error('left the page');
    const read = optionsOf(queries, id, input).queryFn?.({ signal: AbortSignal.abort(reason) });
    await expect(read).rejects.toBe(reason);
    expect(sent).toEqual([]);
  });

  it('leaves retries to the client, and has a key that JSON does not change', () => {
    const options = optionsOf(queries, id, input);
    expect(options.retry).toBe(false);
    expect(options).not.toHaveProperty('mutationFn');
    const copy: unknown = JSON.parse(JSON.stringify(options.queryKey));
    expect(copy).toEqual(options.queryKey);
    const inputs = input === undefined ? [] : [input];
    expect(copy).toEqual(['card-platform', 'us', 'user-1', ...id.split('.'), ...inputs]);
    const text = JSON.stringify(options);
    for (const secret of Object.values(CREDENTIALS)) expect(text).not.toContain(secret);
  });

  it('takes no secret as input, so that none is in its key', () => {
    expect(ENDPOINT_BY_ID[id as EndpointId]).not.toHaveProperty('secretInputs');
  });

  it('returns results that still print redacted', () => {
    expect(optionsOf(queries, id).structuralSharing).toBe(isSecret(id) ? false : undefined);
  });

  it('is stored with its result unless that has a secret', async () => {
    const { queries } = recording(response.body, response.status);
    const queryClient = new QueryClient({
      defaultOptions: { dehydrate: { shouldDehydrateQuery } },
    });
    await queryClient.fetchQuery(optionsOf(queries, id, input) as never);
    expect(dehydrate(queryClient).queries).toHaveLength(isSecret(id) ? 0 : 1);
  });
});

describe.each(OTHERS)('the mutation of $id', ({ id, input, path, query, response }) => {
  const { retry, retryWhen }: Pick<(typeof ENDPOINTS)[number], 'retry' | 'retryWhen'> =
    ENDPOINT_BY_ID[id as EndpointId];
  const classes = [retry.class, retryWhen?.retry.class ?? retry.class];
  const byRisk = ['safe', 'idempotent', 'issues-token', 'never'] as const;
  const strictest = byRisk.findLast((one) => classes.includes(one));

  it('sends the documented request to the region of its key', async () => {
    const { sent, queries } = recording(response.body, response.status);
    await optionsOf(queries, id).mutationFn?.(input);
    expect(sent).toMatchObject([{ path, query: query ?? {} }]);
    const { routing } = ENDPOINT_BY_ID[id as EndpointId];
    expect(sent[0]?.headers.get('x-us-env')).toBe(routing === 'none' ? null : 'true');
  });

  it('is sent at once or not at all, and is not retried by the library', () => {
    const options = optionsOf(queries, id);
    expect(options).toMatchObject({ retry: false, networkMode: 'always', scope: undefined });
    expect(options).toHaveProperty('scope');
    expect(options).not.toHaveProperty('queryFn');
    expect(options.mutationKey).toEqual(['card-platform', 'us', 'user-1', ...id.split('.')]);
  });

  it('runs once if a second request could do harm', () => {
    expect(optionsOf(queries, id).meta !== undefined).toBe(strictest === 'never');
  });

  it('leaves the cache soon only if it holds a secret: an unknown outcome must stay', () => {
    expect(optionsOf(queries, id).gcTime).toBe(isSecret(id) ? 1_000 : undefined);
  });
});
