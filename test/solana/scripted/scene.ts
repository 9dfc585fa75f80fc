import { Keypair } from '@solana/web3.js';
import {
  associatedTokenAccount,
  type DelegationProgress,
  type DelegationResult,
  type DelegationState,
  delegateSolana,
  delegationStateOf,
  type SolanaDelegationClient,
  type SolanaDelegationOptions,
  type SolanaWallet,
} from '../../../src/solana/index.js';
import { walletFromKeypair } from '../../../src/solana/wallets/keypair.js';
import { DELEGATE, MINT, ScriptedCluster } from './cluster.js';

/** 100.5 USDC in base units. */
export const UNITS = 100_500_000n;
export const STARTS_AT = Date.UTC(2026, 0, 1, 12);
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
  const clock = { now: STARTS_AT, waits: [] as number[] };
  const due: { at: number; work: () => void }[] = [];
  const prompts: string[] = [];
  const progress: DelegationProgress[] = [];
  const proofs: Record<string, unknown>[] = [];
  const service = { tokens: 0, registered: [] as unknown };
  const client = {
    delegation: {
      async getToken() {
        service.tokens++;
        return { token: `token-${service.tokens}`, nonce: `nonce0000${service.tokens}` };
      },
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
  const runtime = {
    now: () => clock.now,
    async sleep(milliseconds: number, signal?: AbortSignal) {
      if (signal?.aborted) return;
      clock.waits.push(milliseconds);
      clock.now += milliseconds;
      for (const one of [...due]) {
        if (one.at > clock.now) continue;
        due.splice(due.indexOf(one), 1);
        one.work();
      }
    },
  };
  const options = (changes: Partial<SolanaDelegationOptions> = {}): SolanaDelegationOptions => ({
    client,
    wallet,
    connection: cluster.connection,
    currency: 'usdc',
    amount: '100.5',
    delegate: DELEGATE,
    domain: 'app.example',
    onProgress: (event) => progress.push(event),
    runtime,
    ...changes,
  });
  return {
    cluster,
    clock,
    prompts,
    progress,
    proofs,
    service,
    client,
    wallet,
    sendingWallet,
    runtime,
    options,
    /** Does something once this much time has passed. */
    after: (milliseconds: number, work: () => void) =>
      due.push({ at: clock.now + milliseconds, work }),
    run: (changes?: Partial<SolanaDelegationOptions>): Promise<DelegationResult> =>
      delegateSolana(options(changes)),
    /** Runs a flow that must fail, and returns its error and the state that a page would save. */
    async fail(changes?: Partial<SolanaDelegationOptions>) {
      const error: unknown = await delegateSolana(options(changes)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      return { error, state: afterReload(delegationStateOf(error)) };
    },
    countOf: (prompt: string) => prompts.filter((one) => one === prompt).length,
  };
}

/** A state as a page reads it from storage. */
export function afterReload(state: DelegationState | undefined): DelegationState | undefined {
  return state && (JSON.parse(JSON.stringify(state)) as DelegationState);
}
