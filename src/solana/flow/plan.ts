import { decimalToBaseUnits } from '../../contract/formats/decimal.js';
import { invalid, requireDuration, requirePositiveInteger } from '../../delegation/check-values.js';
import { checkDomain, domainOf } from '../../delegation/domain.js';
import { wireAmountOf } from '../../delegation/submit-proof.js';
import { addressBytes, type SolanaCurrency, TOKEN_PROGRAM } from '../addresses.js';
import { checkDecimals, LARGEST_LIMIT } from '../approval.js';
import { LASTING_COMMITMENTS, requireCommitment } from '../connection.js';
import { buildSolanaMessage } from '../message.js';
import { walletFromKeypair } from '../wallets/keypair.js';
import { walletFromStandard } from '../wallets/standard.js';
import { describeWrongWallet, isKitSigner, type SolanaWallet } from '../wallets/wallet.js';
import { buildInstruction } from './build-instruction.js';
import type { RevokingInstruction, SolanaDelegationOptions } from './options.js';
import { resolveToken } from './resolve-token.js';

/** A delegation with checked input. */
export type SolanaPlan = {
  readonly options: SolanaDelegationOptions;
  readonly wallet: SolanaWallet;
  readonly token: SolanaCurrency;
  /** The key that may spend. */
  readonly spender: string;
  /** The limit in base units: what goes on the chain. */
  readonly units: bigint;
  /** The largest limit that this delegation can ask for, in base units. */
  readonly largest: bigint;
  /** The limit as the service gets it. */
  readonly wireAmount: string;
  readonly domain: string;
  /** How to revoke; `undefined` if the plan is to approve. */
  readonly revokeWith: RevokingInstruction | undefined;
  /** How certain the cluster must be of the approval. */
  readonly commitment: 'confirmed' | 'finalized';
  /** How long one run waits for the confirmation, in milliseconds. */
  readonly confirmationTimeout: number;
};

/** The most decimals that a mint can have, to check the amount before the token is known. */
const MAX_DECIMALS = 255;
const CONFIRMATION_TIMEOUT_MS = 180_000;
/** The most compute units that one transaction may use. */
const MAX_COMPUTE_UNITS = 1_400_000;

/**
 * Checks everything that can be checked without the chain, before the wallet is asked. Checks that need
 * no request to the service come first.
 */
export async function planDelegation(
  options: SolanaDelegationOptions,
  revokeWith: RevokingInstruction | undefined,
): Promise<SolanaPlan> {
  const wallet = walletOf(options);
  checkFees(options);
  const commitment = requireCommitment(LASTING_COMMITMENTS, options.commitment);
  const isRevocation = revokeWith !== undefined;
  const domain = domainOf(options);
  checkDomain(domain);
  checkMessage(options, wallet, domain);
  const confirmationTimeout = requireDuration(
    'confirmationTimeout',
    options.confirmationTimeout ?? CONFIRMATION_TIMEOUT_MS,
  );
  if (!isRevocation) unitsOf('amount', options.amount, MAX_DECIMALS);
  const { token, spender } = await resolveToken(options);
  checkDecimals(token.decimals);
  const largest = largestOf(options, token.decimals);
  const units = isRevocation ? 0n : limitOf(options, token.decimals, largest);
  const wireAmount = wireAmountOf(units, token.decimals, options.wireAmount);
  const checked = { options, wallet, token, spender, domain, commitment, confirmationTimeout };
  const plan = { ...checked, units, largest, wireAmount, revokeWith };
  // Building it checks mint, spender, token account and amount.
  buildInstruction(plan, token.programAddress ?? TOKEN_PROGRAM);
  return plan;
}

/** The largest limit in base units: the cap, if there is one. */
function largestOf({ cap }: SolanaDelegationOptions, decimals: number): bigint {
  return cap === undefined ? LARGEST_LIMIT : unitsOf('cap', cap, decimals);
}

/** The limit in base units. */
function limitOf(
  { amount, cap }: SolanaDelegationOptions,
  decimals: number,
  largest: bigint,
): bigint {
  const units = unitsOf('amount', amount, decimals);
  if (cap !== undefined && units > largest) invalid('amount', 'is above the cap');
  return units;
}

/** Builds the message once, for its checks. */
function checkMessage(options: SolanaDelegationOptions, wallet: SolanaWallet, domain: string) {
  const { uri, statement, messageRules: rules } = options;
  const { address } = wallet;
  const fields = { address, domain, uri, statement, nonce: 'later', issuedAt: new Date(0) };
  buildSolanaMessage(fields, { rules });
}

/** The wallet of the options, whatever kind it is. */
export function walletOf({ wallet, account, chain }: SolanaDelegationOptions): SolanaWallet {
  if ('features' in wallet) return walletFromStandard(wallet, account, chain);
  if ('secretKey' in wallet) return walletFromKeypair(wallet);
  if (!('address' in wallet) || isKitSigner(wallet)) {
    return invalid('wallet', describeWrongWallet(wallet));
  }
  addressBytes(wallet.address, 'wallet.address');
  return wallet.signTransaction || wallet.sendTransaction
    ? wallet
    : invalid('wallet', 'can neither sign nor send a transaction');
}

function checkFees(options: SolanaDelegationOptions & { unlimited?: unknown }): void {
  const { computeUnitLimit, computeUnitPrice, unlimited } = options;
  if (unlimited !== undefined && unlimited !== false) {
    invalid('unlimited', 'is not an option of this flow: pass the amount');
  }
  if (computeUnitLimit !== undefined) {
    const limit = requirePositiveInteger('computeUnitLimit', computeUnitLimit);
    if (limit > MAX_COMPUTE_UNITS) {
      invalid('computeUnitLimit', `must be at most ${MAX_COMPUTE_UNITS}`);
    }
  }
  if (computeUnitPrice !== undefined && !isPrice(computeUnitPrice)) {
    invalid('computeUnitPrice', 'must be a whole number of micro-lamports');
  }
}

function isPrice(price: unknown): boolean {
  if (typeof price === 'bigint') return price >= 0n && price < 2n ** 64n;
  return typeof price === 'number' && Number.isSafeInteger(price) && price >= 0;
}

function unitsOf(path: string, amount: string, decimals: number): bigint {
  const units = typeof amount === 'string' ? decimalToBaseUnits(amount, decimals) : undefined;
  return (
    units || invalid(path, `must be a decimal string above 0 with at most ${decimals} decimals`)
  );
}
