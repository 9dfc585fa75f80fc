import type { SolanaApprovalInput } from '../../contract/delegation-proof.js';
import type { CheckedName } from '../../delegation/check-values.js';
import type { DelegationCallOptions, DelegationClient } from '../../delegation/client.js';
import type { DelegationOptions } from '../../delegation/options.js';
import type { WireAmountUnit } from '../../delegation/submit-proof.js';
import type { SolanaCurrency } from '../addresses.js';
import type { SolanaConnection } from '../connection.js';
import type { SolanaMessageOptions } from '../message.js';
import type { SolanaKeypair } from '../wallets/keypair.js';
import type { StandardAccount, StandardWallet } from '../wallets/standard.js';
import type { SolanaWallet } from '../wallets/wallet.js';
import type { SolanaChainToken } from './chain-config.js';

/**
 * How a limit is revoked: `revoke` removes the delegate, `approve-zero` approves the same delegate with
 * an amount of zero.
 */
export type RevokingInstruction = 'revoke' | 'approve-zero';

/** The part of the client that the flow uses: a `CardPlatformClient`, or a plain object. */
export type SolanaDelegationClient = DelegationClient & {
  delegation: {
    /** Submits the proof: `client.delegation.submitSolanaApproval`. */
    submitSolanaApproval(
      proof: SolanaApprovalInput,
      options?: { signal?: AbortSignal | undefined },
    ): PromiseLike<{ success?: boolean | undefined }>;
    /** Needed with `'chain-config'`. */
    chainConfig?(
      options?: DelegationCallOptions & { region?: 'us' | undefined },
    ): PromiseLike<unknown>;
  };
};

/** The names in the options that the compiler checks: the currency, unless `token` describes it. */
export type SolanaCheckedNames<Options> = Options extends {
  readonly token: SolanaCurrency | 'chain-config';
}
  ? unknown
  : Options extends { readonly currency: infer Currency }
    ? { readonly currency: CheckedName<Currency, 'usdc' | 'usdt'> }
    : unknown;

/** The options of `delegateSolana`. */
export type SolanaDelegationOptions = Omit<DelegationOptions, 'client'> & {
  /** The client of the user who delegates, or an object with the same methods. */
  client: SolanaDelegationClient;
  /**
   * The wallet that signs: one that signs bytes, a connected wallet-standard wallet, or a local
   * key. Convert a wallet adapter with `walletFromAdapter` of `card-platform-sdk/solana/web3`.
   */
  wallet: SolanaWallet | StandardWallet | SolanaKeypair;
  /** The account of a wallet-standard wallet that delegates. Default: its first one. */
  account?: StandardAccount | undefined;
  /** The chain passed to a wallet-standard wallet. Default `solana:mainnet`. */
  chain?: string | undefined;
  /** The node to read the chain from: a `Connection` of @solana/web3.js 1.x, or an object with the same methods. */
  node: SolanaConnection;
  /** The currency's name at the service: `usdc`, `usdt`, or one that `token` describes. */
  currency: string;
  /**
   * The currency's mint and decimals. Built in for usdc and usdt on the main network. The decimals
   * must match the mint on the chain. `'chain-config'` reads both from `delegation.chainConfig()`,
   * a preview endpoint.
   */
  token?: SolanaCurrency | 'chain-config' | undefined;
  /** The spending limit in units of the currency, a decimal string: `'100.5'` is 100.5 USDC. */
  amount: string;
  /** Refuses an `amount` above this one, in the same unit. Default: no further limit. */
  cap?: string | undefined;
  /**
   * The unit of the amount in the proof. The contract says base units; deployed clients send
   * whole units of the currency, which is the default.
   */
  wireAmount?: WireAmountUnit | undefined;
  /**
   * The key that may spend: the platform's, or `'chain-config'` for the one that
   * `delegation.chainConfig()` returns, a preview endpoint. With `token: 'chain-config'`, a key here
   * must equal it. There is no default.
   */
  spender: string;
  /**
   * Confirms the spender that the service returned, and its token, before the wallet is asked:
   * return `true` only for one that you know. Anything but `true` ends the flow. Required with
   * `spender: 'chain-config'`.
   */
  confirmSpender?:
    | ((spender: string, token: SolanaChainToken) => boolean | PromiseLike<boolean>)
    | undefined;
  /** The environment, if the chain configuration has several with different tokens. */
  environment?: string | undefined;
  /**
   * Replace another delegate of the token account, which can then no longer spend. Default `false`.
   */
  replaceSpender?: boolean | undefined;
  /** The token account. Default: the wallet's associated token account of the mint. */
  tokenAccount?: string | undefined;
  /**
   * The host in the message, with its port. In a page it must be the page's own host, which is the
   * default. Required outside a page.
   */
  domain?: string | undefined;
  /** The page in the message, on the host of the domain. Default `https://` and the domain. */
  uri?: string | undefined;
  /**
   * `'siws'` accepts every URI that "Sign In With Solana" allows, for example the scheme of an app.
   * Default `'strict'`. See the warning at {@link SolanaMessageOptions.rules}.
   */
  messageRules?: SolanaMessageOptions['rules'];
  /** The purpose that the message states. Default `Prove address ownership`. */
  statement?: string | undefined;
  /** How certain the cluster must be of the approval. Default `confirmed`. */
  commitment?: 'confirmed' | 'finalized' | undefined;
  /** How many compute units the approval may use, 1 to 1,400,000. Default: the network's limit. */
  computeUnitLimit?: number | undefined;
  /**
   * The priority fee for each compute unit in micro-lamports, a whole number. Default: none. With a
   * limit of 20,000 units, a price of 50,000 costs 0.000001 SOL.
   */
  computeUnitPrice?: number | bigint | undefined;
  /** How long one run waits for the confirmation, in milliseconds. Default 180,000. */
  confirmationTimeout?: number | undefined;
};

/** The options of `revokeSolanaDelegation`. */
export type SolanaRevocationOptions = Omit<
  SolanaDelegationOptions,
  'amount' | 'cap' | 'acceptUnknownLimit'
> & {
  /**
   * `'revoke'` removes the delegate with the instruction `Revoke`. `'approve-zero'` approves the same
   * delegate with an amount of zero, for a service that accepts only an approval as proof: the
   * contract does not document which. Default `'revoke'`.
   */
  revokeWith?: RevokingInstruction | undefined;
  /**
   * `false` changes the chain alone: no token, no message, and the service is not informed. Default
   * `true`.
   */
  submit?: boolean | undefined;
};
