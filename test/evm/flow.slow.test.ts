import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDomain } from '../../src/delegation/domain.js';
import { DELEGATION_STEPS, parseSiweMessage } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { approve, mint, spend } from './support/chain-actions.js';
import { setScene } from './support/scene.js';

let linea: LocalChain;
let ethereum: LocalChain;

beforeAll(async () => {
  [linea, ethereum] = await Promise.all([startLocalChain(59144), startLocalChain(1)]);
});

afterAll(async () => {
  await Promise.all([linea.stop(), ethereum.stop()]);
});

describe.each(['linea', 'ethereum'] as const)('a whole delegation on %s', (network) => {
  it.each([
    'usdc',
    'usdt',
  ] as const)('registers the wallet with a limit in %s', async (currency) => {
    const scene = await setScene(network === 'linea' ? linea : ethereum);
    const result = await scene.delegate({ currency });
    expect(result).toMatchObject({
      registration: 'accepted',
      address: scene.account.address,
      network,
      currency,
      amount: '100.5',
    });
    expect(await scene.allowance(currency)).toBe(100_500_000n);
    expect(scene.registered()).toEqual([
      { address: scene.account.address, network, currency, balance: '0', allowance: '100.5' },
    ]);
    expect(scene.asked).toEqual(['sign', 'send']);
    expect(scene.calls('delegation.submitEvmApproval')).toBe(1);
  });
});

it('needs no clock of its own', async () => {
  const scene = await setScene(linea);
  const result = await scene.delegate({ runtime: undefined });
  expect(result.registration).toBe('accepted');
});

describe('a token that approves only from zero', () => {
  it('is set to zero first when there is an allowance', async () => {
    const scene = await setScene(ethereum);
    await approve(scene, 7n);
    const result = await scene.delegate({ currency: 'usdt' });
    expect(result.registration).toBe('accepted');
    expect(scene.asked).toEqual(['sign', 'reset', 'send']);
    expect(await scene.allowance('usdt')).toBe(100_500_000n);
    expect(scene.progress).toContainEqual(
      expect.objectContaining({
        message: 'Confirm in your wallet that the old limit is set to zero first.',
        needsUser: true,
      }),
    );
  });

  it('is set to zero first even when the allowance is already the same', async () => {
    const scene = await setScene(ethereum);
    await approve(scene, 100_500_000n);
    await scene.delegate({ currency: 'usdt' });
    expect(scene.asked).toEqual(['sign', 'reset', 'send']);
  });

  it('reports what was spent before the reset of the old limit', async () => {
    const scene = await setScene(ethereum);
    await approve(scene, 9_000_000n);
    await mint(scene, 9_000_000n);
    const { wallet } = scene;
    const spending = {
      ...wallet,
      async sendTransaction(call: Parameters<typeof wallet.sendTransaction>[0]) {
        if (await scene.allowance('usdt')) await spend(scene, 2_000_000n);
        return wallet.sendTransaction(call);
      },
    };
    await scene.delegate({ currency: 'usdt', wallet: spending });
    const words = scene.progress.map(({ message }) => message);
    expect(words).toContain('2 of the old limit was spent before it was set to zero.');
  });

  it('does not approve when another approval follows the reset', async () => {
    const scene = await setScene(ethereum);
    await approve(scene, 7n);
    const { chain, account, wallet } = scene;
    const racing = {
      ...wallet,
      async sendTransaction(call: Parameters<typeof wallet.sendTransaction>[0]) {
        const hash = await wallet.sendTransaction(call);
        await chain.publicClient.waitForTransactionReceipt({ hash: hash as `0x${string}` });
        await approve(scene, 9n);
        return hash;
      },
    };
    const { error, state } = await scene.failing({ currency: 'usdt', wallet: racing });
    expect(error).toMatchObject({ code: 'allowance_raced', outcome: 'not_sent', actual: '9' });
    expect(scene.asked).toEqual(['sign', 'reset']);
    expect(state?.approval).toBeUndefined();
    expect(await chain.publicClient.getTransactionCount(account)).toBe(3);
  });
});

describe('progress events', () => {
  it('report every step in order, in sentences, and when the user must act', async () => {
    const scene = await setScene(linea);
    await scene.delegate();
    const done = scene.progress.filter(({ status }) => status === 'done').map(({ step }) => step);
    expect(done).toEqual(DELEGATION_STEPS);
    for (const { message, position, total } of scene.progress) {
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(position).toBeLessThanOrEqual(total);
    }
    const needed = scene.progress.filter(({ needsUser }) => needsUser).map(({ step }) => step);
    expect(new Set(needed)).toEqual(new Set(['message-signed', 'approval-sent']));
  });

  it('do not affect the flow when the listener throws', async () => {
    const scene = await setScene(linea);
    const result = await scene.delegate({
      onProgress: () => {
        throw new Error('a fault of the page');
      },
    });
    expect(result.registration).toBe('accepted');
  });

  it.each([
    ['confirmed', 'The network fee was paid into your wallet or is on its way.', 200],
    ['declined', 'The network fee could not be provided, so your wallet pays it.', 207],
  ] as const)('report it without failing when the faucet %s', async (faucet, words, status) => {
    const scene = await setScene(linea, { faucet });
    const result = await scene.delegate({ faucet: true });
    expect(result.registration).toBe('accepted');
    expect(scene.mock.requests[0]?.status).toBe(status);
    const news = scene.progress.find((event) => event.faucet !== undefined);
    expect(news).toMatchObject({ status: 'waiting', message: words });
  });
});

describe('a clock that differs from the service’s', () => {
  it.each([
    -3_600_000, -31_000, 31_000, 3_600_000,
  ])('by %d ms does not break a delegation', async (wrong) => {
    const scene = await setScene(linea);
    const { mock } = scene;
    const result = await scene.delegate({
      runtime: {
        now: () => mock.now + wrong,
        sleep: (milliseconds) => {
          mock.advance(milliseconds);
          return new Promise((resolve) => setTimeout(resolve, 2));
        },
      },
    });
    expect(result.registration).toBe('accepted');
    const text = scene.progress.find(({ state }) => state.message)?.state.message?.text ?? '';
    const { issuedAt } = parseSiweMessage(text);
    expect(Math.abs(Date.parse(issuedAt) - scene.mock.now)).toBeLessThan(60_000);
  });
});

describe('the amount in the proof', () => {
  it('is in currency units, and in base units on request', async () => {
    const sent: string[] = [];
    for (const wireAmount of [undefined, 'base-units'] as const) {
      const scene = await setScene(linea);
      const { client } = scene;
      await scene.delegate({
        wireAmount,
        amount: '0100.500',
        client: {
          delegation: {
            getToken: (input, options) => client.delegation.getToken(input, options),
            submitEvmApproval: async (proof) => {
              sent.push(proof.amount);
              return { success: true };
            },
          },
        },
      });
      expect(await scene.allowance()).toBe(100_500_000n);
    }
    expect(sent).toEqual(['100.5', '100500000']);
  });

  it('is the capped amount when the approval is unlimited', async () => {
    const scene = await setScene(linea);
    const { error } = await scene.failing({ unlimited: true });
    expect(error).toMatchObject({ code: 'request_invalid' });
    const bodies: string[] = [];
    const { client } = scene;
    await scene.delegate({
      unlimited: true,
      amount: '500',
      cap: '500',
      client: {
        delegation: {
          getToken: (input, options) => client.delegation.getToken(input, options),
          submitEvmApproval: async (proof) => {
            bodies.push(proof.amount);
            return { success: true };
          },
        },
      },
    });
    expect(bodies).toEqual(['500']);
    expect(await scene.allowance()).toBe(2n ** 256n - 1n);
  });
});

describe('the message', () => {
  const signed = async (
    changes: Parameters<Awaited<ReturnType<typeof setScene>>['options']>[0],
  ) => {
    const scene = await setScene(linea);
    const texts: string[] = [];
    const start = scene.mock.now;
    const wallet = {
      ...scene.wallet,
      signMessage(text: string) {
        texts.push(text);
        return scene.wallet.signMessage(text);
      },
    };
    await scene.delegate({ wallet, ...changes });
    const message = parseSiweMessage(texts[0] ?? '');
    const lifetime = Date.parse(message.expirationTime ?? '') - start;
    return { message, lifetime };
  };

  it('has the text of deployed clients, and is valid for two minutes', async () => {
    const { message, lifetime } = await signed({});
    expect(message).toMatchObject({
      domain: 'app.example',
      uri: 'https://app.example',
      statement: 'Prove address ownership',
      version: '1',
      chainId: 59144,
    });
    expect(lifetime).toBe(120_000);
  });

  it('never outlives the token', async () => {
    const { lifetime } = await signed({ messageLifetime: 3_600_000 });
    expect(lifetime).toBe(600_000);
  });

  it('must have the host of the page, in a page', () => {
    expect(() => checkDomain('evil.example', 'app.example')).toThrow(/domain/);
    expect(() => checkDomain('app.example', 'app.example')).not.toThrow();
    expect(() => checkDomain('app.example', undefined)).not.toThrow();
  });
});
