import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform, type EndpointId, type ProofVerifier } from 'card-platform-sdk/testing';
import type { Clock } from '../../src/transport/attempts/clock.js';

/** The options that all pages use. */
const BASE_URL = 'https://api.example.com';
const CREDENTIALS = {
  clientKey: 'your-client-key',
  clientId: 'your-client-id',
  secretKey: 'your-secret-key',
};

/** Longer than any polling interval, and shorter than any timeout. */
const LONGEST_WAIT_MS = 10_000;

/** A clock on which polling takes no time, but timeouts are unchanged. */
export const fastClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  schedule: (callback, ms) => {
    const timer = setTimeout(callback, ms > LONGEST_WAIT_MS ? ms : 1);
    return () => clearTimeout(timer);
  },
};

/** The platform and the clients that a page runs with. */
export type DocsPlatform = ReturnType<typeof createDocsPlatform>;

/**
 * Creates a mock platform at the base URL of the pages, with the user that they log in, and clients
 * for both. Each request advances the clock by five seconds.
 */
export function createDocsPlatform() {
  const verifiers: { evm?: ProofVerifier; solana?: ProofVerifier } = {};
  const mock = createMockPlatform({
    observed: true,
    baseUrl: BASE_URL,
    credentials: CREDENTIALS,
    startsAt: Date.now(),
    verifyEvmProof: (proof) => verifiers.evm?.(proof),
    verifySolanaProof: (proof) => verifiers.solana?.(proof),
  });
  const ada = mock.users.add({
    email: 'ada@example.com',
    password: 'a secret',
    card: 'ACTIVE',
    wallets: [{ network: 'xrp', currency: 'xrp', balance: '200' }],
  });
  const afterRequest: Partial<Record<EndpointId, () => unknown>> = {};
  const ownResponses: Record<string, () => Response> = {};
  const fetch: typeof mock.fetch = async (input, init) => {
    mock.advance('5 seconds');
    const url = input instanceof Request ? input.url : String(input);
    const own = ownResponses[new URL(url).pathname];
    if (own !== undefined) return own();
    const response = await mock.fetch(input, init);
    const { operation } = mock.requests.at(-1) ?? {};
    if (operation !== undefined) await afterRequest[operation as EndpointId]?.();
    return response;
  };
  const client = new CardPlatformClient({
    baseUrl: BASE_URL,
    ...CREDENTIALS,
    fetch,
    clock: fastClock,
  });
  const userClient = client.withAccessToken(mock.accessTokenFor(ada));
  return {
    mock,
    ada,
    client,
    userClient,
    fetch,
    /** Runs after a request to an endpoint, as a user or a payer would act. */
    after: afterRequest,
    /** Responses of endpoints that the mock platform does not have, by path. */
    ownResponses,
    /** Verifiers that check delegation proofs against a local chain. */
    verifiers,
  };
}
