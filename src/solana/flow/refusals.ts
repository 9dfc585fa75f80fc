import type { ChainError } from '../../delegation/chain-error.js';
import { errorCauses } from '../../delegation/error-causes.js';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses.js';
import {
  insufficientFunds,
  TokenAccountError,
  type TokenAccountProblem,
  TransactionRefusedError,
} from './errors.js';

// web3.js and wallets pass the node's text on. A minified @solana/kit has only numbers: "#-32002".
/** The node never forwards a transaction with one of these errors. */
const REFUSED = /simulation failed|signature verification fail|#-32002\b/i;
/** The transaction is on its way or can be sent later: a retry got there first, or the node lags. */
const NOT_FINAL =
  /already been processed|blockhash not found|node is (?:behind|unhealthy)|#705000[78]\b/i;
const NO_SOL =
  /no record of a prior credit|insufficient funds for (?:fee|rent)|insufficient lamports|"(?:AccountNotFound|InsufficientFundsFor(?:Fee|Rent)|InvalidRentPayingAccount)"|#70500(?:03|05|31)\b/i;
const TOKEN_ERROR = new RegExp(
  `Program (?:${TOKEN_PROGRAM}|${TOKEN_2022_PROGRAM}) failed: custom program error: (0x[0-9a-f]+)`,
);

/** The errors of the token programs that an approval can fail with. */
const TOKEN_ERRORS: Readonly<Record<string, TokenAccountProblem>> = {
  '0x3': 'wrong_mint',
  '0x4': 'wrong_owner',
  '0x11': 'frozen',
  '0x12': 'wrong_decimals',
};

/**
 * Returns the error to throw when a node simulated a transaction and refused it, and `undefined`
 * for any other failure. The errors of web3.js have neither a name nor a code, so only the text of the
 * node and the logs count, in the error or in one inside it.
 *
 * @param code the node's own code, if the error comes from a node. A wallet's -32002 means that a
 * prompt is already open.
 */
export function refusalOf(
  error: unknown,
  transactionId?: string,
  code?: unknown,
): ChainError | undefined {
  const text = errorCauses(error)
    .flatMap(({ texts }) => texts)
    .join('\n');
  if (!REFUSED.test(`#${code}\n${text}`) || NOT_FINAL.test(text)) return undefined;
  return classify(text, error, transactionId);
}

/** Returns the error that a simulated transaction would end with. Here `err` is data, not a text. */
export function refusalOfSimulation(err: unknown, logs: readonly string[]): ChainError {
  const name = JSON.stringify(err, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  return classify([name, ...logs].join('\n'), undefined);
}

function classify(text: string, cause: unknown, transactionId?: string): ChainError {
  if (NO_SOL.test(text)) return insufficientFunds(cause);
  const problem = TOKEN_ERRORS[TOKEN_ERROR.exec(text)?.[1] ?? ''];
  if (problem !== undefined) return new TokenAccountError(problem, cause);
  return new TransactionRefusedError(transactionId, cause);
}
