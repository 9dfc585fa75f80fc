import type { PrivateKeyAccount } from 'viem';
import type {
  DelegationProgress,
  DelegationResult,
  DelegationState,
  EvmCall,
  EvmDelegationOptions,
  EvmWallet,
} from '../../../src/evm/index.js';
import { delegateEvm, delegationStateOf } from '../../../src/evm/index.js';
import { CardPlatformClient } from '../../../src/index.js';
import { createMockPlatform, type NewUser } from '../../../src/testing/index.js';
import type { LocalChain } from '../../chain/local-chain.js';
import { createAnvilVerifier } from '../../chain/proof-verifier.js';

/** The platform's contract: nobody else may spend. */
export const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';

export type Scene = Awaited<ReturnType<typeof setScene>>;

/**
 * A user with a new wallet, a platform that checks proofs on the chain, and a wallet that writes
 * down what it is asked for.
 */
export async function setScene(chain: LocalChain, user: NewUser = {}) {
  const account = await chain.newAccount();
  const mock = createMockPlatform({
    startsAt: Date.now(),
    verifyEvmProof: createAnvilVerifier({ chain, spender: SPENDER, now: () => mock.now }),
  });
  const owner = mock.users.add(user);
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(owner),
  });
  const asked: ('sign' | 'send' | 'reset')[] = [];
  const progress: DelegationProgress[] = [];
  const wallet = recordingWallet(chain, account, asked);
  const options = (changes: Partial<EvmDelegationOptions> = {}): EvmDelegationOptions => ({
    client,
    wallet,
    publicClient: chain.publicClient,
    network: chain.chainId === 1 ? 'ethereum' : 'linea',
    currency: 'usdc',
    networks: chain.networks,
    amount: '100.5',
    spender: SPENDER,
    domain: 'app.example',
    uri: 'https://app.example',
    pollingInterval: 10,
    onProgress: (event) => progress.push(event),
    // Waits pass on the platform's clock; the chain gets a moment to do its part.
    runtime: {
      now: () => mock.now,
      sleep: (milliseconds) => {
        mock.advance(milliseconds);
        return new Promise((resolve) => setTimeout(resolve, 2));
      },
    },
    ...changes,
  });
  return {
    chain,
    account,
    mock,
    owner,
    client,
    wallet,
    asked,
    progress,
    options,
    /** Runs the flow. */
    delegate: (changes?: Partial<EvmDelegationOptions>): Promise<DelegationResult> =>
      delegateEvm(options(changes)),
    /** Runs a flow that has to fail, and gives its error and what would be saved of it. */
    async failing(changes?: Partial<EvmDelegationOptions>) {
      const error: unknown = await delegateEvm(options(changes)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const state = delegationStateOf(error);
      return { error, state: state && saved(state) };
    },
    /** Lets what the wallet was asked for come to its end. */
    settled: () => Promise.allSettled(wallet.answers),
    /** How many transactions the wallet's account has on the chain. */
    transactions: () => chain.publicClient.getTransactionCount({ address: account.address }),
    /** What the platform may spend now, in base units. */
    allowance: (currency: 'usdc' | 'usdt' = 'usdc') =>
      chain.publicClient.readContract({
        ...chain[currency],
        functionName: 'allowance',
        args: [account.address, SPENDER],
      }),
    /** The requests that reached the platform, by endpoint. */
    calls: (operation: string) =>
      mock.requests.filter((request) => request.operation === operation).length,
    /** The wallets that the platform knows of this user. */
    registered: () => mock.users.get(owner.id).externalWallets,
  };
}

/** A state as it comes back after a reload. */
export function saved(state: DelegationState): DelegationState {
  return JSON.parse(JSON.stringify(state)) as DelegationState;
}

function recordingWallet(
  chain: LocalChain,
  account: PrivateKeyAccount,
  asked: ('sign' | 'send' | 'reset')[],
): EvmWallet & { answers: Promise<unknown>[] } {
  const client = chain.walletFor(account);
  const answers: Promise<unknown>[] = [];
  const keep = <T>(answer: Promise<T>): Promise<T> => {
    answers.push(answer);
    return answer;
  };
  return {
    answers,
    address: account.address,
    getChainId: () => client.getChainId(),
    signMessage(message) {
      asked.push('sign');
      return keep(client.signMessage({ account, message }));
    },
    sendTransaction(call: EvmCall) {
      asked.push(/0{64}$/.test(call.data) ? 'reset' : 'send');
      return keep(client.sendTransaction({ account, chain: chain.chain, ...call }));
    },
  };
}
