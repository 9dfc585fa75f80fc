export type { PageSetup } from '../../../test/docs/page-setup.js';

type Listener = (name: string, value: unknown) => void;

let listener: Listener = () => {};

/** Sets who learns what the function of a block returns. */
export function returned(next: Listener): void {
  listener = next;
}

/** Calls a function that a block exports, and passes on what it returns. */
export async function call(exported: unknown, ...input: unknown[]): Promise<unknown> {
  if (typeof exported !== 'function') throw new TypeError('the block exports no function');
  const value: unknown = await exported(...input);
  listener(exported.name, value);
  return value;
}
