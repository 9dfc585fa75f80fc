import type { Hex, PrivateKeyAccount } from 'viem';
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

/** The platform's contract, which is the only valid spender. */
export const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';

export type Scene = Awaited<ReturnType<typeof setUpScene>>;

/**
 * Creates a user with a new wallet that records its prompts, and a mock platform that checks proofs
 * on the chain.
 */
export async function setUpScene(chain: LocalChain, user: NewUser = {}, additions: string[] = []) {
  const account = await chain.newAccount();
  const mock = createMockPlatform({
    startsAt: Date.now(),
    additions,
    verifyEvmProof: createAnvilVerifier({ chain, spender: SPENDER, now: () => mock.now }),
  });
  const owner = mock.users.add(user);
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(owner),
  });
  const prompts: ('sign' | 'send' | 'reset')[] = [];
  const progress: DelegationProgress[] = [];
  const wallet = recordingWallet(chain, account, prompts);
  const options = (changes: Partial<EvmDelegationOptions> = {}): EvmDelegationOptions => ({
    client,
    wallet,
    node: chain.publicClient,
    network: chain.chainId === 1 ? 'ethereum' : 'linea',
    currency: 'usdc',
    networks: chain.networks,
    amount: '100.5',
    spender: SPENDER,
    domain: 'app.example',
    uri: 'https://app.example',
    pollingInterval: 10,
    onProgress: (event) => progress.push(event),
    // Waiting advances the platform's clock, and gives the chain a moment to mine.
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
    prompts,
    progress,
    options,
    /** Runs the flow. */
    delegate: (changes?: Partial<EvmDelegationOptions>): Promise<DelegationResult> =>
      delegateEvm(options(changes)),
    /** Runs a flow that must fail, and returns its error and the state that a page would save. */
    async delegateAndCatch(changes?: Partial<EvmDelegationOptions>) {
      const error: unknown = await delegateEvm(options(changes)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const state = delegationStateOf(error);
      return { error, state: state && afterReload(state) };
    },
    /** Waits until every prompt of the wallet has been settled, and its transactions are on the chain. */
    async walletSettled() {
      await Promise.allSettled(wallet.signatures);
      for (const sent of await Promise.allSettled(wallet.transactions)) {
        if (sent.status === 'fulfilled') await chain.receiptOf(sent.value);
      }
    },
    /** Returns how many transactions of the wallet's account are on the chain. */
    transactionCount: () => chain.publicClient.getTransactionCount({ address: account.address }),
    /** Returns what the platform may spend now, in base units. */
    allowance: (currency: 'usdc' | 'usdt' = 'usdc') =>
      chain.publicClient.readContract({
        ...chain[currency],
        functionName: 'allowance',
        args: [account.address, SPENDER],
      }),
    /** Returns how many requests of an endpoint reached the platform. */
    requestCount: (operation: string) =>
      mock.requests.filter((request) => request.operation === operation).length,
    /** Returns the wallets of this user that the platform has registered. */
    registeredWallets: () => mock.users.get(owner.id).externalWallets,
  };
}

/** Returns a state as a page reads it from storage after a reload. */
export function afterReload(state: DelegationState): DelegationState {
  return JSON.parse(JSON.stringify(state)) as DelegationState;
}

function recordingWallet(
  chain: LocalChain,
  account: PrivateKeyAccount,
  prompts: ('sign' | 'send' | 'reset')[],
): EvmWallet & { signatures: Promise<Hex>[]; transactions: Promise<Hex>[] } {
  const client = chain.walletFor(account);
  const signatures: Promise<Hex>[] = [];
  const transactions: Promise<Hex>[] = [];
  return {
    signatures,
    transactions,
    address: account.address,
    getChainId: () => client.getChainId(),
    signMessage(message) {
      prompts.push('sign');
      const signature = client.signMessage({ account, message });
      signatures.push(signature);
      return signature;
    },
    sendTransaction(call: EvmCall) {
      prompts.push(/0{64}$/.test(call.data) ? 'reset' : 'send');
      const transaction = client.sendTransaction({ account, chain: chain.chain, ...call });
      transactions.push(transaction);
      return transaction;
    },
  };
}
