import type { ChainConfig } from '../contract/delegation.js';
import type { MockCredentials } from './guard.js';
import type { ProofVerifier } from './proofs.js';
import type { MockState } from './state.js';

/** How a platform is set up. */
export type MockPlatformOptions = {
  /** Where it answers. Default `https://mock.card-platform.test`. */
  baseUrl?: string | undefined;
  /** The credentials that it takes. */
  credentials?: Partial<MockCredentials> | undefined;
  /** Its time at the beginning, in milliseconds since 1970. Default 2026-01-01. */
  startsAt?: number | undefined;
  /** Makes its ids differ from those of another platform. */
  seed?: number | undefined;
  /** Checks EVM proofs. Default: the message has to name the nonce and the address. */
  verifyEvmProof?: ProofVerifier | undefined;
  /** Checks Solana proofs. Default: all are taken. */
  verifySolanaProof?: ProofVerifier | undefined;
  /** What `delegation.chainConfig` answers. */
  chainConfig?: ChainConfig | undefined;
  /** Networks, currencies and payment methods beyond the contract's lists. */
  additions?: readonly string[] | undefined;
};

/** Everything that a platform remembers, to go back to. */
export type MockSnapshot = {
  readonly state: MockState;
  readonly now: number;
  readonly ids: number;
};
