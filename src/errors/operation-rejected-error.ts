import { CardPlatformError, type ErrorFacts, REDACT, type Redactor } from './base.js';
import type { OperationRejectedCode } from './error-codes.js';

/**
 * The service refused with a success status: the body says `success: false`, or it is an error body
 * whose `statusCode` is 400 or above. `outcome` is `rejected`, or `unknown` if the same response
 * also shows that the service acted: then look up the hashes in `evidence`, or the result in `data`. It
 * is also `unknown` if an earlier request of the call may have acted, of which this refusal says nothing.
 */
export class OperationRejectedError extends CardPlatformError {
  override readonly name = 'OperationRejectedError';
  declare readonly code: OperationRejectedCode;
  /** HTTP status of the response. */
  readonly status: number;
  /** The message of the service, at most 500 characters, without control characters or secrets. */
  readonly serverMessage: string | undefined;
  /** The service's own code, at most 100 visible characters; `undefined` when it sent none. */
  readonly serverCode: string | undefined;
  /** Transaction hashes in the response by the path of their field; empty when there is none. */
  readonly evidence: Readonly<Record<string, string>>;
  #data: unknown;

  constructor(
    status: number,
    refusal: {
      message: string | undefined;
      serverCode?: string | undefined;
      evidence: Readonly<Record<string, string>>;
      isContradicted: boolean;
      innerStatus?: number | undefined;
      data: unknown;
    },
    facts: Omit<ErrorFacts, 'code' | 'message'> & { code: OperationRejectedCode },
  ) {
    const { message, evidence, isContradicted, innerStatus, data } = refusal;
    const form = innerStatus === undefined ? 'success: false' : `statusCode: ${innerStatus}`;
    const said = message === undefined ? '' : ` "${message}"`;
    const beside = isContradicted ? ', with evidence that it acted' : '';
    super({ ...facts, message: `the service responded with ${form}${beside}.${said}` });
    this.status = status;
    this.serverMessage = message;
    this.serverCode = refusal.serverCode;
    this.evidence = Object.freeze({ ...evidence });
    this.#data = data;
  }

  /** @internal */
  override [REDACT](redactor: Redactor): void {
    super[REDACT](redactor);
    this.#data = redactor.json(this.#data);
  }

  /**
   * The whole response body. Secrets are replaced: those that the call sent, and values under the
   * names of secrets. Not printed, because it may contain personal data.
   */
  get data(): unknown {
    return this.#data;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      status: this.status,
      ...(this.serverCode !== undefined && { serverCode: this.serverCode }),
      evidence: this.evidence,
    };
  }
}
