import type { MinedTransaction, ToyChain, ToyTransaction } from './chain.js';

/** A transaction as a node shows it: pending, or in a block. */
export type SeenTransaction = ToyTransaction & Partial<MinedTransaction>;

/**
 * The methods of a node of the toy chain. Every response names the block that the node has reached.
 */
export type ToyNode = {
  chainId(): Promise<string>;
  transaction(id: string): Promise<{ height: number; found: SeenTransaction | undefined }>;
  /** The nonce after the mined transactions, and the one after the pending ones too. */
  account(owner: string): Promise<{ height: number; nonce: number; pendingNonce: number }>;
  /** The transactions of an account after a block, oldest first, the pending ones last. */
  transactionsOf(
    owner: string,
    after: number,
  ): Promise<{ height: number; transactions: SeenTransaction[] }>;
  allowance(owner: string, spender: string): Promise<{ height: number; amount: bigint }>;
};

/**
 * One of the nodes behind a URL. It can be some blocks behind, and then it shows no pending
 * transactions.
 */
export function toyNode(chain: ToyChain, lag = 0): ToyNode {
  const height = Math.max(0, chain.height - lag);
  const isBehind = lag > 0;
  const pending = isBehind ? [] : [...chain.mempool.values()];
  const mined = chain.minedUntil(height);
  return {
    chainId: async () => chain.id,
    async transaction(id) {
      const found = [...mined, ...pending].find((transaction) => transaction.id === id);
      return { height, found };
    },
    async account(owner) {
      const nonce = chain.nonceOf(owner, height);
      return { height, nonce, pendingNonce: isBehind ? nonce : chain.pendingNonceOf(owner) };
    },
    async transactionsOf(owner, after) {
      const isNew = (one: SeenTransaction) => one.height === undefined || one.height > after;
      const transactions = [...mined, ...pending].filter(
        (transaction) => transaction.from === owner && isNew(transaction),
      );
      return { height, transactions };
    },
    allowance: async (owner, spender) => ({
      height,
      amount: chain.allowance(owner, spender, height),
    }),
  };
}
