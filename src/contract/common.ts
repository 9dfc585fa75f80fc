/** A value of the contract's list, or one that the service has added since. */
export type Open<Known extends string> = Known | (string & {});

/** Nothing to say: the endpoint takes no input. */
export type NoInput = { readonly [key: string]: never };

/** The answer of a command. A refusal (`success: false`) is thrown as `OperationRejectedError`. */
export type SuccessResult = {
  success: boolean;
  /**
   * `true` when an earlier attempt of this same call had done it already: its answer was lost, the
   * call was repeated, and the service said that there was nothing left to do.
   */
  resolvedByRetry?: boolean | undefined;
};
