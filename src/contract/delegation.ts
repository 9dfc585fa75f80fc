import * as z from 'zod/mini';
import type { NoInput, Open, SuccessAnswer } from './common.js';
import type { Endpoint, Reading } from './endpoint.js';
import {
  answer,
  code,
  decimalAmount,
  delegationToken,
  evmAddress,
  evmHash,
  evmSignature,
  filledText,
  flag,
  freeForm,
  input,
  maybe,
  oneOf,
  optional,
  rule,
  solanaAddress,
  solanaSignature,
  successAnswer,
  text,
} from './fields.js';
import { isSolanaAddress } from './formats/base58.js';
import { isEvmAddress } from './formats/evm-address.js';
import { MINT, NEVER, READ } from './repeat.js';

/** How long a delegation token lives: about 10 minutes, in milliseconds. */
export const DELEGATION_TOKEN_LIFETIME_MS = 10 * 60 * 1000;

/** What to ask for with a delegation token. */
export type DelegationTokenInput = {
  /** `us` routes Linea traffic to the US by query, in place of the `x-us-env` header. */
  region?: 'us' | undefined;
  /** Ask for native tokens to pay gas with: once per user over all networks. Default `false`. */
  faucet?: boolean | undefined;
  /** The user's wallet; required when `faucet` is `true`. */
  address?: string | undefined;
  /** Where to send the native tokens; required when `faucet` is `true`. */
  network?: Open<'linea' | 'solana' | 'base'> | undefined;
};

/** What became of the faucet request. */
export type FaucetResult = {
  success?: boolean | null | undefined;
  network?: string | null | undefined;
  status?: Open<'confirmed' | 'pending' | 'declined'> | null | undefined;
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
  /** A failed faucet never stops a delegation: token and nonce are valid in every case. */
  faucetOutcome: 'not-requested' | 'succeeded' | 'failed';
};

/** What every proof of an approval says, on whichever chain. */
export type ApprovalProof = {
  /** The wallet that signed the approval. */
  address: string;
  currency: Open<'usdc' | 'usdt'>;
  /**
   * Spending limit, a decimal string. Deployed clients send whole currency units (`"100.5"`); the
   * contract says base units. The flows of `/evm` and `/solana` make this an option.
   */
  amount: string;
  /** Hash of the confirmed approval transaction. */
  txHash: string;
  /** Signature of `sigMessage` by the wallet. */
  sigHash: string;
  sigMessage: string;
  /** The delegation token. */
  token: string;
  /** `us` routes by query, in place of the `x-us-env` header. */
  region?: 'us' | undefined;
  /**
   * Further body fields, should the service want the nonce in a field of its own: the contract
   * does not show one. Never replaces a declared field.
   */
  extraBody?: { readonly [key: string]: unknown } | undefined;
};

/** Proof of an approval on an EVM network. `txHash` and `sigHash` are 0x-prefixed hex. */
export type EvmApprovalInput = ApprovalProof & {
  network: Open<'linea' | 'ethereum'>;
};

/** Proof of an approval on Solana. `txHash` and `sigHash` are base58. */
export type SolanaApprovalInput = ApprovalProof & {
  network: Open<'solana'>;
};

/** Networks, spenders and tokens as they were seen (preview): any field may be absent. */
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
                    decimals?: number | null | undefined;
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

const BASE = {
  credentials: ['clientKey', 'accessToken'],
  stability: 'contract',
} as const;

const tokenFields = { token: filledText, nonce: filledText };
const tokenAnswer = {
  schema: answer({
    ...tokenFields,
    faucet: maybe(
      answer({
        success: maybe(flag),
        network: maybe(text),
        status: maybe(text),
        transactionHash: maybe(text),
        message: maybe(text),
        error: maybe(text),
      }),
    ),
  }),
  essential: answer(tokenFields),
};

function readToken(data: unknown, status: number): Reading<DelegationToken> {
  const token = data as Omit<DelegationToken, 'faucetOutcome'>;
  const answered = token.faucet ? 'succeeded' : 'not-requested';
  return {
    means: 'result',
    result: { ...token, faucetOutcome: status === 207 ? 'failed' : answered },
  };
}

const isWalletAddress = (value: string) => isEvmAddress(value) || isSolanaAddress(value);
const region = optional(oneOf(['us']));
const FAUCET_NEEDS = 'is required when faucet is true';

function addressFitsNetwork({ faucet, address, network }: DelegationTokenInput): boolean {
  if (faucet !== true || typeof address !== 'string' || !isWalletAddress(address)) return true;
  return network === 'solana' ? isSolanaAddress(address) : isEvmAddress(address);
}

/** GET /v1/delegation/token */
export const getDelegationToken: Endpoint<DelegationTokenInput, DelegationToken> = {
  ...BASE,
  id: 'delegation.getToken',
  method: 'GET',
  path: '/v1/delegation/token',
  routing: 'header-or-query',
  repeat: MINT,
  // A faucet is given once per user: this GET has an effect.
  // It waits up to 10 s for the transfer; deployed clients wait 30 s.
  repeatWhen: { field: 'faucet', is: true, use: NEVER, timeout: 30_000 },
  input: input({
    region,
    faucet: optional(flag),
    address: optional(
      filledText.check(z.refine(isWalletAddress, { error: 'must be an EVM or Solana address' })),
    ),
    network: optional(code),
  }).check(
    rule(
      'address',
      FAUCET_NEEDS,
      ({ faucet, address }) => faucet !== true || address !== undefined,
    ),
    rule(
      'network',
      FAUCET_NEEDS,
      ({ faucet, network }) => faucet !== true || network !== undefined,
    ),
    rule('address', 'must be an address of that network', addressFitsNetwork),
  ),
  query: ['region', 'faucet', 'address', 'network'],
  sendsBody: false,
  listed: { network: 'faucetNetworks' },
  answers: { 200: tokenAnswer, 207: tokenAnswer },
  read: readToken,
  errors: [401, 422, 498, 499, 500],
  businessErrors: [],
  secrets: ['token', 'nonce'],
};

const proof = {
  network: code,
  currency: code,
  amount: decimalAmount,
  token: delegationToken,
  region,
  extraBody: optional(freeForm),
};

const SUBMIT = {
  ...BASE,
  method: 'POST',
  routing: 'header-or-query',
  repeat: NEVER,
  query: ['region'],
  extraBodyField: 'extraBody',
  secretInputs: ['token'],
  sendsBody: true,
  answers: { 200: successAnswer },
  errors: [401, 422, 498, 499, 500],
  secrets: [],
} as const;

/** POST /v1/delegation/evm/post-approval */
export const submitEvmApproval: Endpoint<EvmApprovalInput, SuccessAnswer> = {
  ...SUBMIT,
  id: 'delegation.submitEvmApproval',
  path: '/v1/delegation/evm/post-approval',
  input: input({
    ...proof,
    address: evmAddress,
    txHash: evmHash,
    sigHash: evmSignature,
    sigMessage: filledText,
  }),
  listed: { network: 'evmNetworks', currency: 'delegationCurrencies' },
  businessErrors: ['invalid_evm_address', 'wallet_already_approved'],
};

/** POST /v1/delegation/solana/post-approval */
export const submitSolanaApproval: Endpoint<SolanaApprovalInput, SuccessAnswer> = {
  ...SUBMIT,
  id: 'delegation.submitSolanaApproval',
  path: '/v1/delegation/solana/post-approval',
  input: input({
    ...proof,
    address: solanaAddress,
    txHash: solanaSignature,
    sigHash: solanaSignature,
    sigMessage: filledText.check(z.minLength(10, { error: 'must have at least 10 characters' })),
  }),
  listed: { network: 'solanaNetworks', currency: 'delegationCurrencies' },
  businessErrors: ['invalid_solana_address', 'wallet_already_approved'],
};

/** GET /v1/delegation/chain/config (preview; seen in deployed clients, not named in api.md) */
export const chainConfig: Endpoint<NoInput, ChainConfig> = {
  ...BASE,
  id: 'delegation.chainConfig',
  method: 'GET',
  path: '/v1/delegation/chain/config',
  stability: 'preview',
  routing: 'header',
  repeat: READ,
  input: input({}),
  sendsBody: false,
  answers: { 200: { schema: answer({}) } },
  errors: [],
  businessErrors: [],
  secrets: [],
};
