// Both delegation flows from the token to the registered wallet. Chains and wallet are those of the
// testing kit, but run outside of the app, as they do on a phone: the kit's Solana needs Web Crypto.
import {
  delegateEvm,
  previewEvmDelegation,
  readEvmSpendingPower,
  revokeEvmDelegation,
} from 'card-platform-sdk/evm';
import {
  delegateSolana,
  previewSolanaDelegation,
  revokeSolanaDelegation,
} from 'card-platform-sdk/solana';
import { expectAborted, expectSame, failureOf } from '../../suite/expect.mjs';
import { asyncStorage } from './stores.mjs';
import { callNetwork, openWallets } from './wallet-app.mjs';

const KEY = 'delegation';
const SPENT_ON = { evm: 0, solana: 1 };

async function expectRegistered(options, network, address) {
  const registered = await callNetwork(options, 'scene', 'registered');
  const found = registered.find((one) => one.address === address && one.network === network);
  expectSame(Number(found?.allowance), 100.5, 'the registered limit');
}

const countTransactions = async (options, chain) =>
  (await callNetwork(options, 'scene', 'transactions'))[SPENT_ON[chain]];

/** Stores each state, and ends the flow as if the system closed the app after the approval. */
function interruptedAfterApproval(store) {
  const controller = new AbortController();
  let saving = Promise.resolve();
  return {
    saved: () => saving,
    signal: controller.signal,
    onProgress: ({ step, status, state }) => {
      saving = saving.then(() => store.setItem(KEY, JSON.stringify(state)));
      if (step === 'approval-sent' && status === 'done') controller.abort();
    },
  };
}

async function delegateAcrossRestart(options, chain, delegate, flow) {
  const store = asyncStorage();
  const before = await countTransactions(options, chain);
  const { saved, ...interruption } = interruptedAfterApproval(store);
  const error = await failureOf(delegate({ ...flow, ...interruption }));
  expectSame([error.name, error.outcome ?? 'none'], ['AbortError', 'none'], String(error));
  await saved();
  const state = JSON.parse(await store.getItem(KEY));
  const result = await delegate({ ...flow, resume: state });
  expectSame(typeof result.transactionId, 'string');
  expectSame((await countTransactions(options, chain)) - before, 1, 'transactions');
}

const abortedSignal = () => {
  const controller = new AbortController();
  const reason = new Error('the user left');
  controller.abort(reason);
  return { signal: controller.signal, reason };
};

/** The functions that check the signal before their input. */
const FLOWS = [
  delegateEvm,
  revokeEvmDelegation,
  previewEvmDelegation,
  readEvmSpendingPower,
  delegateSolana,
  revokeSolanaDelegation,
  previewSolanaDelegation,
];

/** Checks of the delegation flows. */
export const delegations = {
  'delegateSolana registers a wallet': async (options) => {
    const { scene, solana } = await openWallets(options);
    const { transactionId } = await delegateSolana(solana);
    expectSame(transactionId.length > 80, true, 'signature');
    await expectRegistered(options, 'solana', scene.solanaAddress);
  },

  'delegateSolana goes on from a stored state and approves once': async (options) => {
    const { solana } = await openWallets(options);
    await delegateAcrossRestart(options, 'solana', delegateSolana, { ...solana, amount: '90' });
  },

  'delegateEvm registers a wallet': async (options) => {
    const { scene, evm } = await openWallets(options);
    const { transactionId } = await delegateEvm(evm);
    expectSame(transactionId.length, 66, 'hash');
    await expectRegistered(options, 'linea', scene.evmAddress);
  },

  'delegateEvm goes on from a stored state and approves once': async (options) => {
    const { evm } = await openWallets(options);
    await delegateAcrossRestart(options, 'evm', delegateEvm, { ...evm, amount: '90' });
  },

  'every flow rejects with the reason of an aborted signal': async (options) => {
    for (const flow of FLOWS) {
      const { signal, reason } = abortedSignal();
      expectAborted(await failureOf(flow({ signal })), reason, options);
    }
  },
};
