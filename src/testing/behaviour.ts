import type { Endpoint } from '../contract/endpoint.js';
import type { MockClock } from './clock.js';
import type { Environment } from './environment.js';
import type { Identifiers } from './identifiers.js';
import type { ProofVerifiers } from './proofs.js';
import type { MockState, MockUser } from './state.js';

/** What the platform answers. */
export type MockResponse = {
  status: number;
  /** JSON; `undefined` sends an empty body. */
  body: unknown;
  headers?: Readonly<Record<string, string>>;
};

/** What a behaviour works with. */
export type MockCall = {
  endpoint: Endpoint;
  /** Path, query and body together, in the names of the contract's declaration. */
  input: Readonly<Record<string, unknown>>;
  state: MockState;
  clock: MockClock;
  ids: Identifiers;
  baseUrl: string;
  tenant: string;
  proofs: ProofVerifiers;
  /** The set of users that the request is about; `undefined` where it may be either. */
  environment: Environment | undefined;
  /** Whose access token came; absent where the endpoint takes none. */
  user: MockUser;
};

/** Plays one endpoint. */
export type Behaviour = (call: MockCall) => MockResponse | Promise<MockResponse>;

/** Behaviours by endpoint id. */
export type Behaviours = Readonly<Record<string, Behaviour>>;

/** A success. */
export const ok = (body: unknown, status = 200): MockResponse => ({ status, body });

/** A refusal in the form `{ message }`. */
export const refuse = (status: number, message: string): MockResponse => ({
  status,
  body: { message },
});

/** A text of the input. */
export function textOf(call: MockCall, field: string): string {
  const value = call.input[field];
  return typeof value === 'string' ? value : '';
}
