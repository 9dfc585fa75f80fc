import type { ChainError } from '../../delegation/chain-error.js';
import { isChainError } from '../../delegation/is-chain-error.js';
import { BALANCE_BELOW_AMOUNT, NO_GAS } from '../../delegation/preview-problems.js';
import type { SolanaPreviewProblem } from '../preview-types.js';

const CODES: Readonly<Record<string, SolanaPreviewProblem['code']>> = {
  token_account_unusable: 'token-account-unusable',
  delegate_in_use: 'delegate-in-use',
  insufficient_funds: 'no-gas',
};

/** Returns what would make a delegation fail, or surprise the user; the worst first. */
export function problemsOf(
  error: ChainError | undefined,
  needsFaucet: boolean | undefined,
  isBalanceBelow: boolean | undefined,
): SolanaPreviewProblem[] {
  const problems: SolanaPreviewProblem[] = [];
  if (error !== undefined) problems.push(problemOf(error));
  if (needsFaucet === true && !problems.some(({ code }) => code === 'no-gas')) {
    problems.push({ ...NO_GAS });
  }
  if (isBalanceBelow === true) problems.push({ ...BALANCE_BELOW_AMOUNT });
  return problems;
}

function problemOf(error: ChainError): SolanaPreviewProblem {
  const reason = isChainError(error, 'token_account_unusable') ? error.reason : undefined;
  return {
    code: CODES[error.code] ?? 'approval-refused',
    isBlocking: true,
    message: error.message,
    ...(reason === undefined ? {} : { reason }),
  };
}
