import { readFileSync } from 'node:fs';
import { check } from '../../../src/contract/check.js';
import { type Endpoint, PLACEHOLDER, placeholdersIn } from '../../../src/contract/endpoint.js';
import { documentedErrorResponse } from '../../../src/testing/error-responses.js';
import { createMockPlatform } from '../../../src/testing/index.js';
import type { Json } from './json-schema.js';
import { inputOf, JOURNEY, type Scene, type Step } from './scenario.js';

/** One successful exchange with an endpoint. */
export type Example = {
  /** Values of path and query, by name on the wire. */
  parameters: Readonly<Record<string, unknown>>;
  body: Json;
  response: unknown;
  /** An example of the response for each status that occurred. */
  responses: ReadonlyMap<number, unknown>;
};

type SampleCall = {
  id: string;
  call: { input?: Json; response: { status: number; body: unknown } };
};

const CALLS = new URL('../../../test/fixtures/endpoints.json', import.meta.url);
const SAMPLES: readonly SampleCall[] = JSON.parse(readFileSync(CALLS, 'utf8')).endpoints;
const BASE_URL = 'https://api.example.com';
const JSON_TYPE = { 'content-type': 'application/json' };

/** Splits an input into the values of path and query, and those of the body. */
function split(endpoint: Endpoint, input: Json): Pick<Example, 'parameters' | 'body'> {
  const elsewhere = [...placeholdersIn(endpoint.path), ...(endpoint.query ?? [])];
  const named = Object.entries(input)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, endpoint.wireNames?.[name] ?? name, value] as const);
  const pick = (isWanted: (name: string) => boolean) =>
    Object.fromEntries(
      named.filter(([name]) => isWanted(name)).map(([, wire, value]) => [wire, value]),
    );
  return {
    parameters: pick((name) => elsewhere.includes(name)),
    body: endpoint.sendsBody ? pick((name) => !elsewhere.includes(name)) : {},
  };
}

function headersOf({ credentials }: Endpoint, { platform, user }: Scene): Record<string, string> {
  const { clientKey, clientId, secretKey } = platform.credentials;
  return {
    ...(credentials.includes('clientKey') && { 'x-client-key': clientKey }),
    ...(credentials.includes('clientId') && { 'x-client-id': clientId }),
    ...(credentials.includes('secretKey') && { 'x-secret-key': secretKey }),
    ...(credentials.includes('accessToken') && {
      authorization: `Bearer ${platform.accessTokenFor(user)}`,
    }),
  };
}

async function exchange(
  step: Step,
  endpoint: Endpoint,
  scene: Scene,
  before: Example | undefined,
): Promise<Example> {
  step.before?.(scene);
  const sample = SAMPLES.find(({ id }) => id === step.id)?.call.input ?? {};
  const input = inputOf(step, scene, sample);
  const broken = check(endpoint.input, input);
  if (broken.length > 0) throw new Error(`${step.id}: ${JSON.stringify(broken)}`);
  const { parameters, body } = split(endpoint, input);
  const path = endpoint.path.replace(PLACEHOLDER, (_, name) => String(parameters[name]));
  const url = new URL(`${BASE_URL}${path}`);
  for (const name of endpoint.query ?? []) {
    const value = parameters[endpoint.wireNames?.[name] ?? name];
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const response = await scene.platform.fetch(url, {
    method: endpoint.method,
    headers: { ...JSON_TYPE, ...headersOf(endpoint, scene) },
    ...(endpoint.sendsBody && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${step.id}: ${response.status} ${text}`);
  const responses = new Map(before?.responses).set(response.status, JSON.parse(text));
  return { parameters, body, response: JSON.parse(text), responses };
}

/** The sample call of an endpoint: the mock may not know a new one before the next generation. */
function sampleOf(endpoint: Endpoint): Example | undefined {
  const call = SAMPLES.find(({ id }) => id === endpoint.id)?.call;
  if (call === undefined) return undefined;
  const { status, body } = call.response;
  const responses = new Map([[status, body]]);
  return { ...split(endpoint, call.input ?? {}), response: body, responses };
}

/** Sends the journey to a mock platform. Returns the last exchange with each endpoint. */
export async function recordExamples(
  endpoints: readonly Endpoint[],
): Promise<ReadonlyMap<string, Example>> {
  const platform = createMockPlatform({ baseUrl: BASE_URL });
  const { email, password } = SAMPLES.find(({ id }) => id === 'auth.login')?.call.input ?? {};
  const user = platform.users.add({ email: String(email), password: String(password) });
  const bodies = new Map<string, Record<string, string>>();
  const examples = new Map<string, Example>();
  for (const step of JOURNEY) {
    const endpoint = endpoints.find(({ id }) => id === step.id);
    if (endpoint === undefined) throw new Error(`${step.id} is not an endpoint`);
    const example = await exchange(
      step,
      endpoint,
      { platform, user, bodies },
      examples.get(step.id),
    );
    examples.set(step.id, example);
    bodies.set(step.id, { ...(example.response as Record<string, string>) });
  }
  for (const endpoint of endpoints.filter(({ id }) => !examples.has(id))) {
    const sample = sampleOf(endpoint);
    if (sample !== undefined) examples.set(endpoint.id, sample);
  }
  return examples;
}

/** Returns the body of an error as the contract documents it. */
export function errorExample(id: string, status: number): unknown {
  const { body } = documentedErrorResponse(id, status);
  // If the contract documents no 400, an input is refused with 422, as elsewhere.
  const isPlanned = JSON.stringify(body).includes(`Planned failure ${status}`);
  return isPlanned ? documentedErrorResponse(id, 422).body : body;
}
