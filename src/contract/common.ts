/**
 * A value of a known list, or any other text: for names that a caller may extend, such as a network.
 * An editor suggests the known values.
 */
export type Open<Known extends string> = Known | (string & {});

/**
 * A value of the contract's list, or one that the service has added since. An editor suggests the
 * listed values, and a comparison with a misspelled one does not compile: `status === 'Active'`.
 *
 * The compiler treats an added value as a text that starts with `unlisted: `, because any other
 * string type could be compared with every text. The value itself has no such prefix. To compare
 * with a value that is not listed, widen it: `String(status) === 'LOST'`.
 *
 * @example
 * ```ts
 * import type { OpenEnum } from 'card-platform-sdk';
 *
 * export function label(status: OpenEnum<'ACTIVE' | 'FROZEN'>): string {
 *   if (status === 'ACTIVE') return 'Ready';
 *   return status; // a string, like every value of the service
 * }
 * ```
 */
export type OpenEnum<Known extends string> = Known | `unlisted: ${string}`;

/** The endpoint has no input. */
export type NoInput = { readonly [key: string]: never };

/**
 * The response to a command that was done: the promise resolves only then. A refusal is thrown, and
 * so is a response that does not say whether the command was done.
 */
export type SuccessResult = {
  /**
   * In the service's own words. Absent when its response was empty, which is enough for a command
   * that moves no money, and when `resolvedByRetry` is set.
   */
  success?: true | undefined;
  /**
   * `true` when an earlier attempt of this call had already succeeded: its response was lost, and
   * the service responded to the retry that there was nothing left to do.
   */
  resolvedByRetry?: boolean | undefined;
};
