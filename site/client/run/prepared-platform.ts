import type { CardPlatformClient } from 'card-platform-sdk';
import {
  inputOf,
  JOURNEY,
  type Scene,
  type Step,
} from '../../../scripts/generate/openapi/scenario.js';
import type { DocsPlatform } from '../../../test/docs/docs-platform.js';
import { callMethod, sampleCall } from '../../../test/support/calls.js';

/** A platform on which the call of an endpoint's page succeeds. */
export type Prepared = {
  /** The clients that the program of the page uses. */
  names: { client: CardPlatformClient; userClient: CardPlatformClient };
  /** The input of the call, or `undefined` if the method takes none. */
  input: Readonly<Record<string, unknown>> | undefined;
};

const LOGIN = { email: 'grace@example.com', password: 'a secret' };

/** Makes the calls of a user's journey that come before the one of an endpoint. */
export async function preparedFor(
  id: string,
  { mock, client }: Pick<DocsPlatform, 'mock' | 'client'>,
): Promise<Prepared> {
  const owner = mock.users.add(LOGIN);
  const userClient = client.withAccessToken(mock.accessTokenFor(owner));
  const bodies = new Map<string, Readonly<Record<string, string>>>();
  const scene: Scene = { platform: mock, user: owner, bodies };
  const names = { client, userClient };
  const last = JOURNEY.findLastIndex((step) => step.id === id);
  for (const step of JOURNEY.slice(0, Math.max(0, last))) {
    step.before?.(scene);
    const args = argumentsOf(step, scene);
    bodies.set(step.id, {
      ...((await callMethod(userClient, step.id, args)) as Record<string, string>),
    });
  }
  const step = JOURNEY[last] ?? { id };
  step.before?.(scene);
  return { names, input: argumentsOf(step, scene)[0] };
}

function argumentsOf(step: Step, scene: Scene): [] | [Readonly<Record<string, unknown>>] {
  const { input: sample } = sampleCall(step.id);
  if (sample === undefined && step.input === undefined) return [];
  const input = inputOf(step, scene, { ...Object(sample) });
  return ['email' in input ? { ...input, ...LOGIN } : input];
}
