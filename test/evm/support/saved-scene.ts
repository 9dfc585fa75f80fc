import {
  type DelegationState,
  delegateEvm,
  type EvmDelegationOptions,
} from '../../../src/evm/index.js';
import type { LocalChain } from '../../chain/local-chain.js';
import type { DelegatedOnce } from '../../delegation/support/saved-state-tests.js';
import { saved, setScene } from './scene.js';

/** A delegation that was done once, with every state that it saved. */
export async function delegatedOnce(chain: LocalChain): Promise<DelegatedOnce> {
  const scene = await setScene(chain);
  const states = new Map<string, DelegationState>();
  let before = scene.mock.snapshot();
  const result = await scene.delegate({
    onProgress: ({ step, status, state }) => {
      states.set(JSON.stringify(state), saved(state));
      if (step === 'proof-submitted' && status === 'started') before = scene.mock.snapshot();
    },
  });
  const after = scene.mock.snapshot();
  const hash = result.transactionId as `0x${string}`;
  const { input, to } = await chain.publicClient.getTransaction({ hash });
  const used = { node: 0 };
  const publicClient: EvmDelegationOptions['publicClient'] = {
    request: (args: never) => {
      used.node++;
      return chain.publicClient.request(args);
    },
  };
  return {
    result,
    states: [...states.values()],
    books: {
      mock: scene.mock,
      asked: scene.asked,
      used,
      user: scene.owner.id,
      async isApproval(transactionId) {
        const sent = { hash: transactionId as `0x${string}` };
        const transaction = await chain.publicClient.getTransaction(sent);
        return transaction.input === input && transaction.to === to;
      },
    },
    back: (isRegistered) => scene.mock.restore(isRegistered ? after : before),
    resume: (state) =>
      delegateEvm(
        scene.options({
          publicClient,
          confirmationTimeout: 50,
          resume: state as DelegationState,
        }),
      ),
  };
}
