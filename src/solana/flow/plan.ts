import { decimalToBaseUnits } from '../../contract/formats/decimal.js';
import { checkDomain } from '../../delegation/domain.js';
import { invalid } from '../../delegation/invalid.js';
import { requireDuration, requirePositiveInteger } from '../../delegation/numbers.js';
import { wireAmountOf } from '../../delegation/wire-amount.js';
import { addressBytes, TOKEN_PROGRAM } from '../addresses.js';
import { buildSolanaApproval, checkDecimals } from '../approval.js';
import { SOLANA_CURRENCIES, type SolanaCurrency } from '../currencies.js';
import { buildSolanaMessage } from '../message.js';
import { walletFromKeypair } from '../wallets/keypair.js';
import { walletFromStandard } from '../wallets/standard.js';
import type { SolanaWallet } from '../wallets/wallet.js';
import type { SolanaDelegationOptions } from './options.js';

/** A delegation with checked input. */
export type SolanaPlan = {
  readonly options: SolanaDelegationOptions;
  readonly wallet: SolanaWallet;
  readonly token: SolanaCurrency;
  /** The limit in base units: what goes on the chain. */
  readonly units: bigint;
  /** The limit as the service gets it. */
  readonly wireAmount: string;
  readonly domain: string;
  /** How long one run waits for the confirmation, in milliseconds. */
  readonly confirmationTimeout: number;
};

const CONFIRMATION_TIMEOUT_MS = 180_000;
/** What one transaction may use at most. */
const MAX_COMPUTE_UNITS = 1_400_000;

/** Checks everything that can be checked without the chain, before the wallet is asked. */
export function planDelegation(options: SolanaDelegationOptions): SolanaPlan {
  const wallet = walletOf(options);
  const token = tokenOf(options);
  checkDecimals(token.decimals);
  checkFees(options);
  const units = unitsOf('amount', options.amount, token.decimals);
  if (options.cap !== undefined && units > unitsOf('cap', options.cap, token.decimals)) {
    invalid('amount', 'is above the cap');
  }
  const domain = options.domain ?? globalThis.location?.host ?? invalid('domain', 'is missing');
  checkDomain(domain);
  const plan = {
    options,
    wallet,
    token,
    units,
    domain,
    confirmationTimeout: requireDuration(
      'confirmationTimeout',
      options.confirmationTimeout ?? CONFIRMATION_TIMEOUT_MS,
    ),
    wireAmount: wireAmountOf(units, token.decimals, options.wireAmount),
  };
  checkPlan(plan);
  return plan;
}

/** Builds instruction and message once, for their checks. */
function checkPlan({ options, wallet, token, units, domain }: SolanaPlan): void {
  const { delegate, tokenAccount, uri, statement, messageRules: rules } = options;
  const { mint, decimals } = token;
  const { address } = wallet;
  buildSolanaApproval({
    owner: address,
    mint,
    decimals,
    delegate,
    tokenAccount,
    amount: units,
    programAddress: token.programAddress ?? TOKEN_PROGRAM,
  });
  const fields = { address, domain, uri, statement, nonce: 'later', issuedAt: new Date(0) };
  buildSolanaMessage(fields, { rules });
}

function walletOf({ wallet, account, chain }: SolanaDelegationOptions): SolanaWallet {
  if ('features' in wallet) return walletFromStandard(wallet, account, chain);
  if ('secretKey' in wallet) return walletFromKeypair(wallet);
  if (!('address' in wallet)) {
    return invalid('wallet', 'has no address: wrap a wallet adapter with walletFromAdapter');
  }
  addressBytes(wallet.address, 'wallet.address');
  return wallet.signTransaction || wallet.sendTransaction
    ? wallet
    : invalid('wallet', 'can neither sign nor send a transaction');
}

function tokenOf({ currency, token }: SolanaDelegationOptions): SolanaCurrency {
  if (token) return token;
  return currency === 'usdc' || currency === 'usdt'
    ? SOLANA_CURRENCIES[currency]
    : invalid('currency', 'is not usdc or usdt: describe it with token');
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
  return units || invalid(path, `must be a decimal text above 0 with at most ${decimals} decimals`);
}
