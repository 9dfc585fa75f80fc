import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';

/** A server that accepts requests and never responds. It ends with the test. */
export async function startSilentServer() {
  let open = 0;
  let received = 0;
  const server = createServer((request) => {
    received++;
    open++;
    request.once('close', () => open--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  onTestFinished(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received: () => received, open: () => open };
}

/** Puts timers and the time limits of requests on a clock that the test moves. */
export function fakeLimits(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const limit = new AbortController();
    setTimeout(() => limit.abort(new DOMException('it took too long', 'TimeoutError')), ms);
    return limit.signal;
  });
  onTestFinished(() => {
    limits.mockRestore();
    vi.useRealTimers();
  });
}

/** Waits until a condition is true, without moving the clock of the test as `expect.poll` does. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
