import {
  CardPlatformError,
  type ChainErrorCode,
  type ErrorFacts,
  isCardPlatformError,
} from '../errors/index.js';

/** What an error of a delegation is made of. */
export type ChainErrorFacts = Omit<ErrorFacts, 'code' | 'operation' | 'attempts'> & {
  code: ChainErrorCode;
  /** The transaction it is about. */
  transactionId?: string | undefined;
};

/**
 * The base of what can go wrong between the wallet, the chain and the service in a delegation.
 *
 * `outcome` speaks of what failed: `not_sent` (it never happened), `rejected` (the chain or the
 * service refused it), `unknown` (it may have happened), `executed` (it is on the chain). Whether an
 * approval is on the chain besides says the message, and `delegationStateOf(error)?.approval`.
 *
 * @example
 * ```ts
 * import { isChainError } from 'card-platform-sdk/evm';
 *
 * function userSaidNo(error: unknown): boolean {
 *   return isChainError(error, 'user_rejected');
 * }
 * ```
 */
export class ChainError extends CardPlatformError {
  override readonly name: string = 'ChainError';
  declare readonly code: ChainErrorCode;
  /** The transaction that the error is about; `undefined` where there is none. */
  readonly transactionId: string | undefined;

  constructor(facts: ChainErrorFacts, cause?: unknown) {
    super(facts, cause === undefined ? undefined : withoutSecrets(cause));
    this.transactionId = facts.transactionId;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), transactionId: this.transactionId };
  }
}

/**
 * What may be kept of a foreign error. Texts of wallets and nodes carry the address of the node
 * with its key, so only name and code survive.
 */
function withoutSecrets(cause: unknown): unknown {
  if (isCardPlatformError(cause)) return cause;
  const { name, code } = Object(cause) as { name?: unknown; code?: unknown };
  const rebuilt = new Error(typeof code === 'number' || typeof code === 'string' ? `${code}` : '');
  rebuilt.name = typeof name === 'string' ? name : 'Error';
  return rebuilt;
}
