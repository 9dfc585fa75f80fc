import { expect, it, vi } from 'vitest';
import { delegateEvm, type EvmDelegationOptions } from '../../src/evm/index.js';

vi.mock('../../src/evm/flow/run-evm-delegation.js', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

it('delegateEvm reports that nothing was sent when the page cannot load its code', async () => {
  const error: unknown = await delegateEvm({} as EvmDelegationOptions).catch((reason) => reason);
  expect(error).toMatchObject({ code: 'flow_not_loaded', outcome: 'not_sent' });
});
