import type { ChainError } from '../../delegation/chain-error.js';
import { type ErrorCause, errorCauses } from '../../delegation/error-causes.js';
import { insufficientFunds } from '../../delegation/wallet-errors.js';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses.js';
import { TokenAccountError, type TokenAccountProblem, TransactionRefusedError } from './errors.js';

/** How Agave begins the text of a failed simulation. web3.js 1.x before 1.95 put its own before it. */
const SIMULATED = /^(?:failed to send transaction: )?Transaction simulation failed: /;
const BAD_SIGNATURE = /^Transaction signature verification failure\b/;
const [SIMULATION_FAILED, SIGNATURE_NOT_VALID] = [-32002, -32003];
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
 * for any other failure. Proof is the node's own text together with the logs of the simulation. The
 * text of a library proves nothing: web3.js puts "Simulation failed" before every error of a node, also
 * before that of one that has forwarded the transaction.
 */
export function refusalOf(error: unknown, transactionId?: string): ChainError | undefined {
  const causes = errorCauses(error);
  const text = causes.flatMap(({ texts, kitCode }) => [...texts, `#${kitCode}`]).join('\n');
  if (!causes.some(isRefusal) || NOT_FINAL.test(text)) return undefined;
  return classify(text, error, transactionId);
}

function isRefusal({ message, nodeMessage, kitCode, hasLogs, texts }: ErrorCause): boolean {
  const words = nodeMessage === '' ? message : nodeMessage;
  if (BAD_SIGNATURE.test(words) || kitCode === SIGNATURE_NOT_VALID) return true;
  if (hasLogs && (SIMULATED.test(words) || kitCode === SIMULATION_FAILED)) return true;
  // A wallet may pass on only the text of web3.js, in which both are.
  return texts.some((text) => {
    const at = text.indexOf('Message: Transaction simulation failed: ');
    return at >= 0 && text.includes('Logs: \n[', at);
  });
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
