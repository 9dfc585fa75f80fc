import { describe, expect, it } from 'vitest';
import { createDelegation, delegateEvm, revokeEvmDelegation } from '../../src/evm/index.js';
import { delegateSolana, revokeSolanaDelegation } from '../../src/solana/index.js';
import { memoryStore } from '../../src/stores/index.js';
import { setUpWallet } from '../testing/wallets/support.js';

const FLOWS = {
  delegateEvm,
  revokeEvmDelegation,
  delegateSolana,
  revokeSolanaDelegation,
} as unknown as Record<string, (options: object) => Promise<unknown>>;

describe.each(Object.entries(FLOWS))('%s', (name, flow) => {
  it.each([
    ['wireAmout', 'base-units', 'is not a known option. Did you mean wireAmount?'],
    ['curency', 'usdc', 'is not a known option. Did you mean currency?'],
    ['confirmationTimeoutt', 1, 'is not a known option. Did you mean confirmationTimeout?'],
    ['colour', 'red', 'is not a known option.'],
  ])('refuses %s before the wallet is asked', async (option, value, message) => {
    const { evmOptions, solanaOptions, wallet, mock } = await setUpWallet();
    const { amount, ...options } = name.includes('Evm') ? evmOptions : solanaOptions;
    const given = name.startsWith('revoke') ? options : { ...options, amount };
    await expect(flow({ ...given, [option]: value })).rejects.toMatchObject({
      name: 'RequestValidationError',
      outcome: 'not_sent',
      issues: [{ path: option, message }],
    });
    expect(wallet.prompts).toEqual([]);
    expect(mock.requests).toEqual([]);
  });
});

it('createDelegation refuses one too', async () => {
  const { evmOptions } = await setUpWallet();
  const { amount, ...options } = evmOptions;
  const store = memoryStore();
  const given = { ...options, store, wireAmout: 'base-units' };
  await expect((async () => createDelegation(given).start({ amount }))()).rejects.toMatchObject({
    issues: [{ path: 'wireAmout' }],
  });
});
