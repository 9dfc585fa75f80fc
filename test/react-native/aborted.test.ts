import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as evm from '../../src/evm/index.js';
import * as solana from '../../src/solana/index.js';
import { rejection } from '../support/clients.js';
import { Controller, enterReactNative, signalOf } from './support.js';

beforeEach(enterReactNative);
afterEach(() => vi.unstubAllGlobals());

type Flow = (options: { signal: AbortSignal }) => Promise<unknown>;

/** The functions of both chains that look at the signal before their input. */
const FLOWS = {
  delegateEvm: evm.delegateEvm,
  revokeEvmDelegation: evm.revokeEvmDelegation,
  previewEvmDelegation: evm.previewEvmDelegation,
  readEvmSpendingPower: evm.readEvmSpendingPower,
  delegateSolana: solana.delegateSolana,
  revokeSolanaDelegation: solana.revokeSolanaDelegation,
  previewSolanaDelegation: solana.previewSolanaDelegation,
};

it.each(
  Object.entries(FLOWS),
)('%s rejects with an AbortError for an aborted signal of React Native before 0.88', async (_, flow) => {
  const controller = new Controller();
  controller.abort();
  const error = await rejection((flow as unknown as Flow)({ signal: signalOf(controller) }));
  expect(error).toMatchObject({ name: 'AbortError' });
});
