export { connectionFromKitRpc, type KitAccount, type KitCall, type KitRpc } from './connection.js';
export { type KitAddress, type KitInstruction, toKitInstruction } from './instruction.js';
export {
  type KitMessageSigner,
  type KitSignableMessage,
  type KitSignatures,
  type KitTransaction,
  type KitTransactionSigner,
  walletFromKitSigner,
} from './wallet.js';
