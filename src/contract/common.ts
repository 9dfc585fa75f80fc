/**
 * A value of the contract's list, or one that the service has added since. An editor suggests the
 * listed values. A misspelled comparison compiles, because TypeScript lets every string be compared
 * with a type that contains other strings, branded ones and `Uppercase<string>` included. Only a
 * closed list would refuse it, and break your program when the service adds a value.
 */
export type Open<Known extends string> = Known | (string & {});

/** The endpoint takes no input. */
export type NoInput = { readonly [key: string]: never };

/**
 * The response to a command that was done: a promise that resolves says so. A refusal is thrown, and
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
