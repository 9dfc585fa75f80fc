/** The longest success body, in bytes after decompression. */
export const SUCCESS_LIMIT = 1024 * 1024;
/** The longest error body, in bytes after decompression. */
export const ERROR_LIMIT = 64 * 1024;

/** How long the body of a response with this status may be, in bytes. */
export function bodyLimit(status: number): number {
  return status >= 200 && status < 300 ? SUCCESS_LIMIT : ERROR_LIMIT;
}
