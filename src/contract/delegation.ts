import type { NoInput, Open, SuccessResult } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import type { Interpretation } from './endpoint.js';
import {
  code,
  delegationToken,
  evmAddress,
  evmHash,
  evmSignature,
  filledText,
  flag,
  input,
  isWalletAddress,
  maybe,
  metadata,
  oneOf,
  optional,
  positiveAmount,
  responseBody,
  rule,
  solanaAddress,
  solanaSignature,
  successResponse,
  text,
  textFrom,
  walletAddress,
} from './fields.js';
import { isSolanaAddress } from './formats/base58.js';
import { isEvmAddress } from './formats/evm-address.js';
import { equalsIgnoringCase } from './formats/ignore-case.js';
import { isObject } from './formats/is-object.js';
import { isReadable, readSignedMessage } from './formats/signed-message.js';
import { CHAIN_IDS, knownCurrency, type Listed } from './lists.js';
import { ISSUES_TOKEN, NEVER, SAFE } from './retry-policy.js';
import type { Schema } from './schema.js';

/** The options of a delegation token. */
export type DelegationTokenInput = {
  /** `us` routes Linea traffic to the US by query, in place of the `x-us-env` header. */
  region?: 'us' | undefined;
} & (
  | {
      /** Ask for native tokens to pay gas with: once per user over all networks. */
      faucet: true;
      /** The user's wallet. */
      address: string;
      /** Where to send the native tokens. */
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
  /**
   * A failed faucet never stops a delegation: token and nonce are valid in every case. `succeeded`:
   * native tokens were sent, or are on their way (`faucet.status` is `pending`). `unknown`: the
   * response does not report whether they were.
   */
  faucetOutcome: 'not-requested' | 'succeeded' | 'failed' | 'unknown';
};

/** The fields of every proof of an approval, on any chain. */
export type ApprovalProof = {
  /** The wallet that signed the approval. */
  address: string;
  currency: Listed<'delegationCurrencies'>;
  /**
   * Spending limit, a decimal string above zero, of usdc and usdt with at most 6 decimals. Deployed clients send whole currency units (`"100.5"`); the
   * contract says base units. The flows of `/evm` and `/solana` make this an option.
   */
  amount: string;
  /** Hash of the confirmed approval transaction. */
  txHash: string;
  /** Signature of `sigMessage` by the wallet. */
  sigHash: string;
  /** The text that the wallet signed. */
  sigMessage: string;
  /** The delegation token. */
  token: string;
  /** `us` routes by query, in place of the `x-us-env` header. */
  region?: 'us' | undefined;
  /**
   * Further body fields, in case the service expects the nonce in its own field: the contract does
   * not document one. Never replaces a declared field.
   */
  extraBody?: { readonly [key: string]: unknown } | undefined;
};

/** Proof of an approval on an EVM network. `txHash` and `sigHash` are 0x-prefixed hex. */
export type EvmApprovalInput = ApprovalProof & {
  network: Listed<'evmNetworks'>;
  /**
   * The EIP-4361 message that the wallet signed. Before anything is sent it is checked that every line
   * is in its place, that it has a nonce, and that its address and chain id are those of this proof.
   * Neither its expiry nor the signature is checked.
   */
  sigMessage: string;
  /**
   * `false` sends `sigMessage` unchecked. Default `true`. Only for a message that the service accepts
   * although it is not EIP-4361, as an example that the service published, or for a network whose
   * name here means another chain, such as a test network. Never sent to the service.
   */
  checkMessage?: boolean | undefined;
};

/** Proof of an approval on Solana. `txHash` and `sigHash` are base58. */
export type SolanaApprovalInput = ApprovalProof & {
  network: Listed<'solanaNetworks'>;
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

const issuedToken = responseBody({
  token: filledText,
  nonce: filledText,
  faucet: maybe(
    responseBody({
      success: maybe(flag),
      network: maybe(text),
      status: maybe(text),
      transactionHash: maybe(text),
      message: maybe(text),
      error: maybe(text),
    }),
  ),
});

// Without them there is nothing to continue with, whatever became of the faucet.
const tokenAndNonce = responseBody({ token: filledText, nonce: filledText });

/** Reports a failed faucet, which the service does with 207, with its status or with its `success`. */
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
  routing: 'header-or-query',
  retry: ISSUES_TOKEN,
  // The faucet pays once per user, so this GET has an effect. It waits up to 10 s for the transfer,
  // and deployed clients wait 30 s.
  retryWhen: { field: 'faucet', is: true, use: NEVER, timeout: 30_000 },
  // The type says of fields that go together what the rules check.
  input: input(
    {
      region,
      faucet: optional(flag),
      address: optional(walletAddress),
      network: optional(code),
    },
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
  ) as Schema<DelegationTokenInput>,
  query: ['region', 'faucet', 'address', 'network'],
  listed: { network: 'faucetNetworks' },
  responses: {
    200: { schema: issuedToken, essential: tokenAndNonce },
    207: { schema: issuedToken, essential: tokenAndNonce, isPartial: true },
  },
  interpret: readToken,
  errors: [401, 422, 498, 499, 500],
  secrets: ['token', 'nonce'],
});

type Text = typeof text | typeof filledText;

/** A proof before its fields are checked: each may be anything. */
type UncheckedProof = { readonly [Name in keyof EvmApprovalInput]?: unknown };

/** The fields of both proofs, together with those that each chain writes in its own format. */
// @__NO_SIDE_EFFECTS__
function proof<Own extends Record<'address' | 'txHash' | 'sigHash' | 'sigMessage', Text>>(
  ownFields: Own,
  ...rules: ReturnType<typeof rule<UncheckedProof>>[]
) {
  return input(
    {
      network: code,
      currency: code,
      amount: positiveAmount,
      token: delegationToken,
      region,
      extraBody: optional(metadata),
      ...ownFields,
    },
    rule('amount', 'must not have more decimals than the currency', amountFitsCurrency),
    ...rules,
  );
}

/** On a network that the caller added, a currency of the same name may have other decimals. */
function amountFitsCurrency({ amount, currency, network }: UncheckedProof): boolean {
  const isKnown = network === 'solana' || numberIn(CHAIN_IDS, network) !== undefined;
  const [, decimals = ''] = typeof amount === 'string' ? amount.split('.') : [];
  return !isKnown || decimals.length <= (knownCurrency(currency)?.decimals ?? Infinity);
}

function numberIn(table: Readonly<Record<string, number>>, name: unknown): number | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
}

type SignedMessage = NonNullable<ReturnType<typeof readSignedMessage>>;

/** A rule for the message that the wallet signed, unless the caller has turned the check off. */
// @__NO_SIDE_EFFECTS__
function messageRule(
  error: string,
  holds: (message: SignedMessage | undefined, proof: UncheckedProof) => boolean,
) {
  return rule<UncheckedProof>('sigMessage', error, (proof) => {
    const { sigMessage, checkMessage } = proof;
    if (checkMessage === false || typeof sigMessage !== 'string' || sigMessage === '') return true;
    return holds(readSignedMessage(sigMessage), proof);
  });
}

/** POST /v1/delegation/evm/post-approval */
export const submitEvmApproval = defineEndpoint<EvmApprovalInput, SuccessResult>({
  id: 'delegation.submitEvmApproval',
  method: 'POST',
  path: '/v1/delegation/evm/post-approval',
  routing: 'header-or-query',
  retry: NEVER,
  input: proof(
    {
      address: evmAddress,
      txHash: evmHash,
      sigHash: evmSignature,
      sigMessage: filledText,
      checkMessage: optional(flag),
    },
    messageRule(
      'must be an EIP-4361 message with a nonce, every line in its place',
      (message) => message !== undefined,
    ),
    messageRule(
      'must be for the same address',
      (message, { address }) => !message || equalsIgnoringCase(address, message.address),
    ),
    messageRule(
      'must be for the chain of the network',
      (message, { network }) =>
        !message || (numberIn(CHAIN_IDS, network) ?? message.chainId) === message.chainId,
    ),
  ),
  localFields: ['checkMessage'],
  query: ['region'],
  extraBodyField: 'extraBody',
  secretInputs: ['token', 'sigMessage', 'sigHash'],
  sendsBody: true,
  listed: { network: 'evmNetworks', currency: 'delegationCurrencies' },
  responses: { 200: successResponse },
  errors: [401, 422, 498, 499, 500],
  businessErrors: ['invalid_evm_address', 'wallet_already_approved'],
});

/** POST /v1/delegation/solana/post-approval */
export const submitSolanaApproval = defineEndpoint<SolanaApprovalInput, SuccessResult>({
  id: 'delegation.submitSolanaApproval',
  method: 'POST',
  path: '/v1/delegation/solana/post-approval',
  routing: 'header-or-query',
  retry: NEVER,
  input: proof(
    {
      address: solanaAddress,
      txHash: solanaSignature,
      sigHash: solanaSignature,
      sigMessage: textFrom(10),
    },
    rule(
      'sigMessage',
      'must be readable text without control characters',
      ({ sigMessage }) => typeof sigMessage !== 'string' || isReadable(sigMessage),
    ),
  ),
  query: ['region'],
  extraBodyField: 'extraBody',
  secretInputs: ['token', 'sigMessage', 'sigHash'],
  sendsBody: true,
  listed: { network: 'solanaNetworks', currency: 'delegationCurrencies' },
  responses: { 200: successResponse },
  errors: [401, 422, 498, 499, 500],
  businessErrors: ['invalid_solana_address', 'wallet_already_approved'],
});

/** GET /v1/delegation/chain/config (preview; used by deployed clients, not named in api.md) */
export const chainConfig = defineEndpoint<NoInput, ChainConfig>({
  id: 'delegation.chainConfig',
  method: 'GET',
  path: '/v1/delegation/chain/config',
  stability: 'preview',
  retry: SAFE,
  responses: { 200: { schema: responseBody({}) } },
});
