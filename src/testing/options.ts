import type { ChainConfig } from '../contract/delegation.js';
import type { EndpointCredentials } from '../contract/endpoint-credentials.js';
import type { MockCredentials } from './credentials.js';
import type { ProofVerifier } from './proofs.js';

/** Options of `createMockPlatform`. */
export type MockPlatformOptions = {
  /** Base URL of the platform. Default `https://mock.card-platform.test`. */
  baseUrl?: string | undefined;
  /** Credentials that the platform accepts. */
  credentials?: Partial<MockCredentials> | undefined;
  /** Credentials that single endpoints need instead of those of the contract, as in the client. */
  endpointCredentials?: EndpointCredentials | undefined;
  /** Start of the platform's clock, in milliseconds since 1970. Default 2026-01-01. */
  startsAt?: number | undefined;
  /** Seed of the generated ids. Platforms with different seeds have different ids. Default 1. */
  seed?: number | undefined;
  /** Checks EVM proofs. Default: the message must be EIP-4361 and have the nonce and the address. */
  verifyEvmProof?: ProofVerifier | undefined;
  /** Checks Solana proofs. Default: every proof is accepted. */
  verifySolanaProof?: ProofVerifier | undefined;
  /** The response of `delegation.chainConfig`. */
  chainConfig?: ChainConfig | undefined;
  /** Networks, currencies and payment methods to accept beyond the contract's lists. */
  additions?: readonly string[] | undefined;
};
