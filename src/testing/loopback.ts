const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Returns a URL on this machine.
 *
 * @throws Error for any other URL: a test must not send signed events to a stranger
 */
export function requireLoopback(to: string): string {
  const { protocol, hostname } = new URL(to);
  if (protocol === 'http:' && LOOPBACK.test(hostname)) return to;
  throw new Error(
    'deliveries are sent to an http URL on this machine only, such as http://127.0.0.1:3000/',
  );
}
