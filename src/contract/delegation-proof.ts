import type { SuccessResult } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import { listExternalWallets } from './external-wallets.js';
import {
  code,
  decimalAmount,
  delegationToken,
  evmAddress,
  evmHash,
  evmSignature,
  filledText,
  flag,
  input,
  metadata,
  oneOf,
  optional,
  rule,
  solanaAddress,
  solanaSignature,
  type text,
  textFrom,
} from './fields.js';
import { isDecimal, isPositiveDecimal } from './formats/decimal.js';
import { equalsIgnoringCase } from './formats/ignore-case.js';
import { isSameAddress, isSameAmount } from './formats/same-values.js';
import { isReadable, readSignedMessage } from './formats/signed-message.js';
import { CHAIN_IDS, knownCurrency, type Listed } from './lists.js';
import { type ContractReconcile, unclear } from './lookup.js';
import { refusal } from './refusals.js';
import { successResponse } from './response.js';

/** The fields of every proof of an approval, on any chain. */
export type ApprovalProof = {
  /** The wallet that signed the approval. */
  address: string;
  currency: Listed<'delegationCurrencies'>;
  /**
   * Spending limit: a decimal string. Deployed clients send whole currency units (`"100.5"`); the
   * contract says base units. The flows of `/evm` and `/solana` make this an option.
   *
   * @remarks
   * This package requires an amount above zero, or zero with `isRevocation`, with at most 6 decimals for
   * usdc and usdt.
   */
  amount: string;
  /**
   * `true` for the proof that a limit was revoked: `amount` must then be zero. Default `false`, which
   * refuses zero. Never sent to the service, which may still refuse a limit of zero.
   */
  isRevocation?: boolean | undefined;
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
   * Further body fields, in case the service expects the nonce in a separate field: the contract does
   * not document one. They never replace a declared field.
   */
  extraBody?: { readonly [key: string]: unknown } | undefined;
};

/** Proof of an approval on an EVM network. `txHash` and `sigHash` are 0x-prefixed hex. */
export type EvmApprovalInput = ApprovalProof & {
  network: Listed<'evmNetworks'>;
  /**
   * The EIP-4361 message that the wallet signed. It is checked before anything is sent: every line
   * must be in its place, it must have a nonce, and its address and chain id must match this proof.
   * Neither its expiry nor the signature is checked.
   */
  sigMessage: string;
  /**
   * `false` sends `sigMessage` unchecked. Default `true`. Only for a message that the service
   * accepts although it is not EIP-4361, such as an example that the service published, or for a
   * network whose name here means another chain, such as a test network. Never sent to the service.
   */
  checkMessage?: boolean | undefined;
};

/** Proof of an approval on Solana. `txHash` and `sigHash` are base58. */
export type SolanaApprovalInput = ApprovalProof & {
  network: Listed<'solanaNetworks'>;
};

const region = optional(oneOf(['us']));
// Seen, not documented.
const walletAlreadyApproved = refusal('wallet_already_approved', 422, 'wallet already approved');

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
      amount: decimalAmount,
      isRevocation: optional(flag),
      token: delegationToken,
      region,
      extraBody: optional(metadata),
      ...ownFields,
    },
    rule(
      'amount',
      'must be above zero',
      ({ amount, isRevocation }: UncheckedProof) =>
        isRevocation === true || !isDecimal(amount) || isPositiveDecimal(amount),
    ),
    rule(
      'amount',
      'must be zero in a revocation',
      ({ amount, isRevocation }: UncheckedProof) =>
        isRevocation !== true || !isPositiveDecimal(amount),
    ),
    rule('amount', 'must not have more decimals than the currency', amountFitsCurrency),
    ...rules,
  );
}

/** On a network that the caller added, a currency of the same name may have other decimals. */
function amountFitsCurrency({ amount, currency, network }: UncheckedProof): boolean {
  const isKnown = network === 'solana' || chainIdOf(network) !== undefined;
  const [, decimals = ''] = typeof amount === 'string' ? amount.split('.') : [];
  return !isKnown || decimals.length <= (knownCurrency(currency)?.decimals ?? Infinity);
}

function chainIdOf(network: unknown): number | undefined {
  const isKnown = typeof network === 'string' && Object.hasOwn(CHAIN_IDS, network);
  return isKnown ? CHAIN_IDS[network] : undefined;
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

/** Looks for the wallet in the list of registered wallets. */
const lookAtRegistration: ContractReconcile<ApprovalProof & { address: string; network: string }> =
  {
    details: ['address', 'network', 'currency', 'amount', 'txHash'],
    target: ['address', 'network', 'currency'],
    takesFromWallets: false,
    async look({ details: { address, currency, network, amount }, readRows, show }) {
      const rows = await readRows(listExternalWallets, {});
      if (rows === undefined || rows.some((row) => typeof row['address'] !== 'string')) {
        return unclear('the service does not list the registered wallets');
      }
      const own = rows.filter(
        (row) =>
          isSameAddress(row['address'], address) &&
          (row['currency'] == null || equalsIgnoringCase(row['currency'], currency)) &&
          (row['network'] == null || equalsIgnoringCase(row['network'], network)),
      );
      show(listExternalWallets, own, ['address', 'currency', 'network', 'allowance']);
      if (own.length === 0) {
        const isDone = !isPositiveDecimal(amount);
        return { isDone, reason: 'the wallet is not registered' };
      }
      return own.length === 1 && isSameAmount(String(own[0]?.['allowance']), amount)
        ? { isDone: true, reason: 'the wallet is registered with this allowance' }
        : unclear('the wallet is registered with another allowance, or more than once');
    },
  };

/** POST /v1/delegation/evm/post-approval */
export const submitEvmApproval = defineEndpoint<EvmApprovalInput, SuccessResult>({
  id: 'delegation.submitEvmApproval',
  method: 'POST',
  path: '/v1/delegation/evm/post-approval',
  pageAccess: 'allowed',
  routing: 'header-or-query',
  retry: 'never',
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
        !message || (chainIdOf(network) ?? message.chainId) === message.chainId,
    ),
  ),
  localFields: ['checkMessage', 'isRevocation'],
  query: ['region'],
  extraBodyField: 'extraBody',
  secretInputs: ['token', 'sigMessage', 'sigHash'],
  listed: { network: 'evmNetworks', currency: 'delegationCurrencies' },
  responses: { 200: successResponse },
  errors: [401, 422, 498, 499, 500],
  businessErrors: [
    refusal('invalid_evm_address', 422, 'invalid evm address format'),
    walletAlreadyApproved,
  ],
  reconcile: lookAtRegistration,
});

/** POST /v1/delegation/solana/post-approval */
export const submitSolanaApproval = defineEndpoint<SolanaApprovalInput, SuccessResult>({
  id: 'delegation.submitSolanaApproval',
  method: 'POST',
  path: '/v1/delegation/solana/post-approval',
  pageAccess: 'allowed',
  routing: 'header-or-query',
  retry: 'never',
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
  localFields: ['isRevocation'],
  query: ['region'],
  extraBodyField: 'extraBody',
  secretInputs: ['token', 'sigMessage', 'sigHash'],
  listed: { network: 'solanaNetworks', currency: 'delegationCurrencies' },
  responses: { 200: successResponse },
  errors: [401, 422, 498, 499, 500],
  businessErrors: [
    refusal('invalid_solana_address', 422, 'invalid solana address format'),
    walletAlreadyApproved,
  ],
  reconcile: lookAtRegistration,
});
