import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDomain } from '../../src/delegation/domain.js';
import {
  DELEGATION_STEPS,
  type DelegationProgress,
  parseSiweMessage,
} from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { approve, mint, spend } from './support/chain-actions.js';
import { setUpScene } from './support/scene.js';

let linea: LocalChain;
let ethereum: LocalChain;

beforeAll(async () => {
  [linea, ethereum] = await Promise.all([startLocalChain(59144), startLocalChain(1)]);
});

afterAll(async () => {
  await Promise.all([linea.stop(), ethereum.stop()]);
});

describe.each(['linea', 'ethereum'] as const)('a complete delegation on %s', (network) => {
  it.each([
    'usdc',
    'usdt',
  ] as const)('registers the wallet with a limit in %s', async (currency) => {
    const scene = await setUpScene(network === 'linea' ? linea : ethereum);
    const result = await scene.delegate({ currency });
    expect(result).toMatchObject({
      registration: 'accepted',
      address: scene.account.address,
      network,
      currency,
      amount: '100.5',
    });
    expect(await scene.allowance(currency)).toBe(100_500_000n);
    expect(scene.registeredWallets()).toEqual([
      { address: scene.account.address, network, currency, balance: '0', allowance: '100.5' },
    ]);
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(1);
  });
});

it('an EVM delegation works without a runtime option', async () => {
  const scene = await setUpScene(linea);
  const result = await scene.delegate({ runtime: undefined });
  expect(result.registration).toBe('accepted');
});

describe('delegateEvm for a token that must be approved from zero', () => {
  it('resets an existing allowance to zero first', async () => {
    const scene = await setUpScene(ethereum);
    await approve(scene, 7n);
    const result = await scene.delegate({ currency: 'usdt' });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
    expect(await scene.allowance('usdt')).toBe(100_500_000n);
    expect(scene.progress).toContainEqual(
      expect.objectContaining({
        message: 'Confirm in your wallet that the old limit is set to zero first.',
        needsUser: true,
      }),
    );
  });

  it('asks for neither when it already has the requested amount', async () => {
    const scene = await setUpScene(ethereum);
    await approve(scene, 100_500_000n);
    await scene.delegate({ currency: 'usdt' });
    expect(scene.prompts).toEqual(['sign']);
  });

  it('reports how much of the old limit was spent before the reset', async () => {
    const scene = await setUpScene(ethereum);
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
    const messages = scene.progress.map(({ message }) => message);
    expect(messages).toContain('2 of the old limit was spent before it was set to zero.');
  });

  it('fails before its approval when another approval follows the reset', async () => {
    const scene = await setUpScene(ethereum);
    await approve(scene, 7n);
    const { chain, account, wallet } = scene;
    const racing = {
      ...wallet,
      async sendTransaction(call: Parameters<typeof wallet.sendTransaction>[0]) {
        const hash = await wallet.sendTransaction(call);
        await chain.receiptOf(hash as `0x${string}`);
        await approve(scene, 9n);
        return hash;
      },
    };
    const { error, state } = await scene.delegateAndCatch({ currency: 'usdt', wallet: racing });
    expect(error).toMatchObject({ code: 'allowance_raced', outcome: 'not_sent', actual: '9' });
    expect(scene.prompts).toEqual(['sign', 'reset']);
    expect(state?.approval).toBeUndefined();
    expect(await chain.publicClient.getTransactionCount(account)).toBe(3);
  });
});

describe('the progress events of delegateEvm', () => {
  it('report every step in order with a full sentence, and when the user must act', async () => {
    const scene = await setUpScene(linea);
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
    const scene = await setUpScene(linea);
    const result = await scene.delegate({
      onProgress: () => {
        throw new Error('a bug in the page');
      },
    });
    expect(result.registration).toBe('accepted');
  });

  it.each([
    ['confirmed', 'The network fee was paid into your wallet or is on its way.', 200, 'accepted'],
    ['declined', 'The network fee could not be provided, so your wallet pays it.', 207, undefined],
  ] as const)('report a faucet request that is %s', async (faucet, message, status, ending) => {
    const scene = await setUpScene(linea, { faucet });
    const { address } = scene.account;
    await linea.testClient.setBalance({ address, value: 0n });
    const events: DelegationProgress[] = [];
    const onProgress = (event: DelegationProgress) => {
      events.push(event);
      if (event.step !== 'message-signed' || event.status !== 'done') return;
      void linea.testClient.setBalance({ address, value: 10n ** 18n });
    };
    const { error, result } = await scene
      .delegate({ faucet: true, onProgress })
      .then((result) => ({ result, error: undefined }))
      .catch((error: unknown) => ({ error, result: undefined }));
    expect(result?.registration).toBe(ending);
    if (ending === undefined) expect(error).toMatchObject({ code: 'insufficient_funds' });
    expect(scene.mock.requests[0]?.status).toBe(status);
    const faucetEvent = events.find((event) => event.faucet !== undefined);
    expect(faucetEvent).toMatchObject({ status: 'waiting', message });
  });
});

describe('a clock that differs from the clock of the service', () => {
  it.each([
    -3_600_000, -31_000, 31_000, 3_600_000,
  ])('by %d ms does not break an EVM delegation', async (offset) => {
    const scene = await setUpScene(linea);
    const { mock } = scene;
    const result = await scene.delegate({
      runtime: {
        now: () => mock.now + offset,
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

describe('the amount in the proof of an EVM delegation', () => {
  it('is in currency units by default and in base units with wireAmount', async () => {
    const amounts: string[] = [];
    for (const wireAmount of [undefined, 'base-units'] as const) {
      const scene = await setUpScene(linea);
      const { client } = scene;
      await scene.delegate({
        wireAmount,
        amount: '0100.500',
        client: {
          delegation: {
            getToken: (input, options) => client.delegation.getToken(input, options),
            submitEvmApproval: async (proof) => {
              amounts.push(proof.amount);
              return { success: true };
            },
          },
        },
      });
      expect(await scene.allowance()).toBe(100_500_000n);
    }
    expect(amounts).toEqual(['100.5', '100500000']);
  });

  it('is the requested amount when the approval is unlimited, which requires a cap', async () => {
    const scene = await setUpScene(linea);
    const { error } = await scene.delegateAndCatch({ unlimited: true });
    expect(error).toMatchObject({ code: 'request_invalid' });
    const amounts: string[] = [];
    const { client } = scene;
    await scene.delegate({
      unlimited: true,
      amount: '500',
      cap: '500',
      client: {
        delegation: {
          getToken: (input, options) => client.delegation.getToken(input, options),
          submitEvmApproval: async (proof) => {
            amounts.push(proof.amount);
            return { success: true };
          },
        },
      },
    });
    expect(amounts).toEqual(['500']);
    expect(await scene.allowance()).toBe(2n ** 256n - 1n);
  });
});

describe('the message that delegateEvm signs', () => {
  const signMessageOfFlow = async (
    changes: Parameters<Awaited<ReturnType<typeof setUpScene>>['options']>[0],
  ) => {
    const scene = await setUpScene(linea);
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

  it('has the text of deployed clients and is valid for two minutes', async () => {
    const { message, lifetime } = await signMessageOfFlow({});
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
    const { lifetime } = await signMessageOfFlow({ messageLifetime: 3_600_000 });
    expect(lifetime).toBe(600_000);
  });

  it('must have the host of the page as its domain when it runs in a page', () => {
    const page = new URL('https://app.example');
    expect(() => checkDomain('evil.example', page)).toThrow(/domain/);
    expect(() => checkDomain('app.example', page)).not.toThrow();
    expect(() => checkDomain('app.example', undefined)).not.toThrow();
  });
});
