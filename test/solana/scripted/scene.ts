import { Keypair } from '@solana/web3.js';
import {
  associatedTokenAccount,
  type DelegationResult,
  delegateSolana,
  type SolanaDelegationClient,
  type SolanaDelegationOptions,
  type SolanaWallet,
} from '../../../src/solana/index.js';
import { walletFromKeypair } from '../../../src/solana/wallets/keypair.js';
import { failureOf, openWorld } from '../../delegation/scripted-world.js';
import { DELEGATE, MINT, ScriptedCluster } from './cluster.js';

/** 100.5 USDC in base units. */
export const UNITS = 100_500_000n;
const KEYPAIR = Keypair.fromSeed(new Uint8Array(32).fill(7));
/** The wallet that delegates. */
export const OWNER = KEYPAIR.publicKey.toBase58();

export type Scene = ReturnType<typeof setUpScene>;

/** A wallet, a service and a cluster that do only what the test says, and a clock that it moves. */
export function setUpScene(programAddress?: string) {
  const cluster = new ScriptedCluster();
  if (programAddress !== undefined) cluster.program = programAddress;
  cluster.account.owner = OWNER;
  cluster.account.address = associatedTokenAccount({ owner: OWNER, mint: MINT, programAddress });
  const world = openWorld();
  const { progress, prompts, proofs, runtime } = world;
  const service = { registered: [] as unknown };
  const client = {
    delegation: {
      getToken: world.getToken,
      async submitSolanaApproval(proof: object) {
        proofs.push(proof as Record<string, unknown>);
        return { success: true };
      },
    },
    wallets: { external: { list: async () => service.registered } },
  } satisfies SolanaDelegationClient;
  const signer = walletFromKeypair(KEYPAIR);
  const sign = (transaction: Uint8Array) => {
    prompts.push('transaction');
    return signer.signTransaction?.(transaction) ?? Promise.reject(new Error('a key signs'));
  };
  const wallet: SolanaWallet = {
    address: OWNER,
    signMessage(message) {
      prompts.push('message');
      return signer.signMessage(message);
    },
    signTransaction: sign,
  };
  /** A wallet that signs and sends in one step, as most phones do. */
  const sendingWallet: SolanaWallet = {
    address: OWNER,
    signMessage: wallet.signMessage,
    sendTransaction: async (transaction) => cluster.execute(await sign(transaction)),
  };
  const options = (changes: Partial<SolanaDelegationOptions> = {}): SolanaDelegationOptions => ({
    client,
    wallet,
    node: cluster.connection,
    currency: 'usdc',
    amount: '100.5',
    spender: DELEGATE,
    domain: 'app.example',
    onProgress: (event) => progress.push(event),
    runtime,
    ...changes,
  });
  return {
    ...world,
    cluster,
    service,
    client,
    wallet,
    sendingWallet,
    options,
    run: (changes?: Partial<SolanaDelegationOptions>): Promise<DelegationResult> =>
      delegateSolana(options(changes)),
    /** Runs a flow that must fail, and returns its error and the state that a page would save. */
    fail: (changes?: Partial<SolanaDelegationOptions>) =>
      failureOf(delegateSolana(options(changes))),
  };
}
