import { CardPlatformError } from './base.js';

/** One rule that an input broke. */
export type ValidationIssue = {
  /** Dotted path in the input, for example `consents.0.consentType`; empty for the input itself. */
  path: string;
  /** The rule that was broken. Never contains the value. */
  message: string;
};

/**
 * The input breaks a rule of the contract or of this package. Thrown before anything is sent; lists
 * the broken rules.
 */
export class RequestValidationError extends CardPlatformError {
  override readonly name = 'RequestValidationError';
  /** The broken rules, each with the path of its field. */
  readonly issues: readonly ValidationIssue[];

  constructor(issues: readonly ValidationIssue[], operation?: string) {
    const list = issues.map((issue) => `${issue.path || 'input'}: ${issue.message}`).join('; ');
    super({
      message: `the input is not valid (${list}).`,
      code: 'request_invalid',
      outcome: 'not_sent',
      operation,
    });
    this.issues = issues;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues };
  }
}
