import {
  type CardStatementInput,
  type Cashback,
  cardStatement,
  getCashback,
} from '../../contract/observed/card.js';
import {
  type AppleProvisioning,
  type GoogleProvisioning,
  type ProvisionAppleInput,
  provisionApple,
  provisionGoogle,
} from '../../contract/observed/provisioning.js';
import { RequestValidationError, type Sender } from '../../endpoints/index.js';
import type { PlatformPromise, RequestOptions } from '../../index.js';
import { ObservedCalls, type ObservedOverrides } from '../calls.js';
import { override } from '../override.js';

const LONGEST = 200;

/** The value of `filename*`, which is percent-encoded UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the file name of a `Content-Disposition` header, fit for a file system: the last part of a
 * path, without control characters. `undefined` where there is none.
 */
function fileNameOf(header: string | null): string | undefined {
  if (header === null) return undefined;
  const [, extended] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header) ?? [];
  const [, quoted, plain] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]+))/i.exec(header) ?? [];
  const name =
    (extended === undefined ? undefined : decoded(extended)) ??
    quoted?.replace(/\\(.)/g, '$1') ??
    plain ??
    '';
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .replace(/[\p{Cc}<>:"|?*]/gu, '')
    .trim()
    .slice(0, LONGEST);
  return /^\.*$/.test(safe) ? undefined : safe;
}

/** A statement as a file. Personal data: its bytes print redacted. Do not cache it. */
export type CardStatement = {
  bytes: Uint8Array;
  /** For example `text/csv`. */
  contentType: string;
  /** The last part of the file name in the response, if there is one. */
  fileName?: string | undefined;
};

/** The media types of the two kinds of statement. */
const STATEMENT_TYPES = { csv: 'text/csv', pdf: 'application/pdf' } as const;

/**
 * Adding the card to a phone's wallet. Every field of both results is a card credential: pass it to
 * the phone unchanged, and never log or cache it. One client offers it for an ACTIVE card only, and
 * not every tenant has it.
 *
 * @experimental
 */
export class ProvisioningCalls extends ObservedCalls {
  /**
   * Returns the data to pass to Apple's wallet.
   *
   * Endpoint: `POST /v1/card/wallet/provision/apple` (observed). Certainty medium (one client in
   * two code bases, one of which hex-encodes all four fields). Retries: never, the nonce is for one
   * use. Secrets: every field of input and result. The fields may be at the top or under `data`.
   *
   * @experimental
   * @throws ResponseValidationError when a field of the result is missing
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const pass = await observe(userClient).card.provisioning.apple({
   *   leafCertificate: 'from the phone',
   *   intermediateCertificate: 'from the phone',
   *   nonce: 'from the phone',
   *   nonceSignature: 'from the phone',
   * });
   * ```
   */
  apple(input: ProvisionAppleInput, options?: RequestOptions): PlatformPromise<AppleProvisioning> {
    return this.send(provisionApple, input, options);
  }

  /**
   * Returns the data to pass to Google's wallet.
   *
   * Endpoint: `POST /v1/card/wallet/provision/google` (observed). Certainty low (one client).
   * Retries: none by itself once a request may have arrived, because each leaves one more
   * credential. Secrets: every field of the result.
   *
   * @experimental
   * @throws ResponseValidationError when the result has no opaque card
   * @throws OperationRejectedError on `success: false`
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { data } = await observe(userClient).card.provisioning.google();
   * ```
   */
  google(options?: RequestOptions): PlatformPromise<GoogleProvisioning> {
    return this.send(provisionGoogle, {}, options);
  }
}

/**
 * Cashback, statements, and the phone's wallet.
 *
 * @experimental
 */
export class ObservedCardCalls extends ObservedCalls {
  /** Adding the card to a phone's wallet. */
  readonly provisioning: ProvisioningCalls;

  /** @internal */
  constructor(client: Sender, overrides: ObservedOverrides) {
    super(client, overrides);
    this.provisioning = new ProvisioningCalls(client, overrides);
  }

  /**
   * Returns the cashback earned so far. Amount and percentage are decimal strings.
   *
   * Endpoint: `GET /v1/card/cashback` (observed). Certainty medium (one client). Retries: safe.
   *
   * @experimental
   * @throws ApiError when the service refuses it
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { amount, ratePercent } = await observe(userClient).card.cashback();
   * ```
   */
  cashback(options?: RequestOptions): PlatformPromise<Cashback> {
    return this.send(getCashback, {}, options);
  }

  /**
   * Returns the card transactions as a file of the requested type, at most 32 MiB long. It contains
   * personal data.
   *
   * Endpoint: `GET /v1/card/transactions/statement` (observed). Certainty high (one client and the
   * vendor page). Retries: safe, one at most. A response of another type is an error, because
   * errors come as JSON or text. The columns of a CSV are not stable.
   *
   * @experimental
   * @param input - both days, or neither for the complete history. Default format `csv`
   * @throws RequestValidationError for another format or an impossible period: nothing was sent
   * @throws ProtocolError when the response is of another type or too long
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { bytes, fileName = 'statement.pdf' } = await observe(userClient).card.statement({
   *   format: 'pdf',
   *   dateFrom: '2026-01-01',
   *   dateTo: '2026-01-31',
   * });
   * ```
   */
  async statement(
    input: CardStatementInput & { format?: 'csv' | 'pdf' | undefined } = {},
    options?: RequestOptions,
  ): Promise<CardStatement> {
    const { format, ...days } = { ...input };
    if (format !== undefined && !Object.hasOwn(STATEMENT_TYPES, format)) {
      const issue = { path: 'format', message: 'must be csv or pdf' };
      throw new RequestValidationError([issue], cardStatement.id);
    }
    const observed = this.endpoint(cardStatement);
    const type = STATEMENT_TYPES[format ?? 'csv'];
    const endpoint =
      format === undefined
        ? observed
        : override(observed, { accept: type, mediaTypes: [type, 'application/octet-stream'] });
    const { data, headers } = await this.sendAs(endpoint, input && days, options).withResponse();
    return {
      bytes: data,
      contentType: headers.get('content-type') ?? type,
      fileName: fileNameOf(headers.get('content-disposition')),
    };
  }
}
