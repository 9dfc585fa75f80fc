import type { EvmApprovalInput } from '../../contract/delegation-proof.js';
import type { CheckedName } from '../../delegation/check-values.js';
import type { DelegationCallOptions, DelegationClient } from '../../delegation/client.js';
import type { DelegationOptions } from '../../delegation/options.js';
import type { WireAmountUnit } from '../../delegation/submit-proof.js';
import type { EvmSpendingLimit } from '../approval/spending-limit.js';
import type { EvmNode } from '../chain/json-rpc.js';
import type { EVM_NETWORKS, EvmNetworks } from '../networks.js';
import type { SiweBuildOptions } from '../siwe/build.js';
import type { EvmChainDetails, ViemChain } from '../wallets/chain-details.js';
import type { AnyEvmWallet } from '../wallets/to-evm-wallet.js';

/** The part of the client that the flow uses: a `CardPlatformClient`, or a plain object. */
export type EvmDelegationClient = DelegationClient & {
  delegation: {
    /** `POST /v1/delegation/evm/post-approval` */
    submitEvmApproval(
      proof: EvmApprovalInput,
      options?: DelegationCallOptions,
    ): PromiseLike<{ success?: boolean | undefined }>;
    /** Needed with `'chain-config'` as `spender` or `networks`. */
    chainConfig?(
      options?: DelegationCallOptions & { region?: 'us' | undefined },
    ): PromiseLike<unknown>;
  };
};

/**
 * The names in the options that the compiler checks: network and currency of the API contract, unless
 * `networks` adds others, and the spender.
 */
export type EvmCheckedNames<Options> = Options extends {
  readonly networks: EvmNetworks | 'chain-config';
}
  ? EvmCheckedSpender<Options>
  : EvmCheckedSpender<Options> & {
      readonly network?:
        | CheckedName<Field<Options, 'network'>, keyof typeof EVM_NETWORKS>
        | undefined;
      readonly currency: CheckedName<Field<Options, 'currency'>, 'usdc' | 'usdt'>;
    };

type EvmCheckedSpender<Options> = {
  readonly spender: CheckedName<Field<Options, 'spender'>, `0x${string}` | 'chain-config'>;
};

type Field<Options, Name extends string> = Options extends { readonly [Key in Name]: infer Value }
  ? Value
  : string;

/** The options of `delegateEvm`. */
export type EvmDelegationOptions = Omit<DelegationOptions, 'client'> &
  Omit<EvmSpendingLimit, 'spender' | 'network' | 'networks'> & {
    /**
     * The network's name at the service: `linea`, `ethereum`, or one of `networks`. Default: the one
     * that has the chain of the node. Required with `networks: 'chain-config'`.
     */
    network?: string | undefined;
    /** The client of the user who delegates, or an object with the same methods. */
    client: EvmDelegationClient;
    /**
     * The wallet that signs and pays: a viem wallet client, an EIP-1193 provider, or a plain
     * object.
     */
    wallet: AnyEvmWallet;
    /**
     * The account of the wallet that delegates. Default: the account of a viem wallet client, or the
     * first one of an EIP-1193 provider. Required if a viem wallet client has none.
     */
    address?: string | undefined;
    /** The node to read the chain from: a viem public client or an EIP-1193 provider. */
    node: EvmNode;
    /**
     * Networks and tokens beyond `EVM_NETWORKS`, or replacing some of them. `'chain-config'` uses
     * the ones that `delegation.chainConfig()`, a preview endpoint, returns.
     */
    networks?: EvmNetworks | 'chain-config' | undefined;
    /**
     * The address that may spend: the platform's contract on this network, or `'chain-config'` for
     * the one that `delegation.chainConfig()` returns. With `networks: 'chain-config'`, an address
     * here must equal it.
     */
    spender: string;
    /**
     * Confirms the spender that the service returned, before the wallet is asked: compare it with
     * your own configuration, or show it to the user. Anything but `true` ends the flow. Required
     * with `spender: 'chain-config'`.
     */
    confirmSpender?: ((spender: string) => boolean | PromiseLike<boolean>) | undefined;
    /**
     * Try the approval on the node before the wallet is asked (`eth_call`). That finds a token that is
     * paused or blocks the account, and one whose old limit must be set to zero first. Default `true`.
     */
    dryRun?: boolean | undefined;
    /**
     * Accept a spender that has no code on the chain: an address of a person instead of a contract.
     * Default `false`, because the platform's spender is a contract.
     */
    allowSpenderWithoutCode?: boolean | undefined;
    /**
     * Ask the wallet to switch to the network if it is on another one. `true` uses the wallet's own
     * settings, and the `chain` of a viem wallet client for a wallet that does not know the
     * network. Pass the details of the network, or a chain of `viem/chains`, to let other wallets
     * add it. Default `false`: the flow ends with `WrongChainError`, because a switch needs one
     * more prompt and affects the other pages that use the wallet.
     */
    switchNetwork?: boolean | EvmChainDetails | ViemChain | undefined;
    /**
     * Host that asks, with its port. In a page it must be the page's own host, which is the default.
     * Required outside a page.
     */
    domain?: string | undefined;
    /**
     * The page that asks, on the host of the domain: https, or http on a loopback host such as
     * `localhost`. Default: the origin of the page, or `https://` and the `domain` that you pass.
     */
    uri?: string | undefined;
    /**
     * `'eip-4361'` accepts every domain and URI that the standard allows, for example the scheme of
     * an app. Default `'strict'`. See the warning at `rules` of {@link SiweBuildOptions}.
     */
    messageRules?: SiweBuildOptions['rules'];
    /** The purpose that the message states. Default `Prove address ownership`. */
    statement?: string | undefined;
    /**
     * How long the message is valid, in milliseconds, never beyond the token. Default 120,000.
     * In practice the service accepts a message that expired while the approval was confirmed.
     */
    messageLifetime?: number | undefined;
    /** Put a nonce into the message that EIP-4361 does not allow. Default `false`. */
    allowAnyNonce?: boolean | undefined;
    /**
     * The unit of the amount in the proof. The API contract says base units; deployed clients send
     * whole units of the currency, the default.
     */
    wireAmount?: WireAmountUnit | undefined;
    /** How many blocks must confirm the approval, including its own. Default 1. */
    confirmations?: number | undefined;
    /** How long one run waits for a confirmation, in milliseconds. Default 180,000. */
    confirmationTimeout?: number | undefined;
    /** Time between two checks for a confirmation, in milliseconds. Default 2,000. */
    pollingInterval?: number | undefined;
  };

/** The options of `revokeEvmDelegation`: the options of `delegateEvm` without the amount. */
export type EvmRevocationOptions = Omit<EvmDelegationOptions, 'amount' | 'cap' | 'unlimited'> & {
  /**
   * Also submit a proof with the amount 0, so that the service knows. The API contract does not say
   * that the service accepts it. `false` changes the chain only, without a token or a signature,
   * which is enough to end the spending authority. Default `true`.
   */
  submit?: boolean | undefined;
};
