import { describe, expect, it } from 'vitest';
import {
  buildSolanaApproval,
  DELEGATION_STEPS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/solana/index.js';
import { toKitInstruction } from '../../src/solana/kit/index.js';
import { signerOf } from '../chain/local-vm.js';
import { mintOptions, type Scene, setUpScene, someAddress } from './support/scene.js';

/** Approves a delegate as the user, as another page would. */
async function approve(scene: Scene, delegate: string, amount: bigint): Promise<void> {
  const { address: owner, mint, vm, keypair } = scene;
  const approval = buildSolanaApproval({ ...mintOptions(mint), owner, spender: delegate, amount });
  await vm.send(await signerOf(keypair), [toKitInstruction(approval)]);
}

describe.each([
  ['SPL-Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
])('a complete delegation of a mint of the %s program', (_, program) => {
  it('registers the wallet with a limit', async () => {
    const scene = await setUpScene({}, program);
    const result = await scene.runDelegation();
    expect(result).toMatchObject({
      registration: 'accepted',
      address: scene.address,
      network: 'solana',
      currency: 'usdc',
      amount: '100.5',
    });
    expect(await scene.currentDelegation()).toEqual({
      delegate: scene.delegate,
      amount: 100_500_000n,
    });
    expect(scene.registeredWallets()).toMatchObject([
      { address: scene.address, network: 'solana', currency: 'usdc', allowance: '100.5' },
    ]);
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.requestCount('delegation.submitSolanaApproval')).toBe(1);
    expect(scene.vm.sentCount).toBe(1);
  });
});

it('a Solana delegation works without a runtime option', async () => {
  const scene = await setUpScene();
  const result = await scene.runDelegation({ runtime: undefined });
  expect(result.registration).toBe('accepted');
});

describe('a clock that differs from the clock of the service', () => {
  it.each([
    -3_600_000, -31_000, 31_000, 3_600_000,
  ])('by %d ms does not break a Solana delegation', async (offset) => {
    const scene = await setUpScene();
    const { mock } = scene;
    const result = await scene.runDelegation({
      runtime: {
        now: () => mock.now + offset,
        sleep: async (milliseconds) => mock.advance(milliseconds),
      },
    });
    expect(result.registration).toBe('accepted');
    const text = scene.progress.find(({ state }) => state.message)?.state.message?.text ?? '';
    const [, issuedAt = ''] = /^Issued At: (.*)$/m.exec(text) ?? [];
    expect(Math.abs(Date.parse(issuedAt) - mock.now)).toBeLessThan(2_000);
  });
});

describe('an existing delegate of the token account', () => {
  it('is not replaced by default, and the flow fails with delegate_in_use', async () => {
    const scene = await setUpScene();
    const other = someAddress();
    await approve(scene, other, 5n);
    const { error } = await scene.delegateAndCatch();
    expect(error).toMatchObject({
      code: 'delegate_in_use',
      outcome: 'not_sent',
      delegate: other,
      delegatedAmount: '5',
    });
    expect(scene.prompts).toEqual([]);
    expect(await scene.currentDelegation()).toEqual({ delegate: other, amount: 5n });
  });

  it('is replaced with replaceSpender', async () => {
    const scene = await setUpScene();
    await approve(scene, someAddress(), 5n);
    const result = await scene.runDelegation({ replaceSpender: true });
    expect(result.registration).toBe('accepted');
    expect(await scene.currentDelegation()).toEqual({
      delegate: scene.delegate,
      amount: 100_500_000n,
    });
  });

  it('is not replaced when it was approved while the user signed the message', async () => {
    const scene = await setUpScene();
    const { wallet } = scene;
    const slow = {
      ...wallet,
      async signMessage(message: Uint8Array) {
        await approve(scene, someAddress(), 5n);
        return wallet.signMessage(message);
      },
    };
    const { error } = await scene.delegateAndCatch({ wallet: slow });
    expect(error).toMatchObject({ code: 'delegate_in_use' });
    expect(scene.prompts).toEqual(['message']);
  });

  it('may be the platform itself, whose limit is then replaced', async () => {
    const scene = await setUpScene();
    await approve(scene, scene.delegate, 5n);
    await scene.runDelegation();
    expect(await scene.currentDelegation()).toEqual({
      delegate: scene.delegate,
      amount: 100_500_000n,
    });
  });
});

describe('the progress events of delegateSolana', () => {
  it('report every step in order with a full sentence', async () => {
    const scene = await setUpScene();
    await scene.runDelegation();
    const done = scene.progress.filter(({ status }) => status === 'done').map(({ step }) => step);
    expect(done).toEqual(DELEGATION_STEPS);
    for (const { message, position, total } of scene.progress) {
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(position).toBeLessThanOrEqual(total);
    }
  });

  it('contain the transaction signature before the transaction is sent', async () => {
    const scene = await setUpScene();
    const { connection } = scene.vm;
    let before: unknown;
    await scene.runDelegation({
      node: {
        ...connection,
        sendRawTransaction(bytes) {
          before = scene.progress.at(-1)?.state.notes['signature'];
          return connection.sendRawTransaction(bytes);
        },
      },
    });
    expect(before).toMatch(/^\w{87,88}$/);
  });

  it.each([
    ['confirmed', 200, undefined],
    ['declined', 207, 'insufficient_funds'],
  ] as const)('report a faucet request that is %s', async (faucet, status, code) => {
    const scene = await setUpScene({ faucet });
    scene.vm.setLamports(scene.address, 0n);
    let wasReported = false;
    const { error } = await scene.delegateAndCatch({
      faucet: true,
      onProgress(event) {
        if (event.faucet === undefined) return;
        wasReported = true;
        scene.vm.setLamports(scene.address, 1_000_000_000n);
      },
    });
    expect((error as { code?: string } | undefined)?.code).toBe(code);
    expect(scene.mock.requests[0]?.status).toBe(status);
    expect(wasReported).toBe(true);
  });
});

describe('the amount in the proof of a Solana delegation', () => {
  it.each([
    [undefined, '0100.500', '100.5'],
    ['base-units', '100.5', '100500000'],
  ] as const)('with wireAmount %s, for an amount of %s, is %s', async (wireAmount, amount, expected) => {
    const scene = await setUpScene();
    const amounts: string[] = [];
    await scene.runDelegation({
      wireAmount,
      amount,
      client: {
        delegation: {
          getToken: (input, options) => scene.client.delegation.getToken(input, options),
          submitSolanaApproval: async (proof) => {
            amounts.push(proof.amount);
            return { success: true };
          },
        },
      },
    });
    expect(amounts).toEqual([expected]);
    expect(await scene.currentDelegation()).toEqual({
      delegate: scene.delegate,
      amount: 100_500_000n,
    });
  });

  it('is not registered when the approved delegate is not the platform', async () => {
    const scene = await setUpScene();
    const { error } = await scene.delegateAndCatch({ spender: someAddress() });
    expect(error).toMatchObject({ status: 422, outcome: 'rejected' });
    expect(scene.registeredWallets()).toEqual([]);
  });
});
