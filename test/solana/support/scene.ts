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

export type Scene = Awaited<ReturnType<typeof setScene>>;

/**
 * A user with a wallet that holds USDC of a local VM, a platform that checks proofs on the chain,
 * and a wallet that writes down what it is asked for.
 */
export async function setScene(user: NewUser = {}, programAddress?: string) {
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
  const asked: ('message' | 'transaction')[] = [];
  const progress: DelegationProgress[] = [];
  const wallet = recordingWallet(keypair, asked);
  const options = (changes: Partial<SolanaDelegationOptions> = {}): SolanaDelegationOptions => ({
    client,
    wallet,
    delegate,
    connection: vm.connection,
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
    asked,
    progress,
    wallet,
    options,
    /** Runs the flow. */
    run: (changes?: Partial<SolanaDelegationOptions>): Promise<DelegationResult> =>
      delegateSolana(options(changes)),
    /** Runs a flow that has to fail, and gives its error and what would be saved of it. */
    async failing(changes?: Partial<SolanaDelegationOptions>) {
      const error: unknown = await delegateSolana(options(changes)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const state = delegationStateOf(error);
      return { error, state: state && saved(state) };
    },
    /** Who may spend now, and how much, in base units. */
    async delegation() {
      const found = await readDelegation({
        connection: vm.connection,
        owner: address,
        mint: mint.address,
        programAddress: mint.programAddress,
      });
      return found && { delegate: found.delegate, amount: found.delegatedAmount };
    },
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

/** The mint as the builders take it. */
export function ofMint({ address, programAddress, decimals }: LocalMint) {
  return { mint: address, programAddress, decimals };
}

/** An address that nobody has the key of. */
export function someAddress(): string {
  return Keypair.generate().publicKey.toBase58();
}

function recordingWallet(
  keypair: Keypair,
  asked: ('message' | 'transaction')[],
): SolanaWallet & { signTransaction(transaction: Uint8Array): Promise<Uint8Array> } {
  const { address, signMessage, signTransaction } = walletFromKeypair(keypair);
  return {
    address,
    signMessage(message) {
      asked.push('message');
      return signMessage(message);
    },
    async signTransaction(transaction) {
      asked.push('transaction');
      if (signTransaction === undefined) throw new Error('a local key signs transactions');
      return signTransaction(transaction);
    },
  };
}
