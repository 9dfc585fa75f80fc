import { isCardPlatformError } from '../errors/index.js';
import { ChainError } from './chain-error.js';

/** The delegation token has expired, or expires too soon for the next step. */
export class DelegationTokenExpiredError extends ChainError {
  override readonly name = 'DelegationTokenExpiredError';

  constructor(approvalOnChain: boolean) {
    super({
      code: 'delegation_token_expired',
      outcome: 'not_sent',
      message: `the delegation token has expired, or expires too soon. ${
        approvalOnChain
          ? 'The approval is kept. Resuming needs a new token and signature, but no second approval.'
          : 'Nothing was approved. Resuming needs a new token and signature.'
      }`,
    });
  }
}

/**
 * The saved state belongs to another delegation, was changed since the flow wrote it, or is not a
 * state that this version can read. None of it was used.
 */
export class StateMismatchError extends ChainError {
  override readonly name = 'StateMismatchError';
  /** The fields that differ or break a rule, for example `['amount']` or `['token.nonce']`. */
  readonly fields: readonly string[];

  constructor(fields: readonly string[]) {
    super({
      code: 'state_mismatch',
      outcome: 'not_sent',
      // Nothing of a state that cannot be read can be continued.
      next: differenceOfState(fields) === 'damaged' ? 'replace' : 'resume',
      message: `the saved state does not belong to this delegation, or was changed (${fields.join(', ')}). Nothing was done. Resume with the same input and an unchanged state, or start again if no approval was sent.`,
    });
    this.fields = fields;
  }
}

const LIMIT = ['amount', 'allowance'];
const PLACE = ['address', 'network', 'currency', 'chainId', 'spender', 'mint'];

/** How a saved state differs: in the limit, in wallet, asset or spender, or it is damaged. */
export function differenceOfState(fields: readonly string[]): 'limit' | 'place' | 'damaged' {
  const isOf = (names: readonly string[]) => fields.some((field) => names.includes(field));
  if (isOf(LIMIT)) return 'limit';
  return isOf(PLACE) ? 'place' : 'damaged';
}

/** Another delegation of the same wallet, asset and spender is running, here or in another tab. */
export class DelegationInProgressError extends ChainError {
  override readonly name = 'DelegationInProgressError';

  constructor() {
    super({
      code: 'delegation_in_progress',
      outcome: 'not_sent',
      message:
        'another delegation of this wallet is running, here or in another tab. This one did nothing. Wait for the other one to finish.',
    });
  }
}

/** The delegation to resume ended meanwhile: nothing is left to continue. A `start` that has joined sees the error of its base. */
export class NothingToResumeError extends DelegationInProgressError {}

/** It is unknown whether the service registered the wallet: its list does not show it yet. */
export class ProofUnknownError extends ChainError {
  override readonly name = 'ProofUnknownError';

  constructor(transactionId: string, cause: unknown) {
    super(
      {
        code: 'proof_unknown',
        outcome: 'unknown',
        message:
          'the approval is on the chain; it is unknown whether the service registered it. Resume to check before it is submitted again; do not approve again.',
        transactionId,
      },
      cause,
    );
  }
}

/**
 * The service refused to register the wallet and gave no reason, or did not see the confirmation
 * while the token was valid.
 */
export class ProofRefusedError extends ChainError {
  override readonly name = 'ProofRefusedError';

  constructor(transactionId: string) {
    super({
      code: 'proof_refused',
      outcome: 'rejected',
      message:
        'the approval is on the chain; the service refused to register it. Resume to submit it again; do not approve again.',
      transactionId,
    });
  }
}

/**
 * The wallet was registered before, and the service does not show the limit of the new approval, which
 * is on the chain.
 */
export class LimitNotUpdatedError extends ChainError {
  override readonly name = 'LimitNotUpdatedError';
  /** The limit that the service shows, as it spells it; `undefined` if it shows none. */
  readonly registeredAmount: string | undefined;

  constructor(requested: string, registered: string | undefined, transactionId: string) {
    const shown =
      registered === undefined
        ? 'does not show its limit'
        : `shows a limit of ${registered}, not ${requested}: an earlier limit, or what is left of this one`;
    super({
      code: 'limit_not_updated',
      outcome: registered === undefined ? 'unknown' : 'rejected',
      message: `the approval is on the chain. The service has already registered this wallet, and ${shown}. Do not approve again and do not revoke. Resume later to look again and to submit the proof again.`,
      transactionId,
    });
    this.registeredAmount = registered;
  }
}

/** The limit on the chain is zero, and the service did not confirm that it registered this. */
export class RevocationNotRegisteredError extends ChainError {
  override readonly name = 'RevocationNotRegisteredError';

  constructor(transactionId: string, cause: unknown) {
    super(
      {
        code: 'revocation_not_registered',
        outcome: isCardPlatformError(cause) ? cause.outcome : 'unknown',
        message:
          'the limit on the chain is zero: nothing can be spent any more. The service did not confirm that it registered this, and may still show the old limit. To submit the revocation again, resume.',
        transactionId,
      },
      cause,
    );
  }
}
