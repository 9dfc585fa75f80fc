import { privateKeyToAccount } from 'viem/accounts';
import {
  type DelegationResult,
  delegateEvm,
  type EvmCall,
  type EvmDelegationClient,
  type EvmDelegationOptions,
  type EvmWallet,
} from '../../../src/evm/index.js';
import { failureOf, openWorld } from '../../delegation/scripted-world.js';
import { CHAIN_ID, ScriptedChain, SPENDER } from './chain.js';

const ACCOUNT = privateKeyToAccount(`0x${'11'.repeat(32)}`);
/** The account that delegates. */
export const OWNER = ACCOUNT.address;
/** 100.5 USDC in base units. */
export const UNITS = 100_500_000n;

const SIGNATURES = new Map<string, Promise<string>>();

function sign(message: string): Promise<string> {
  const known = SIGNATURES.get(message);
  if (known !== undefined) return known;
  const signature = ACCOUNT.signMessage({ message });
  SIGNATURES.set(message, signature);
  return signature;
}

export type Scene = ReturnType<typeof setUpScene>;

/** A wallet, a service and a chain that do only what the test says, and a clock that it moves. */
export function setUpScene() {
  const chain = new ScriptedChain();
  const world = openWorld();
  const { progress, prompts, proofs, runtime } = world;
  const service = {
    registered: undefined as unknown,
    submit: undefined as undefined | (() => Promise<{ success?: boolean }>),
  };
  const client = {
    delegation: {
      getToken: world.getToken,
      async submitEvmApproval(proof: object) {
        proofs.push(proof as Record<string, unknown>);
        return service.submit === undefined ? { success: true } : service.submit();
      },
    },
    wallets: { external: { list: async () => service.registered ?? [] } },
  } satisfies EvmDelegationClient;
  const walletDoes = {
    chainId: CHAIN_ID,
    /** Whether a sent transaction is in a block at once. */
    mines: true,
    /** What the wallet sends in place of the call. */
    changes: (call: EvmCall): Partial<Parameters<ScriptedChain['submit']>[0]> => ({
      input: call.data,
      to: call.to,
    }),
  };
  const wallet: EvmWallet = {
    address: OWNER,
    getChainId: async () => walletDoes.chainId,
    signMessage(message) {
      prompts.push('sign');
      return sign(message);
    },
    async sendTransaction(call) {
      prompts.push(/0{64}$/.test(call.data) ? 'reset' : 'send');
      const { hash } = chain.submit({ from: OWNER, ...walletDoes.changes(call) });
      if (walletDoes.mines) chain.mine();
      return hash;
    },
  };
  const options = (changes: Partial<EvmDelegationOptions> = {}): EvmDelegationOptions => ({
    client,
    wallet,
    node: chain,
    network: 'linea',
    currency: 'usdc',
    amount: '100.5',
    spender: SPENDER,
    domain: 'app.example',
    onProgress: (event) => progress.push(event),
    runtime,
    ...changes,
  });
  return {
    ...world,
    chain,
    service,
    client,
    wallet,
    walletDoes,
    options,
    run: (changes?: Partial<EvmDelegationOptions>): Promise<DelegationResult> =>
      delegateEvm(options(changes)),
    /** Runs a flow that must fail, and returns its error and the state that a page would save. */
    fail: (changes?: Partial<EvmDelegationOptions>) => failureOf(delegateEvm(options(changes))),
    messages: () => progress.map(({ message }) => message),
  };
}
