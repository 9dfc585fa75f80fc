import { describe, expect, it } from 'vitest';
import {
  buildSolanaApproval,
  DELEGATION_STEPS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  toKitInstruction,
} from '../../src/solana/index.js';
import { signerOf } from '../chain/local-vm.js';
import { ofMint, type Scene, setScene, someAddress } from './support/scene.js';

/** The user approves somebody from another page. */
async function approve(scene: Scene, delegate: string, amount: bigint): Promise<void> {
  const { address: owner, mint, vm, keypair } = scene;
  const approval = buildSolanaApproval({ ...ofMint(mint), owner, delegate, amount });
  await vm.send(await signerOf(keypair), [toKitInstruction(approval)]);
}

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
    expect(scene.vm.sentCount).toBe(1);
  });
});

it('needs no clock of its own', async () => {
  const scene = await setScene();
  const result = await scene.run({ runtime: undefined });
  expect(result.registration).toBe('accepted');
});

describe('a clock that differs from the service’s', () => {
  it.each([
    -3_600_000, -31_000, 31_000, 3_600_000,
  ])('by %d ms does not break a delegation', async (wrong) => {
    const scene = await setScene();
    const { mock } = scene;
    const result = await scene.run({
      runtime: {
        now: () => mock.now + wrong,
        sleep: async (milliseconds) => mock.advance(milliseconds),
      },
    });
    expect(result.registration).toBe('accepted');
    const text = scene.progress.find(({ state }) => state.message)?.state.message?.text ?? '';
    const [, issuedAt = ''] = /^Issued At: (.*)$/m.exec(text) ?? [];
    expect(Math.abs(Date.parse(issuedAt) - mock.now)).toBeLessThan(2_000);
  });
});

describe('another delegate of the token account', () => {
  it('is not replaced unless the caller asks for it', async () => {
    const scene = await setScene();
    const other = someAddress();
    await approve(scene, other, 5n);
    const { error } = await scene.failing();
    expect(error).toMatchObject({
      code: 'delegate_in_use',
      outcome: 'not_sent',
      delegate: other,
      delegatedAmount: '5',
    });
    expect(scene.asked).toEqual([]);
    expect(await scene.delegation()).toEqual({ delegate: other, amount: 5n });
  });

  it('is replaced when the caller asks for it', async () => {
    const scene = await setScene();
    await approve(scene, someAddress(), 5n);
    const result = await scene.run({ replaceDelegate: true });
    expect(result.registration).toBe('accepted');
    expect(await scene.delegation()).toEqual({ delegate: scene.delegate, amount: 100_500_000n });
  });

  it('that came while the user read the message is not replaced either', async () => {
    const scene = await setScene();
    const { wallet } = scene;
    const slow = {
      ...wallet,
      async signMessage(message: Uint8Array) {
        await approve(scene, someAddress(), 5n);
        return wallet.signMessage(message);
      },
    };
    const { error } = await scene.failing({ wallet: slow });
    expect(error).toMatchObject({ code: 'delegate_in_use' });
    expect(scene.asked).toEqual(['message']);
  });

  it('is no obstacle when it is the same one', async () => {
    const scene = await setScene();
    await approve(scene, scene.delegate, 5n);
    await scene.run();
    expect(await scene.delegation()).toEqual({ delegate: scene.delegate, amount: 100_500_000n });
  });
});

describe('progress events', () => {
  it('report every step in order, in sentences, and when the user must act', async () => {
    const scene = await setScene();
    await scene.run();
    const done = scene.progress.filter(({ status }) => status === 'done').map(({ step }) => step);
    expect(done).toEqual(DELEGATION_STEPS);
    for (const { message, position, total } of scene.progress) {
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(position).toBeLessThanOrEqual(total);
    }
  });

  it('have the signature before the chain has the transaction', async () => {
    const scene = await setScene();
    const { connection } = scene.vm;
    let before: unknown;
    await scene.run({
      connection: {
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
    ['confirmed', 200],
    ['declined', 207],
  ] as const)('report it without failing when the faucet %s', async (faucet, status) => {
    const scene = await setScene({ faucet });
    const result = await scene.run({ faucet: true });
    expect(result.registration).toBe('accepted');
    expect(scene.mock.requests[0]?.status).toBe(status);
    expect(scene.progress.some((event) => event.faucet !== undefined)).toBe(true);
  });
});

describe('the amount in the proof', () => {
  it.each([
    [undefined, '0100.500', '100.5'],
    ['base-units', '100.5', '100500000'],
  ] as const)('is in %s', async (wireAmount, amount, told) => {
    const scene = await setScene();
    const sent: string[] = [];
    await scene.run({
      wireAmount,
      amount,
      client: {
        delegation: {
          getToken: (input, options) => scene.client.delegation.getToken(input, options),
          submitSolanaApproval: async (proof) => {
            sent.push(proof.amount);
            return { success: true };
          },
        },
      },
    });
    expect(sent).toEqual([told]);
    expect(await scene.delegation()).toEqual({ delegate: scene.delegate, amount: 100_500_000n });
  });

  it('is what the platform checks on the chain', async () => {
    const scene = await setScene();
    const { error } = await scene.failing({ delegate: someAddress() });
    expect(error).toMatchObject({ status: 422, outcome: 'rejected' });
    expect(scene.registered()).toEqual([]);
  });
});
