import { invalid } from '../../delegation/invalid.js';
import type { EvmWallet, ViemWallet } from './wallet.js';

type LooseViemClient = {
  signMessage(input: { account: unknown; message: string }): Promise<string>;
  sendTransaction(input: Record<string, unknown>): Promise<string>;
};

/** A viem wallet client as a plain object. */
export function walletFromViem(client: ViemWallet, account?: string): EvmWallet {
  const address =
    account ??
    client.account?.address ??
    invalid('address', 'is needed: the wallet client has no account');
  const own = client.account;
  // A local account signs by itself; its address alone would send the request to the node.
  const signer = own && own.address.toLowerCase() === address.toLowerCase() ? own : address;
  const wallet = client as unknown as LooseViemClient;
  return {
    address,
    getChainId: () => client.getChainId(),
    signMessage: (message) => wallet.signMessage({ account: signer, message }),
    sendTransaction({ to, data, value, chainId }) {
      // With its own chain viem refuses to send to another one; without, only we have checked.
      const chain = client.chain?.id === chainId ? client.chain : null;
      return wallet.sendTransaction({ account: signer, chain, to, data, value });
    },
  };
}
