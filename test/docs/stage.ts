import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform, type EndpointId, type ProofVerifier } from 'card-platform-sdk/testing';
import type { Clock } from '../../src/transport/attempts/clock.js';

/** The options that every page names. */
const BASE_URL = 'https://api.example.com';
const CREDENTIALS = {
  clientKey: 'your-client-key',
  clientId: 'your-client-id',
  secretKey: 'your-secret-key',
};

/** Longer than any wait between two looks, and shorter than any limit of time. */
const LONGEST_WAIT_MS = 10_000;

/** Waits between two looks take no time; limits of time stay as they are. */
const impatientClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  schedule: (callback, ms) => {
    const timer = setTimeout(callback, ms > LONGEST_WAIT_MS ? ms : 1);
    return () => clearTimeout(timer);
  },
};

/** What every page is played on. */
export type Stage = ReturnType<typeof setStage>;

/**
 * A platform in memory at the address that pages name, with the user that they log in, and clients
 * of both. Each request takes five seconds of the platform's time.
 */
export function setStage() {
  const verifiers: { evm?: ProofVerifier; solana?: ProofVerifier } = {};
  const mock = createMockPlatform({
    ...{ baseUrl: BASE_URL, credentials: CREDENTIALS, startsAt: Date.now() },
    verifyEvmProof: (proof) => verifiers.evm?.(proof),
    verifySolanaProof: (proof) => verifiers.solana?.(proof),
  });
  const ada = mock.users.add({
    ...{ email: 'ada@example.com', password: 'a secret', card: 'ACTIVE' },
    wallets: [{ network: 'xrp', currency: 'xrp', balance: '200' }],
  });
  const after: Partial<Record<EndpointId, () => unknown>> = {};
  const fetch: typeof mock.fetch = async (input, init) => {
    mock.advance('5 seconds');
    const answer = await mock.fetch(input, init);
    const { operation } = mock.requests.at(-1) ?? {};
    if (operation !== undefined) await after[operation]?.();
    return answer;
  };
  const platform = new CardPlatformClient({
    ...{ baseUrl: BASE_URL, ...CREDENTIALS, fetch },
    clock: impatientClock,
  });
  const user = platform.withAccessToken(mock.accessTokenFor(ada));
  return {
    ...{ mock, ada, platform, user, fetch },
    /** What others do when a request has come: the user on a page of the service, a payer. */
    after,
    /** What checks the proofs of delegations against a chain of the scene. */
    verifiers,
  };
}
