import { BALANCE_BELOW_AMOUNT, NO_GAS } from '../../delegation/preview-problems.js';
import type { DryRun } from '../flow/dry-run.js';
import type { EvmPreviewProblem } from './types.js';

/** What the chain reports for a preview. A field that could not be read is `undefined`. */
export type PreviewReads = {
  readonly oldLimit: bigint;
  readonly tokenBalance: bigint | undefined;
  readonly nativeBalance: bigint | undefined;
  readonly fee: bigint | undefined;
  readonly dryRun: DryRun;
  readonly resetsFirst: boolean;
};

/** Returns what would make a delegation fail, or surprise the user; the worst first. */
export function findProblems(
  { dryRun, resetsFirst, tokenBalance }: PreviewReads,
  units: bigint,
  needsFaucet: boolean | undefined,
): EvmPreviewProblem[] {
  const found: (EvmPreviewProblem | false)[] = [
    dryRun.result === 'refused' && {
      code: 'approval-refused',
      isBlocking: true,
      message: 'The token refuses the approval. It may be paused, or block this account.',
      ...(dryRun.reason === undefined ? {} : { reason: dryRun.reason }),
    },
    needsFaucet === true && { ...NO_GAS },
    resetsFirst && {
      code: 'resets-first',
      isBlocking: false,
      message: 'The old limit is set to zero first, with a transaction of its own.',
    },
    tokenBalance !== undefined && tokenBalance < units && { ...BALANCE_BELOW_AMOUNT },
  ];
  return found.filter((problem) => problem !== false);
}
