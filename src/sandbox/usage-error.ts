/** Thrown for an invalid command line. The usage of the command is printed after its message. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
