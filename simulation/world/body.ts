/** Everything that a body needs to arrive piece by piece. */
export type BodyPlace = {
  sleep(ms: number): Promise<void>;
  signal: AbortSignal;
  brokenBy(): unknown;
  onEnd(): void;
};

const DRIP_MS = 2_000;
const PIECES = 12;

/**
 * Returns the stream of a response body as `fetch` would: complete, cut off or stalled in the
 * middle, or so slow that it exceeds every time limit.
 */
export function bodyOf(
  bytes: Uint8Array,
  fault: 'cut' | 'stalls' | 'drips' | undefined,
  place: BodyPlace,
) {
  const half = Math.ceil(bytes.length / 2);
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  let offset = 0;
  let isOver = false;
  const end = () => {
    if (!isOver) place.onEnd();
    isOver = true;
  };
  const next = async (): Promise<{ done: boolean; value: Uint8Array | undefined }> => {
    if (place.signal.aborted) throw place.signal.reason;
    if (offset >= bytes.length && (fault !== 'drips' || bytes.length > 0)) {
      end();
      return { done: true, value: undefined };
    }
    if (offset >= half && fault === 'cut') {
      end();
      throw place.brokenBy();
    }
    if (offset >= half && fault === 'stalls') await new Promise(() => {});
    if (fault === 'drips') await place.sleep(DRIP_MS);
    const length = fault === undefined ? bytes.length : fault === 'drips' ? size : half;
    const value = bytes.slice(offset, offset + length);
    offset += length;
    return { done: false, value };
  };
  const aborted = new Promise<never>((_, reject) => {
    place.signal.addEventListener('abort', () => reject(place.signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  const cancel = async () => end();
  return {
    getReader: () => ({ read: () => Promise.race([next(), aborted]), cancel }),
    cancel,
  };
}
