import {
  type DelegationState,
  delegateSolana,
  type SolanaConnection,
} from '../../../src/solana/index.js';
import type { DelegatedOnce } from '../../delegation/support/saved-state-tests.js';
import { saved, setScene } from './scene.js';

/** A delegation that was done once, with every state that it saved. */
export async function delegatedOnce(): Promise<DelegatedOnce> {
  const scene = await setScene();
  const { vm } = scene;
  const states = new Map<string, DelegationState>();
  let before = scene.mock.snapshot();
  const result = await scene.run({
    onProgress: ({ step, status, state }) => {
      states.set(JSON.stringify(state), saved(state));
      if (step === 'proof-submitted' && status === 'started') before = scene.mock.snapshot();
    },
  });
  const after = scene.mock.snapshot();
  const used = { node: 0 };
  const counted = new Proxy(vm.connection, {
    get(connection, name: keyof SolanaConnection) {
      used.node++;
      return connection[name];
    },
  });
  return {
    result,
    states: [...states.values()],
    books: {
      mock: scene.mock,
      asked: scene.asked,
      used,
      user: scene.owner.id,
      isApproval: (transactionId) => vm.getExecuted(transactionId) !== undefined,
    },
    back: (isRegistered) => scene.mock.restore(isRegistered ? after : before),
    resume: (state) =>
      delegateSolana(
        scene.options({
          connection: counted,
          confirmationTimeout: 4_000,
          resume: state as DelegationState,
        }),
      ),
  };
}
