import type {
  HeldRequests,
  MockPlatform,
  MockSnapshot,
  MockUser,
  ServedRoute,
} from '../../testing/index.js';
import { complete, type ObjectSchema, problemOf, type Schema } from './schema.js';

/** The parts of the sandbox that actions use. */
export type Control = {
  platform: MockPlatform;
  /** Snapshots that were saved by name. */
  snapshots: Map<string, MockSnapshot>;
  /** Holds by the id that `hold` returned. A reset ends them. */
  holds: Map<string, HeldRequests>;
  /** Routes that an action serves, by their id. A reset ends them. */
  routes: Map<string, ServedRoute>;
  /** Resets the platform to its start, with the same seed or another. */
  reset: (seed?: 'demo' | 'empty') => void;
  /** Moves the platform's clock to real time if it is behind. */
  catchUp: () => void;
  /** Returns the real time, in milliseconds since 1970. */
  now: () => number;
};

/** The fields of an action, after their check. */
export type Input = Readonly<Record<string, unknown>>;

/** An action and its description in the OpenAPI document. */
export type ControlAction = {
  summary: string;
  input: ObjectSchema;
  /** An example for the OpenAPI document. Users are demo users, and ids are placeholders. */
  example: Input;
  /** Schema of the result. Without it, the response is the new state. */
  result?: Schema;
  run: (control: Control, input: Input) => unknown;
};

/** The field that identifies a user. */
export const USER: Schema = { type: 'string', description: 'Id or e-mail address of the user.' };

/** The input of an action on a user, with an example. */
export const onUser = { input: complete({ user: USER }), example: { user: 'ada@example.com' } };

export function textOf(input: Input, name: string): string {
  const { [name]: value } = input;
  return typeof value === 'string' ? value : '';
}

export const userOf = ({ platform }: Control, input: Input): MockUser =>
  platform.users.get(textOf(input, 'user'));

/**
 * Runs an action.
 *
 * @throws Error that says which field is not valid
 */
export async function runAction(action: ControlAction, control: Control, input: unknown) {
  const problem = problemOf(action.input, input);
  if (problem !== undefined) throw new Error(problem);
  return await action.run(control, Object(input));
}
