import { isObject } from '../../contract/formats/is-object.js';
import type { MockPlatform, MockSnapshot, MockState } from '../../testing/index.js';

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);

/** Returns whether a value has the parts of a snapshot, and those have the right kind. */
function isSnapshot(value: unknown, current: MockState): value is MockSnapshot {
  if (!isObject(value)) return false;
  const { state, now, ids } = value;
  if (!isObject(state) || typeof now !== 'number' || !Number.isSafeInteger(ids)) return false;
  const given = new Map(Object.entries(state));
  return Object.entries(current).every(
    // The observed calls have no state before the first of them.
    ([name, part]) =>
      name === 'observed' || (given.has(name) && kindOf(given.get(name)) === kindOf(part)),
  );
}

/**
 * Restores a snapshot that may come from a file or from another program.
 *
 * @throws Error for anything that is not a snapshot of this version
 */
export function restoreSnapshot(platform: MockPlatform, snapshot: unknown): void {
  if (!isSnapshot(snapshot, platform.state)) {
    throw new Error('snapshot must come from this version of the sandbox');
  }
  platform.restore(snapshot);
}
