import { check } from '../../contract/check.js';
import type { Fields } from '../../contract/field.js';
import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { errorResponse, type MockCall, type MockResponse } from '../behaviour.js';
import type { ObservedId } from '../endpoint-ids.js';
import type { Simulation } from '../simulation.js';
import type { MockUser } from '../state.js';
import type { MockMessage, MockObservedState, MockPlace } from './state.js';

/** The request that the behaviour of an observed call handles, and the parts that it needs. */
export type ObservedCall = MockCall & {
  observed: MockObservedState;
  headers: Headers;
  simulation: Simulation;
  /** The tenant and the environment whose users the request may concern. */
  place: MockPlace;
};

/** The behaviour of an observed call. */
export type ObservedBehaviour = (call: ObservedCall) => MockResponse | Promise<MockResponse>;

/** The behaviours of some observed calls. */
export type ObservedBehaviours = { readonly [Id in ObservedId]?: ObservedBehaviour };

/** Whether something belongs to the tenant and the environment of a request. */
export const isAt = ({ place }: Pick<ObservedCall, 'place'>, one: MockPlace): boolean =>
  one.tenant === place.tenant && one.environment === place.environment;

/** Finds the user with an e-mail address, ignoring case, among those that a request may concern. */
export function userByEmail(call: ObservedCall, email: string): MockUser | undefined {
  return call.state.users.find((user) => isAt(call, user) && equalsIgnoringCase(user.email, email));
}

/** Refuses a code or a token that proves an e-mail address or a phone number. */
export const rejectedCode = ({ state }: ObservedCall, message: string): MockResponse =>
  errorResponse(state.choices.codeRejectedStatus, message);

/** Returns an error in the form of OAuth. */
export const oauthError = (status: number, error: string, words: string): MockResponse => ({
  status,
  body: { error, error_description: words },
});

/** Records an e-mail or a text message, for a test to read. */
export function sendMessage(
  { observed, clock }: Pick<ObservedCall, 'observed' | 'clock'>,
  message: Omit<MockMessage, 'sentAt'>,
): void {
  observed.messages.push({ ...message, sentAt: clock.iso() });
}

/** A field of a request that is not valid. */
export type BrokenField = { field: string; message: string };

/** Returns the fields of a request that break their rules, each once. */
export function brokenFields(
  fields: Fields,
  input: Readonly<Record<string, unknown>>,
): BrokenField[] {
  return Object.entries(fields).flatMap(([field, schema]) => {
    const value = input[field];
    const [broken] = check(schema, value);
    if (broken === undefined) return [];
    const isAbsent = value === undefined || value === null;
    return [{ field, message: isAbsent ? 'is required' : broken.message }];
  });
}
