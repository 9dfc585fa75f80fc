import {
  CardPlatformError,
  type ChainErrorCode,
  type ErrorFacts,
  isCardPlatformError,
} from '../errors/index.js';
import { readable } from './error-causes.js';

/** The facts of a delegation error. */
export type ChainErrorFacts = Omit<ErrorFacts, 'code' | 'operation' | 'attempts'> & {
  code: ChainErrorCode;
  /** The transaction concerned. */
  transactionId?: string | undefined;
};

/**
 * The base class of delegation errors: failures of the wallet, the chain or the service.
 *
 * `outcome` is that of the step that failed: `not_sent` (it never happened), `rejected` (the chain or
 * the service refused it), `unknown` (it may have happened), `executed` (it is on the chain). The
 * message and `delegationStateOf(error)?.approval` show whether an approval is on the chain.
 *
 * @example
 * ```ts
 * import { isChainError } from 'card-platform-sdk/evm';
 *
 * function userDeclined(error: unknown): boolean {
 *   return isChainError(error, 'user_rejected');
 * }
 * ```
 */
export class ChainError extends CardPlatformError {
  override readonly name: string = 'ChainError';
  declare readonly code: ChainErrorCode;
  /** The transaction concerned; `undefined` if there is none. */
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
 * A copy of a foreign error that is safe to keep. Messages of wallets and nodes contain the URL of
 * the node with its key, so the copy has only the name and the code.
 */
function withoutSecrets(cause: unknown): unknown {
  if (isCardPlatformError(cause)) return cause;
  const [name, code] = readable(Object(cause), ['name', 'code']);
  // Either may be any text, such as the URL of the node.
  const isCode =
    typeof code === 'number' || (typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code));
  const rebuilt = new Error(isCode ? `${code}` : '');
  rebuilt.name = typeof name === 'string' && /^[A-Za-z]{1,60}$/.test(name) ? name : 'Error';
  return rebuilt;
}
