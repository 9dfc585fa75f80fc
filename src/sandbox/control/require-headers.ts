/**
 * Checks the names and values of headers now, because a response with invalid ones could not be sent.
 *
 * @throws Error that names the field
 */
export function requireHeaders(field: string, headers: unknown): void {
  try {
    new Headers(Object(headers) as Record<string, string>);
  } catch {
    throw new Error(`${field} must be headers that HTTP can carry`);
  }
}
