/** A subcommand of `card-platform-sandbox`. */
export type Command = {
  /** The text of `--help`. */
  usage: string;
  /**
   * Runs the command with the arguments after its name.
   *
   * @throws UsageError for an invalid command line
   */
  run: (args: readonly string[]) => Promise<void>;
};
