/**
 * What an HTTP adapter saw of one exchange. Facts only: this folder alone decides what they mean. An
 * adapter writes them while the exchange runs, so they are also true of one that was cut short.
 */
export type ExchangeFacts = {
  /**
   * `none`: provably no connection (TLS included) was established, so nothing was sent.
   * `established`: the request may have been sent. `unproven`: the adapter cannot see connections.
   */
  connection: 'none' | 'established' | 'unproven';
  /** HTTP status, once a response has begun. */
  status: number | undefined;
};

/** The facts of an exchange that never started. */
export const NOT_STARTED: ExchangeFacts = { connection: 'none', status: undefined };

/** Whether a response has a success status. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whether a status is a redirect, of which nothing is read. */
export function isRedirect(status: number): boolean {
  // A browser reports a redirect that is not followed as status 0.
  return status === 0 || (status >= 300 && status < 400);
}
