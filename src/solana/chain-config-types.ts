/** A token that the service can spend on Solana, as its chain configuration describes it. */
export type SolanaChainToken = {
  /** The currency in lower case, as the flow's options expect it. */
  readonly currency: string;
  /** The mint's address. */
  readonly mint: string;
  /** The mint's decimals. */
  readonly decimals: number;
  /** The key that may spend. */
  readonly spender: string;
  /** The environment, where the configuration names one. */
  readonly environment?: string;
};

/** An entry of the chain configuration that cannot be used. */
export type SkippedSolanaToken = {
  /** The currency in lower case; absent if the whole network is skipped. */
  readonly currency?: string;
  /** The environment, where the configuration names one. */
  readonly environment?: string;
  /** The reason why it cannot be used. */
  readonly reason: string;
};

/** The Solana tokens of a chain configuration. */
export type SolanaTokenTable = {
  /** The tokens that the flow can use. */
  readonly tokens: readonly SolanaChainToken[];
  /** The entries that it cannot use, and why. */
  readonly skipped: readonly SkippedSolanaToken[];
};
