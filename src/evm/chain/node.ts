/**
 * A node to read the chain from: a viem public client, an EIP-1193 provider, or any object with
 * the same `request`.
 */
export type EvmNode = {
  request(call: { method: string; params?: unknown }): Promise<unknown>;
};
