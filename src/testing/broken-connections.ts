const SYSTEM_CALLS = { ECONNRESET: 'read', ECONNREFUSED: 'connect' } as const;

/**
 * Returns the error that Node's `fetch` throws for a broken connection. It names the system call,
 * which is the only proof that a refused connection carried nothing.
 */
export function connectionError(code: keyof typeof SYSTEM_CALLS): TypeError {
  const syscall = SYSTEM_CALLS[code];
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  return new TypeError('fetch failed', { cause });
}

/** Recognises the error of a connection that broke as planned, also one from another copy of this file. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return false;
  const code: unknown = Reflect.get(error.cause, 'code');
  return typeof code === 'string' && Object.hasOwn(SYSTEM_CALLS, code);
}

/**
 * Returns a response whose body breaks off in the middle. A response without a body cannot break
 * there: its connection breaks before the headers.
 *
 * @throws TypeError, as `fetch` does, for a response without a body
 */
export async function breakOffBody(response: Response): Promise<Response> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length === 0) throw connectionError('ECONNRESET');
  const firstHalf = bytes.subarray(0, Math.ceil(bytes.length / 2));
  let isSent = false;
  // `pull` and not `start`: an error at once would discard the bytes that nobody has read yet.
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent) controller.error(connectionError('ECONNRESET'));
      else controller.enqueue(firstHalf);
      isSent = true;
    },
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
