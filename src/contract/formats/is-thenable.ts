/** Whether a value is a promise, also one of another library or realm. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof Object(value).then === 'function';
}
