import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform, type EndpointId } from 'card-platform-sdk/testing';
import { sampleCall } from '../../../test/support/calls.js';
import { enter, type SentRequest, Stage } from '../run/stage.js';
import { actAsServer, vi } from '../run/vitest.js';
import { FAULTS, type Moment } from './faults.js';

/** A cell of the explorer. */
export type Choice = { endpoint: EndpointId; fault: string; moment: Moment };

/** The result of the call in a cell. */
export type Explored = {
  error: unknown;
  requests: readonly SentRequest[];
  /** Whether the state of the platform has changed, which the client cannot see. */
  hasActed: boolean;
};

/** The state of the card before a call that an active card refuses. */
const CARD_BEFORE: Readonly<Record<string, 'FROZEN'>> = { 'card.unfreeze': 'FROZEN' };

/** Makes the call against an in-memory platform with the fault. */
export async function exploreCell({ endpoint, fault, moment }: Choice): Promise<Explored> {
  const stage = new Stage();
  enter(stage);
  actAsServer();
  const mock = createMockPlatform();
  const ada = mock.users.add({
    verified: true,
    ...(endpoint !== 'card.order' && { card: CARD_BEFORE[endpoint] ?? 'ACTIVE' }),
    creditBalance: '1000',
    externalWallets: [{ balance: '50', allowance: '20' }],
  });
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(ada),
    // No waits between attempts.
    random: () => 0,
  });
  vi.unstubAllGlobals();
  FAULTS[fault]?.plan(mock, endpoint, moment);
  const before = JSON.stringify(mock.state);
  stage.watch();
  const error: unknown = await Promise.resolve(sampleCall(endpoint).invoke(client)).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, requests: stage.requests, hasActed: JSON.stringify(mock.state) !== before };
}
