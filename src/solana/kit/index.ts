export { connectionFromKitRpc } from './connection.js';
export { type KitAddress, type KitInstruction, toKitInstruction } from './instruction.js';
export type { KitAccount, KitCall, KitRpc } from './rpc.js';
export type {
  KitMessageSigner,
  KitSignableMessage,
  KitSignatures,
  KitTransaction,
  KitTransactionSigner,
} from './signers.js';
export { walletFromKitSigner } from './wallet.js';
