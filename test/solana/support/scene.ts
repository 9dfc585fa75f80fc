import { Keypair } from '@solana/web3.js';
import { CardPlatformClient } from '../../../src/index.js';
import {
  type DelegationProgress,
  type DelegationResult,
  type DelegationState,
  delegateSolana,
  delegationStateOf,
  readDelegation,
  type SolanaDelegationOptions,
  type SolanaWallet,
} from '../../../src/solana/index.js';
import { walletFromKeypair } from '../../../src/solana/wallets/keypair.js';
import { createMockPlatform, type NewUser } from '../../../src/testing/index.js';
import { type LocalMint, LocalVm } from '../../chain/local-vm.js';
import { createLitesvmVerifier } from '../../chain/solana-proof-verifier.js';

export type Scene = Awaited<ReturnType<typeof setUpScene>>;

/**
 * Creates a user whose wallet holds USDC of a local VM and records its prompts, and a mock platform
 * that checks proofs on the chain.
 */
export async function setUpScene(user: NewUser = {}, programAddress?: string) {
  const vm = await LocalVm.start();
  const mint = await vm.newMint(6, programAddress);
  const keypair = vm.newWallet();
  const address = keypair.publicKey.toBase58();
  const tokenAccount = await vm.fund(address, mint, 500_000_000n);
  const platformKey = vm.newWallet();
  const delegate = platformKey.publicKey.toBase58();
  const mock = createMockPlatform({
    startsAt: Date.now(),
    verifySolanaProof: createLitesvmVerifier({
      vm,
      delegate,
      mints: { usdc: mint },
      now: () => mock.now,
    }),
  });
  const owner = mock.users.add(user);
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(owner),
  });
  const prompts: ('message' | 'transaction')[] = [];
  const progress: DelegationProgress[] = [];
  const wallet = recordingWallet(keypair, prompts);
  const options = (changes: Partial<SolanaDelegationOptions> = {}): SolanaDelegationOptions => ({
    client,
    wallet,
    spender: delegate,
    node: vm.connection,
    currency: 'usdc',
    token: { mint: mint.address, decimals: mint.decimals },
    amount: '100.5',
    domain: 'app.example',
    onProgress: (event) => progress.push(event),
    runtime: {
      now: () => mock.now,
      sleep: async (milliseconds) => mock.advance(milliseconds),
    },
    ...changes,
  });
  return {
    vm,
    mint,
    keypair,
    address,
    tokenAccount,
    platformKey,
    delegate,
    mock,
    owner,
    client,
    prompts,
    progress,
    wallet,
    options,
    /** Runs the flow. */
    runDelegation: (changes?: Partial<SolanaDelegationOptions>): Promise<DelegationResult> =>
      delegateSolana(options(changes)),
    /** Runs a flow that must fail, and returns its error and the state that a page would save. */
    async delegateAndCatch(changes?: Partial<SolanaDelegationOptions>) {
      const error: unknown = await delegateSolana(options(changes)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const state = delegationStateOf(error);
      return { error, state: state && afterReload(state) };
    },
    /** Returns who may spend now and how much, in base units. */
    async currentDelegation() {
      const found = await readDelegation({
        node: vm.connection,
        owner: address,
        mint: mint.address,
        programAddress: mint.programAddress,
      });
      return found && { delegate: found.delegate, amount: found.delegatedAmount };
    },
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

/** Returns the mint as options of the instruction builders. */
export function mintOptions({ address, programAddress, decimals }: LocalMint) {
  return { mint: address, programAddress, decimals };
}

/** Returns a random address whose key is not kept. */
export function someAddress(): string {
  return Keypair.generate().publicKey.toBase58();
}

function recordingWallet(
  keypair: Keypair,
  prompts: ('message' | 'transaction')[],
): SolanaWallet & { signTransaction(transaction: Uint8Array): Promise<Uint8Array> } {
  const { address, signMessage, signTransaction } = walletFromKeypair(keypair);
  return {
    address,
    signMessage(message) {
      prompts.push('message');
      return signMessage(message);
    },
    async signTransaction(transaction) {
      prompts.push('transaction');
      if (signTransaction === undefined) throw new Error('a local key signs transactions');
      return signTransaction(transaction);
    },
  };
}
