import type { ChainConfig } from '../contract/delegation.js';
import type { Credential } from '../contract/endpoint.js';
import type { EndpointCredentials } from '../contract/endpoint-credentials.js';
import { parseWebUrl } from '../contract/formats/url.js';
import type { Additions } from '../contract/lists.js';
import { requireFlag, requireFunction, requireKnownOptions } from './check-options.js';
import type { MockChoices } from './choices.js';
import type { WebhookFetch } from './deliveries.js';
import type { ObservedId } from './endpoint-ids.js';
import type { ProofVerifier } from './proofs.js';
import type { MockCredentials } from './state.js';
import { DEFAULT_CREDENTIALS, readCredentials } from './tenants.js';
import { type OnUnhandled, requireOnUnhandled } from './unhandled.js';

/** Options of `createMockPlatform`. */
export type MockPlatformOptions = {
  /** Base URL of the platform. Default `https://mock.card-platform.test`. */
  baseUrl?: string | undefined;
  /** Credentials that the platform accepts. */
  credentials?: Partial<MockCredentials> | undefined;
  /** Credentials that individual endpoints need instead of the contract's, as in the client. */
  endpointCredentials?:
    | (EndpointCredentials & { readonly [Id in ObservedId]?: readonly Credential[] | undefined })
    | undefined;
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
  /** The response for the US. Default: `chainConfig`, with other spenders in place of the mock's own. */
  usChainConfig?: ChainConfig | undefined;
  /** The behaviours that the contract leaves open. `mock.state.choices` changes them later. */
  choices?: Partial<MockChoices> | undefined;
  /**
   * Sends the deliveries of webhooks, for example your handler behind a `fetch`. It has 30 seconds of
   * real time. Default: nothing is sent, and `mock.deliveries` lists them.
   */
  webhookFetch?: WebhookFetch | undefined;
  /**
   * Milliseconds of the platform's time before the second, third, ... attempt to deliver an event.
   * Default 1 second, 5 minutes, 30 minutes, 2 hours, 12 hours.
   */
  webhookRetryDelays?: readonly number[] | undefined;
  /**
   * The time that deliveries are signed with, in milliseconds since 1970. Pass `Date.now` when
   * `webhookFetch` reaches a real server. Default: the platform's time, and the real time for
   * deliveries that are sent `to` a URL.
   */
  webhookTime?: (() => number) | undefined;
  /**
   * The response to a request for which there is no endpoint and no route of yours. `error`:
   * `mock.fetch` throws, MSW responds 500, the sandbox 501. 404 or 501: a response with that
   * status. The error or the body suggests the nearest endpoint. Default `error`.
   */
  onUnhandled?: OnUnhandled | undefined;
  /**
   * Whether the platform also responds to the calls that deployed clients make beyond the contract,
   * such as OAuth and registration. Default `false`.
   */
  observed?: boolean | undefined;
  /**
   * Networks, currencies and payment methods to accept beyond the contract's lists: their names, or
   * the `additions` of your client, whose `addressFormats` the platform then applies too.
   */
  additions?: readonly string[] | Additions | undefined;
};

const OPTION_NAMES: { readonly [Name in keyof MockPlatformOptions]-?: true } = {
  baseUrl: true,
  credentials: true,
  endpointCredentials: true,
  startsAt: true,
  seed: true,
  verifyEvmProof: true,
  verifySolanaProof: true,
  chainConfig: true,
  usChainConfig: true,
  choices: true,
  webhookFetch: true,
  webhookRetryDelays: true,
  webhookTime: true,
  onUnhandled: true,
  observed: true,
  additions: true,
};

const FUNCTIONS = ['verifyEvmProof', 'verifySolanaProof', 'webhookFetch', 'webhookTime'] as const;

/** Refuses options that should be functions and are not. */
export function checkFunctions(
  options: Pick<MockPlatformOptions, (typeof FUNCTIONS)[number]>,
): void {
  for (const name of FUNCTIONS) {
    if (options[name] !== undefined) requireFunction(name, options[name]);
  }
}

function requireBaseUrl(baseUrl: unknown): void {
  const url = parseWebUrl(baseUrl);
  if (url !== undefined && url.query === '' && !String(baseUrl).includes('#')) return;
  throw new TypeError(
    'baseUrl must be an http or https URL without a query, such as https://api.example.com',
  );
}

/** Returns the credentials of the first tenant. */
export const credentialsOf = ({ credentials = {} }: MockPlatformOptions): MockCredentials =>
  readCredentials('createMockPlatform: credentials', credentials, DEFAULT_CREDENTIALS);

/** Refuses unknown options, and values that an option cannot have. */
export function checkOptions(options: MockPlatformOptions): void {
  requireKnownOptions('createMockPlatform', options, Object.keys(OPTION_NAMES));
  const { baseUrl, onUnhandled, observed = false } = options;
  if (baseUrl !== undefined) requireBaseUrl(baseUrl);
  checkFunctions(options);
  credentialsOf(options);
  requireOnUnhandled(onUnhandled);
  requireFlag('observed', observed);
}
