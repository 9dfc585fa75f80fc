import {
  type DelegationState,
  delegateEvm,
  type EvmDelegationOptions,
} from '../../../src/evm/index.js';
import type { LocalChain } from '../../chain/local-chain.js';
import type { CompletedDelegation } from '../../delegation/support/saved-state-tests.js';
import { waitingForTheBlock } from './chain-actions.js';
import { afterReload, setUpScene } from './scene.js';

/** Completes a delegation and returns it with every state that it saved. */
export async function completeDelegation(chain: LocalChain): Promise<CompletedDelegation> {
  const scene = await setUpScene(chain);
  const states = new Map<string, DelegationState>();
  let before = scene.mock.snapshot();
  const result = await scene.delegate({
    onProgress: ({ step, status, state }) => {
      states.set(JSON.stringify(state), afterReload(state));
      if (step === 'proof-submitted' && status === 'started') before = scene.mock.snapshot();
    },
  });
  const after = scene.mock.snapshot();
  const hash = result.transactionId as `0x${string}`;
  const { input, to } = await chain.publicClient.getTransaction({ hash });
  // The flow waits only a moment, which is for damaged states whose transaction never comes.
  const wallet = waitingForTheBlock(chain, scene.wallet);
  const nodeReads = { count: 0 };
  const publicClient: EvmDelegationOptions['node'] = {
    request: (args: never) => {
      nodeReads.count++;
      return chain.publicClient.request(args);
    },
  };
  return {
    result,
    states: [...states.values()],
    environment: {
      mock: scene.mock,
      walletPrompts: scene.prompts,
      nodeReads,
      user: scene.owner.id,
      async isApproval(transactionId) {
        const sent = { hash: transactionId as `0x${string}` };
        const transaction = await chain.publicClient.getTransaction(sent);
        return transaction.input === input && transaction.to === to;
      },
    },
    resetPlatform: (isRegistered) => scene.mock.restore(isRegistered ? after : before),
    resume: (state) =>
      delegateEvm(
        scene.options({
          node: publicClient,
          wallet,
          confirmationTimeout: 50,
          resume: state as DelegationState,
        }),
      ),
  };
}
