import { ApiError, type ApiErrorFacts } from './api-error.js';

/** 400: the request breaks a business rule, or a login has wrong credentials. */
export class BadRequestError extends ApiError {
  override readonly name: string = 'BadRequestError';
}

/**
 * The login needs a one-time password. The service asks for it with either 400 or 200.
 * Send one with `auth.sendLoginOtp(error.otpRequest)`, then log in again with `otpCode`.
 */
export class OtpRequiredError extends BadRequestError {
  override readonly name = 'OtpRequiredError';
  /** The user to send the code to; `undefined` when the service did not send it. */
  readonly userId: string | undefined;
  /** The masked phone number that the code goes to; `undefined` when the service did not send it. */
  readonly phoneNumber: string | undefined;

  constructor(facts: ApiErrorFacts, user: { userId?: string; phoneNumber?: string }) {
    super(facts);
    this.userId = user.userId;
    this.phoneNumber = user.phoneNumber;
  }

  /** The input for `auth.sendLoginOtp`. */
  get otpRequest(): { userId?: string } {
    return this.userId === undefined ? {} : { userId: this.userId };
  }
}

/**
 * 401: the access token, or the secret key, is not valid. The only error that ends a session, unless it was
 * made from an HTML page: that is from a server in front of the service.
 */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403: the credentials are valid, but do not permit the call. The session continues. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}

/** 404: the object does not exist, for example the card, the consent set or the webhook. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409: the consent set exists already or is linked already. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 422: the service refused the request's fields; see `fieldErrors`. */
export class UnprocessableError extends ApiError {
  override readonly name = 'UnprocessableError';
}

/** 429: too many requests; see `retryAfterMs`. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 498: the client key (or `X-Client-ID`) is unknown to the service. */
export class InvalidClientKeyError extends ApiError {
  override readonly name = 'InvalidClientKeyError';
}

/** 499: the client key (or `X-Client-ID`) is missing. */
export class MissingClientKeyError extends ApiError {
  override readonly name = 'MissingClientKeyError';
}

/** 5xx: the service failed. Whether it acted is unknown. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}
