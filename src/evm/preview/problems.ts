import type { DryRun } from '../flow/dry-run.js';
import type { EvmPreviewProblem } from './types.js';

/** What the chain reports for a preview; what is not needed may be missing. */
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
    needsFaucet === true && {
      code: 'no-gas',
      isBlocking: true,
      message: 'The wallet cannot pay the network fee.',
    },
    resetsFirst && {
      code: 'resets-first',
      isBlocking: false,
      message: 'The old limit is set to zero first, with a transaction of its own.',
    },
    tokenBalance !== undefined &&
      tokenBalance < units && {
        code: 'balance-below-amount',
        isBlocking: false,
        message: 'The wallet has less than the limit. Only what it has can be spent.',
      },
  ];
  return found.filter((problem) => problem !== false);
}
