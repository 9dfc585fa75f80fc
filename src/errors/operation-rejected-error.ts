import { CardPlatformError, type ErrorFacts } from './base.js';

/** The service answered with a success status and `success: false`: it refused. */
export class OperationRejectedError extends CardPlatformError {
  override readonly name = 'OperationRejectedError';
  /** HTTP status of the answer. */
  readonly status: number;
  /** What the service said, at most 500 characters, cleaned of control characters and secrets. */
  readonly serverMessage: string | undefined;

  constructor(
    status: number,
    serverMessage: string | undefined,
    facts: Omit<ErrorFacts, 'message' | 'outcome'>,
  ) {
    const said = serverMessage === undefined ? '' : ` "${serverMessage}"`;
    super({
      ...facts,
      outcome: 'rejected',
      message: `the service answered success: false.${said}`,
    });
    this.status = status;
    this.serverMessage = serverMessage;
  }
}
