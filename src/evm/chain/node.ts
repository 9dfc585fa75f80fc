/**
 * A node to read the chain from: a viem public client, an EIP-1193 provider, or any object with
 * the same `request`.
 */
export type EvmNode = {
  /** A JSON-RPC call; rejects with the error of the node. */
  request(call: { method: string; params?: unknown }): Promise<unknown>;
};
