import type { FailedTransactionMetadata } from 'litesvm';

/** The errors without fields: litesvm's number, and the name and text of the Agave node. */
const PLAIN: Readonly<Record<number, readonly [name: string, text: string]>> = {
  2: ['AccountNotFound', 'Attempt to debit an account but found no record of a prior credit.'],
  4: ['InsufficientFundsForFee', 'Insufficient funds for fee'],
  6: ['AlreadyProcessed', 'This transaction has already been processed'],
  7: ['BlockhashNotFound', 'Blockhash not found'],
  11: ['SignatureFailure', 'Transaction did not pass signature verification'],
};

/** Returns why a transaction failed as a node reports it: as data and as text. */
export function describeFailure(failed: FailedTransactionMetadata): { err: unknown; text: string } {
  const error: unknown = failed.err();
  if (typeof error === 'number') {
    const [name, text] = PLAIN[error] ?? [`Error${error}`, failed.toString()];
    return { err: name, text };
  }
  const { index, accountIndex, err } = Object(error) as {
    index?: number;
    accountIndex?: number;
    err?: () => unknown;
  };
  if (accountIndex !== undefined) {
    return {
      err: { InsufficientFundsForRent: { account_index: accountIndex } },
      text: `Transaction results in an account (${accountIndex}) with insufficient funds for rent`,
    };
  }
  const inner = err?.call(error);
  const { code } = Object(inner) as { code?: number };
  const reason = code === undefined ? `error ${String(inner)}` : hexCode(code);
  return {
    err: { InstructionError: [index, code === undefined ? String(inner) : { Custom: code }] },
    text: `Error processing Instruction ${index}: ${reason}`,
  };
}

function hexCode(code: number): string {
  return `custom program error: 0x${code.toString(16)}`;
}
