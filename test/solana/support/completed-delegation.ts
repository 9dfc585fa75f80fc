import {
  type DelegationState,
  delegateSolana,
  type SolanaConnection,
} from '../../../src/solana/index.js';
import type { CompletedDelegation } from '../../delegation/support/saved-state-tests.js';
import { afterReload, setUpScene } from './scene.js';

/** Completes a delegation and returns it with every state that it saved. */
export async function completeDelegation(): Promise<CompletedDelegation> {
  const scene = await setUpScene();
  const { vm } = scene;
  const states = new Map<string, DelegationState>();
  let before = scene.mock.snapshot();
  const result = await scene.runDelegation({
    onProgress: ({ step, status, state }) => {
      states.set(JSON.stringify(state), afterReload(state));
      if (step === 'proof-submitted' && status === 'started') before = scene.mock.snapshot();
    },
  });
  const after = scene.mock.snapshot();
  const nodeReads = { count: 0 };
  const counted = new Proxy(vm.connection, {
    get(connection, name: keyof SolanaConnection) {
      nodeReads.count++;
      return connection[name];
    },
  });
  return {
    result,
    states: [...states.values()],
    environment: {
      mock: scene.mock,
      walletPrompts: scene.prompts,
      nodeReads,
      user: scene.owner.id,
      isApproval: (transactionId) => vm.getExecuted(transactionId) !== undefined,
    },
    resetPlatform: (isRegistered) => scene.mock.restore(isRegistered ? after : before),
    resume: (state) =>
      delegateSolana(
        scene.options({
          node: counted,
          confirmationTimeout: 4_000,
          resume: state as DelegationState,
        }),
      ),
  };
}
