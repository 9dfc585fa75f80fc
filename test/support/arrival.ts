/** Long enough for data that a server of this process has written to reach the client's sockets. */
const GRACE_MS = 60;

/**
 * Waits until the client has read all data that a server of this process has written so far, even
 * after the process was paused: each turn of the event loop reads the sockets before the next one
 * starts.
 */
export async function arrivalOfWrittenData(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS));
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}
