import { isChainError } from './is-chain-error.js';

/** Returns the result of a read; `undefined` if the node could not be read, which proves nothing. */
export async function ifReadable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isChainError(error, 'chain_unreadable')) return undefined;
    throw error;
  }
}
