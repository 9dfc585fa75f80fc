import { describe, expect, it } from 'vitest';
import { canPay, estimateFee } from '../../../src/solana/flow/fee.js';
import { planDelegation } from '../../../src/solana/flow/plan.js';
import type { SolanaDelegationOptions } from '../../../src/solana/index.js';
import { setUpScene } from './scene.js';

describe('the fee of the approval', () => {
  const feeOf = async (options: Partial<SolanaDelegationOptions>) =>
    estimateFee(await planDelegation(setUpScene().options(options), undefined));

  // 5,000 lamports for the signature, and the price of the units in micro-lamports, rounded up.
  it.each<[bigint, Partial<SolanaDelegationOptions>]>([
    [5_000n, {}],
    [5_000n, { computeUnitLimit: 1_400_000 }],
    [5_000n, { computeUnitPrice: 0 }],
    [5_001n, { computeUnitLimit: 1, computeUnitPrice: 1 }],
    [5_001n, { computeUnitLimit: 1_000_000, computeUnitPrice: 1 }],
    [5_002n, { computeUnitLimit: 1_000_001, computeUnitPrice: 1 }],
    [6_000n, { computeUnitLimit: 20_000, computeUnitPrice: 50_000 }],
    // Without a limit, 200,000 units for the approval and 3,000 for the instruction with the price.
    [208_000n, { computeUnitPrice: 1_000_000n }],
  ])('is %s lamports with %o', async (lamports, options) => {
    expect(await feeOf(options)).toBe(lamports);
  });

  it.each([
    [4_999n, false],
    [5_000n, true],
    [5_001n, false],
    [895_879n, false],
    [895_880n, true],
    [0n, false],
  ])('can be paid from %s lamports: %s', (lamports, isEnough) => {
    expect(canPay(lamports, 5_000n)).toBe(isEnough);
  });
});

describe('a faucet that has promised the fee', () => {
  const setUp = () => {
    const scene = setUpScene();
    const getToken = async (input: { faucet?: boolean | undefined } = {}) => ({
      ...(await scene.getToken()),
      ...(input.faucet ? { faucet: { success: true, status: 'pending' } } : {}),
    });
    const client = { ...scene.client, delegation: { ...scene.client.delegation, getToken } };
    return { ...scene, client };
  };

  it('is waited for until the wallet can pay the fee and keep its rent', async () => {
    const scene = setUp();
    scene.cluster.lamports = 895_879;
    scene.after(7_000, () => {
      scene.cluster.lamports = 895_880;
    });
    await scene.run({ client: scene.client, faucet: true });
    expect(scene.clock.waits).toEqual([1_000, 2_000, 4_000]);
    expect(scene.proofs).toHaveLength(1);
  });

  it('is not waited for if the wallet can pay', async () => {
    const scene = setUp();
    scene.cluster.lamports = 5_000;
    await scene.run({ client: scene.client, faucet: true });
    expect(scene.clock.waits).toEqual([]);
  });

  it('is not waited for if the connection does not report the balance', async () => {
    const scene = setUp();
    const read = scene.cluster.connection.getMultipleAccountsInfo;
    scene.cluster.connection.getMultipleAccountsInfo = async (...args) =>
      (await read(...args)).map((info) => info && { ...info, lamports: undefined });
    await scene.run({ client: scene.client, faucet: true });
    expect(scene.clock.waits).toEqual([]);
  });

  it('is waited for if the wallet has no account yet, and then asked anyway', async () => {
    const scene = setUp();
    scene.cluster.lamports = 0;
    const read = scene.cluster.connection.getMultipleAccountsInfo;
    scene.cluster.connection.getMultipleAccountsInfo = async (addresses, commitment) => {
      const found = await read(addresses, commitment);
      return addresses.length === 1 && addresses[0]?.toBase58() === scene.wallet.address
        ? [null]
        : found;
    };
    await scene.run({ client: scene.client, faucet: true, faucetTimeout: 4_000 });
    expect(scene.clock.waits).toEqual([1_000, 2_000, 1_000]);
    expect(scene.proofs).toHaveLength(1);
  });
});
