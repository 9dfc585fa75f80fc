/** The network, as the service names it. */
export const SOLANA_NETWORK = 'solana';
