export type { PageSetup } from '../../../test/docs/page-setup.js';

type Listener = (name: string, value: unknown) => void;

let listener: Listener = () => {};

/** Sets the listener for the results of the functions of a block. */
export function returned(next: Listener): void {
  listener = next;
}

/** Calls a function that a block exports, and passes its result on. */
export async function call(exported: unknown, ...input: unknown[]): Promise<unknown> {
  if (typeof exported !== 'function') throw new TypeError('the block exports no function');
  const value: unknown = await exported(...input);
  listener(exported.name, value);
  return value;
}
