import type { NoInput, OpenEnum } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import type { Interpretation } from './endpoint.js';
import {
  code,
  contractRule,
  filledText,
  flag,
  input,
  isWalletAddress,
  list,
  mapOf,
  number,
  oneOf,
  optional,
  partOfBody,
  prefixedUuid,
  responseBody,
  rule,
  text,
  textOrNumber,
  walletAddress,
} from './fields.js';
import { isSolanaAddress } from './formats/base58.js';
import { isEvmAddress } from './formats/evm-address.js';
import { isObject } from './formats/is-object.js';
import type { Listed } from './lists.js';
import { observedResponse, response } from './response.js';
import type { Schema } from './schema.js';

/** The options of a delegation token. */
export type DelegationTokenInput = {
  /** `us` routes Linea traffic to the US by query, in place of the `x-us-env` header. */
  region?: 'us' | undefined;
} & (
  | {
      /** Ask for native tokens to pay gas with: once per user across all networks. */
      faucet: true;
      /** The user's wallet. */
      address: string;
      /** The network on which to send the native tokens. */
      network: Listed<'faucetNetworks'>;
    }
  | {
      /** Default `false`. */
      faucet?: false | undefined;
      address?: string | undefined;
      network?: Listed<'faucetNetworks'> | undefined;
    }
);

/** The result of the faucet request. */
export type FaucetResult = {
  success?: boolean | null | undefined;
  network?: string | null | undefined;
  status?: OpenEnum<'confirmed' | 'pending' | 'declined'> | null | undefined;
  /** Only when `status` is `confirmed`. */
  transactionHash?: string | null | undefined;
  /** Only when `status` is `pending`. */
  message?: string | null | undefined;
  error?: string | null | undefined;
};

/** A delegation token: single use, about 10 minutes. Prints redacted. */
export type DelegationToken = {
  /** Opaque; may carry a prefix. */
  token: string;
  /** Goes into the `Nonce:` line of the message that the user signs. Opaque. */
  nonce: string;
  faucet?: FaucetResult | null | undefined;
  /**
   * A failed faucet never stops a delegation: token and nonce are valid in every case. `succeeded`:
   * native tokens were sent, or are on their way (`faucet.status` is `pending`). `unknown`: the
   * response does not report whether they were.
   */
  faucetOutcome: 'not-requested' | 'succeeded' | 'failed' | 'unknown';
};

/** Networks, spenders and tokens (preview): any field may be absent. */
export type ChainConfig = {
  networks?:
    | readonly {
        network?: string | null | undefined;
        environment?: string | null | undefined;
        /** Decimal or 0x-prefixed. */
        chainId?: string | number | null | undefined;
        /** The spender (EVM) or delegate (Solana). */
        delegationContract?: string | null | undefined;
        tokens?:
          | {
              readonly [currency: string]:
                | {
                    symbol?: string | null | undefined;
                    decimals?: number | string | null | undefined;
                    address?: string | null | undefined;
                  }
                | null
                | undefined;
            }
          | null
          | undefined;
      }[]
    | null
    | undefined;
  count?: number | null | undefined;
};

const faucetResult = responseBody({
  success: flag,
  network: text,
  status: oneOf(['confirmed', 'pending', 'declined']),
  // Only if the status is confirmed, or pending.
  transactionHash: optional(text),
  message: optional(text),
  error: optional(text),
});

const issuedToken = { token: prefixedUuid, nonce: filledText };

// A delegation cannot continue without them, whatever the faucet did.
const TOKEN_AND_NONCE = ['token', 'nonce'];

/** The outcome of a faucet. The service reports its failure with 207, `status` or `success`. */
function faucetOutcomeOf(
  faucet: unknown,
  status: number,
  wasRequested: boolean,
): DelegationToken['faucetOutcome'] {
  if (status === 207) return 'failed';
  if (!isObject(faucet)) return wasRequested ? 'unknown' : 'not-requested';
  const { success, status: state } = faucet;
  if (success === false || state === 'declined') return 'failed';
  return success === true || state === 'confirmed' || state === 'pending' ? 'succeeded' : 'unknown';
}

function readToken(
  data: unknown,
  status: number,
  input: Readonly<Record<string, unknown>>,
): Interpretation<DelegationToken> {
  const token = data as Omit<DelegationToken, 'faucetOutcome'>;
  const faucetOutcome = faucetOutcomeOf(token.faucet, status, input['faucet'] === true);
  return { means: 'result', result: { ...token, faucetOutcome } };
}

const region = optional(oneOf(['us']));
const FAUCET_NEEDS = 'is required when faucet is true';

function addressFitsNetwork({ faucet, address, network }: DelegationTokenInput): boolean {
  if (faucet !== true || typeof address !== 'string' || !isWalletAddress(address)) return true;
  return network === 'solana' ? isSolanaAddress(address) : isEvmAddress(address);
}

/** GET /v1/delegation/token */
export const getDelegationToken = defineEndpoint<DelegationTokenInput, DelegationToken>({
  id: 'delegation.getToken',
  method: 'GET',
  path: '/v1/delegation/token',
  pageAccess: 'allowed',
  routing: 'header-or-query',
  retry: 'issues-token',
  // The faucet pays once per user, so this GET has an effect. It waits up to 10 s for the transfer,
  // and deployed clients wait 30 s.
  retryWhen: { field: 'faucet', is: true, retry: 'never', timeout: 30_000 },
  // The type states which fields go together, and the rules check it.
  input: input(
    {
      region,
      faucet: optional(flag),
      address: optional(walletAddress),
      network: optional(code),
    },
    contractRule(
      'address',
      FAUCET_NEEDS,
      ({ faucet, address }) => faucet !== true || address !== undefined,
    ),
    contractRule(
      'network',
      FAUCET_NEEDS,
      ({ faucet, network }) => faucet !== true || network !== undefined,
    ),
    rule('address', 'must be an address of that network', addressFitsNetwork),
  ) as Schema<DelegationTokenInput>,
  query: ['region', 'faucet', 'address', 'network'],
  listed: { network: 'faucetNetworks' },
  responses: {
    200: response(
      responseBody({ ...issuedToken, faucet: optional(faucetResult) }),
      TOKEN_AND_NONCE,
    ),
    // The contract shows no more of it.
    207: response(partOfBody(issuedToken), TOKEN_AND_NONCE, { isPartial: true }),
  },
  interpret: readToken,
  errors: [401, 422, 498, 499, 500],
  secrets: ['token', 'nonce'],
  reconcile: {
    details: ['address', 'network'],
    takesFromWallets: false,
    undecidedBecause:
      'no read shows whether the faucet paid out; look at the balance of the wallet on its network',
  },
});

const observedNetwork = responseBody({
  network: text,
  environment: text,
  chainId: textOrNumber,
  delegationContract: text,
  tokens: mapOf(responseBody({ symbol: text, decimals: textOrNumber, address: text })),
});

/** GET /v1/delegation/chain/config (preview; not in the contract, but deployed clients use it) */
export const chainConfig = defineEndpoint<NoInput, ChainConfig>({
  id: 'delegation.chainConfig',
  method: 'GET',
  path: '/v1/delegation/chain/config',
  pageAccess: 'allowed',
  stability: 'preview',
  retry: 'safe',
  responses: {
    200: observedResponse(responseBody({ networks: list(observedNetwork), count: number })),
  },
});
