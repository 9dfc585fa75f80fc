import { CardPlatformError, type ErrorFacts, REDACT, type Redactor } from './base.js';
import type { ProtocolErrorCode } from './error-codes.js';
import type { ValidationIssue } from './request-validation-error.js';

/**
 * The response cannot be used: it is not JSON, has another shape, is a redirect or too long, or the
 * `fetch` that sends requests did not return a `Response`.
 */
export class ProtocolError extends CardPlatformError {
  override readonly name: string = 'ProtocolError';
  declare readonly code: ProtocolErrorCode;
  /** HTTP status of the response; 0 where the runtime hides it. */
  readonly status: number;

  constructor(
    facts: Omit<ErrorFacts, 'code'> & { code?: ProtocolErrorCode; status: number },
    cause?: unknown,
  ) {
    super({ ...facts, code: facts.code ?? 'response_invalid' }, cause);
    this.status = facts.status;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status };
  }
}

/**
 * The service, or something in front of it, responded with a redirect, which the client does not
 * follow. The `fetch` of React Native follows redirects by itself and sends the credentials along;
 * the response is then not used.
 */
export class RedirectError extends ProtocolError {
  override readonly name = 'RedirectError';
  /** Origin of the target, for example `https://other.example`; `undefined` where it is hidden. */
  readonly locationOrigin: string | undefined;

  constructor(
    status: number,
    locationOrigin: string | undefined,
    facts: Omit<ErrorFacts, 'code' | 'message'>,
    isFollowed = false,
  ) {
    const target = locationOrigin ?? 'another address';
    super({
      ...facts,
      status,
      code: 'redirect_refused',
      message: isFollowed
        ? `the fetch that sends requests followed a redirect to ${target}, which may have received the credentials. Nothing of its response was used. Check baseUrl.`
        : `a redirect to ${target} was not followed, because it would receive the credentials. Check baseUrl.`,
    });
    this.locationOrigin = locationOrigin;
  }
}

/**
 * The response is longer than the limit, which `maxResponseBytes` sets for an endpoint of your own.
 * Reading stopped there.
 */
export class ResponseTooLargeError extends ProtocolError {
  override readonly name = 'ResponseTooLargeError';

  /** @param limitBytes - `undefined` where it is not known */
  constructor(
    status: number,
    limitBytes: number | undefined,
    facts: Omit<ErrorFacts, 'code' | 'message'>,
  ) {
    const limit = limitBytes === undefined ? 'its limit' : `${limitBytes} bytes`;
    super({
      ...facts,
      status,
      code: 'response_too_large',
      message: `the response exceeds ${limit}.`,
    });
  }
}

/** The response began, but its body is incomplete, cannot be decoded, or is missing. */
export class BodyReadError extends ProtocolError {
  override readonly name = 'BodyReadError';

  constructor(
    status: number,
    facts: Omit<ErrorFacts, 'code' | 'message'> & { message?: string },
    cause?: unknown,
  ) {
    const { message = 'the response body is incomplete or unreadable.' } = facts;
    super({ ...facts, status, code: 'body_unreadable', message }, cause);
  }
}

/**
 * The response lacks an essential field, breaks the schema that you passed, or differs from the
 * contract in strict mode. `outcome` is `executed` only if the response says in the documented form
 * that the service acted. A statement in any other form counts as `unknown`: see `serverMessage`
 * and `data`.
 */
export class ResponseValidationError extends ProtocolError {
  override readonly name = 'ResponseValidationError';
  /** Every broken rule with the path of its field. Never contains a value. */
  readonly issues: readonly ValidationIssue[];
  /**
   * What the service says in a body that is not the documented success, at most 500 characters,
   * without control characters or secrets.
   */
  readonly serverMessage: string | undefined;
  #data: unknown;

  constructor(
    status: number,
    issues: readonly ValidationIssue[],
    data: unknown,
    facts: Omit<ErrorFacts, 'code' | 'message'> & { serverMessage?: string | undefined },
    cause?: unknown,
  ) {
    const { serverMessage } = facts;
    const list = issues.map((issue) => `${issue.path || 'response'}: ${issue.message}`).join('; ');
    const said = serverMessage === undefined ? '' : ` It says "${serverMessage}".`;
    super(
      {
        ...facts,
        status,
        code: 'response_invalid',
        message: `the response is not usable (${list}).${said}`,
      },
      cause,
    );
    this.issues = issues;
    this.serverMessage = serverMessage;
    this.#data = data;
  }

  /** @internal */
  override [REDACT](redactor: Redactor): void {
    super[REDACT](redactor);
    this.#data = redactor.json(this.#data);
  }

  /**
   * The response body, parsed. Secrets are replaced: those that the call sent, and values under the
   * names of secrets. Not printed, because it may contain personal data.
   */
  get data(): unknown {
    return this.#data;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues };
  }
}
