import type { PlantedBug } from './planted-bug.js';

const EVM = 'src/evm/flow';
const SOLANA = 'src/solana/flow';

/** A bug in the driver of a chain, of which the page that delegates on it is enough to find it. */
const bug = (
  name: string,
  file: string,
  declaration: string,
  becomes: string,
  foundBy: readonly string[],
): PlantedBug => {
  const [actor = ''] = name.split(':');
  return {
    name,
    changes: [{ file, declaration, becomes }],
    foundBy,
    actors: [actor],
  };
};

const AGAIN = ['approval-asked-once'];
const PROOF = ['proof-is-verified'];

const UNKNOWN_AS_NOT_SENT = `(original) => async (...given) => {
  const found = await original(...given);
  return found === 'unknown' ? 'not-sent' : found;
}`;

/** Bugs in the driver for EVM chains. */
const EVM_BUGS: readonly PlantedBug[] = [
  bug(
    'evm: a lost approval is not searched for',
    `${EVM}/driver.ts`,
    'findApproval',
    "() => async () => 'not-sent'",
    AGAIN,
  ),
  bug(
    'evm: one confirmation fewer is enough',
    `${EVM}/confirm.ts`,
    'hasEnoughConfirmations',
    `(original) => ({ plan, ...run }, ...given) =>
      original({ ...run, plan: { ...plan, confirmations: plan.confirmations - 1n } }, ...given)`,
    [...PROOF, ...AGAIN],
  ),
  bug(
    'evm: the first block confirms',
    `${EVM}/confirm.ts`,
    'hasEnoughConfirmations',
    '() => async () => true',
    [...PROOF, ...AGAIN],
  ),
  bug(
    'evm: a transaction that is not confirmed in time counts as dropped',
    `${EVM}/confirm.ts`,
    'isMissing',
    '() => async () => true',
    AGAIN,
  ),
  bug(
    'evm: a transaction with another fee is not followed',
    `${EVM}/confirm.ts`,
    'followReplacement',
    '() => async (run, call, hash) => hash',
    ['delegation-ends', ...AGAIN],
  ),
  bug(
    'evm: an approval of another limit counts as another transaction',
    `${EVM}/confirm.ts`,
    'isOtherLimit',
    '() => () => false',
    AGAIN,
  ),
  bug(
    'evm: the executed transaction is not compared',
    `${EVM}/verify.ts`,
    'compare',
    '() => async () => undefined',
    PROOF,
  ),
  bug(
    'evm: a wallet that has disconnected counts as having sent nothing',
    'src/evm/wallets/wallet-requests.ts',
    'NOT_DONE',
    '(original) => [...original, 4900]',
    AGAIN,
  ),
];

/** Bugs in the driver for Solana. */
const SOLANA_BUGS: readonly PlantedBug[] = [
  bug(
    'solana: an expired blockhash counts as not sent',
    `${SOLANA}/find-approval.ts`,
    'findApproval',
    UNKNOWN_AS_NOT_SENT,
    AGAIN,
  ),
  bug(
    'solana: a history that is cut off proves that nothing was sent',
    `${SOLANA}/find-approval.ts`,
    'searchHistory',
    UNKNOWN_AS_NOT_SENT,
    AGAIN,
  ),
  bug(
    'solana: a failure that a fork can undo is final',
    `${SOLANA}/confirm.ts`,
    'hasCommitment',
    '(original) => (status, plan) => Boolean(status.err) || original(status, plan)',
    AGAIN,
  ),
  bug(
    'solana: a second instruction is not noticed',
    `${SOLANA}/verify.ts`,
    'differenceOf',
    `(original) => (executed, asked) => {
      const ofProgram = executed.filter(({ program }) => program === asked.programAddress);
      return original(ofProgram.slice(0, 1), asked);
    }`,
    PROOF,
  ),
  bug(
    'solana: a blockhash expires at once',
    `${SOLANA}/expiry.ts`,
    'readExpiry',
    '(original) => async (...given) => ({ ...(await original(...given)), isOver: true })',
    AGAIN,
  ),
  bug(
    'solana: the executed transaction is not compared',
    `${SOLANA}/verify.ts`,
    'compare',
    '() => async () => undefined',
    PROOF,
  ),
];

/** Bugs in the drivers of both chains. */
export const CHAIN_BUGS: readonly PlantedBug[] = [...EVM_BUGS, ...SOLANA_BUGS];
