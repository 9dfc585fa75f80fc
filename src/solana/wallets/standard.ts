import { encodeBase58 } from '../../contract/formats/base58.js';
import { invalid } from '../../delegation/check-values.js';
import { requireResult, requireSameText } from './signed-text.js';
import type { SolanaWallet } from './wallet.js';

/** The part of a wallet-standard account that the flow uses. */
export type StandardAccount = { readonly address: string };

/** The part of a wallet-standard wallet that the flow uses. */
export type StandardWallet = {
  readonly accounts: readonly StandardAccount[];
  readonly features: Readonly<Record<string, unknown>>;
};

type Call<Name extends string, Input, Output> = {
  readonly [Key in Name]: (input: Input) => Promise<readonly Output[]>;
};
type TransactionInput = { account: StandardAccount; transaction: Uint8Array; chain: string };
type Features = {
  'solana:signMessage'?: Call<
    'signMessage',
    { account: StandardAccount; message: Uint8Array },
    { signedMessage: Uint8Array; signature: Uint8Array }
  >;
  'solana:signTransaction'?: Call<
    'signTransaction',
    TransactionInput,
    { signedTransaction: Uint8Array }
  >;
  'solana:signAndSendTransaction'?: Call<
    'signAndSendTransaction',
    TransactionInput,
    { signature: Uint8Array }
  >;
};

/** A connected wallet-standard wallet in the form that the flow uses. */
export function walletFromStandard(
  wallet: StandardWallet,
  account = wallet.accounts[0],
  chain = 'solana:mainnet',
): SolanaWallet {
  const features: Features = wallet.features;
  const messages = features['solana:signMessage'];
  const transactions = features['solana:signTransaction'];
  const sending = features['solana:signAndSendTransaction'];
  if (!account || !messages || !(transactions || sending)) {
    return invalid('wallet', 'has no account, or cannot sign messages and Solana transactions');
  }
  return {
    address: account.address,
    async signMessage(message) {
      const [signed] = await messages.signMessage({ account, message });
      const { signedMessage, signature } = requireResult(signed);
      requireSameText(signedMessage, message);
      return signature;
    },
    signTransaction:
      transactions &&
      (async (transaction) => {
        const [signed] = await transactions.signTransaction({ account, transaction, chain });
        return requireResult(signed).signedTransaction;
      }),
    sendTransaction:
      sending &&
      (async (transaction) => {
        const [sent] = await sending.signAndSendTransaction({ account, transaction, chain });
        return encodeBase58(requireResult(sent).signature);
      }),
  };
}
