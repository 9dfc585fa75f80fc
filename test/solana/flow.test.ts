import { describe, expect, it } from 'vitest';
import { DELEGATION_STEPS, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../src/solana/index.js';
import { setScene } from './support/scene.js';

describe.each([
  ['SPL-Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
])('a whole delegation of a mint of %s', (_, program) => {
  it('registers the wallet with a limit', async () => {
    const scene = await setScene({}, program);
    const result = await scene.run();
    expect(result).toMatchObject({
      registration: 'accepted',
      address: scene.address,
      network: 'solana',
      currency: 'usdc',
      amount: '100.5',
    });
    expect(await scene.delegation()).toEqual({ delegate: scene.delegate, amount: 100_500_000n });
    expect(scene.registered()).toMatchObject([
      { address: scene.address, network: 'solana', currency: 'usdc', allowance: '100.5' },
    ]);
    expect(scene.asked).toEqual(['message', 'transaction']);
    expect(scene.calls('delegation.submitSolanaApproval')).toBe(1);
  });
});
