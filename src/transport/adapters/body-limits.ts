import { isSuccess } from '../outcome/facts.js';

/** The longest success body, in bytes after decompression. */
export const SUCCESS_LIMIT = 1024 * 1024;
/** The longest error body, in bytes after decompression. */
export const ERROR_LIMIT = 64 * 1024;

/** How a request asks for the body of a success response to be read. */
export type BodyReading = {
  /** Whether its bytes are kept as they are. Default: decoded as UTF-8. */
  readonly asBytes?: boolean | undefined;
  /** The longest success body, in bytes. Default {@link SUCCESS_LIMIT}. */
  readonly maxResponseBytes?: number | undefined;
};

/** How to read the body of a response with this status. An error body is always text. */
export function readingFor(
  status: number,
  { asBytes = false, maxResponseBytes = SUCCESS_LIMIT }: BodyReading,
) {
  return isSuccess(status)
    ? { limit: maxResponseBytes, asBytes }
    : { limit: ERROR_LIMIT, asBytes: false };
}
