import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  delegationStateOf,
  type EvmRevocationOptions,
  readAllowance,
  revokeEvmDelegation,
} from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { mint, spend } from './support/chain-actions.js';
import { afterReload, type Scene, SPENDER, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(1);
});

afterAll(() => chain.stop());

const listed = (scene: Scene, allowance: unknown) => {
  const [wallet] = scene.registeredWallets();
  if (wallet) Object.assign(wallet, { allowance });
};

/** A scene whose service keeps the limit of a wallet that it has registered. */
async function setUpRefusingScene(): Promise<Scene> {
  const scene = await setUpScene(chain);
  scene.mock.state.choices.secondApproval = 'refused';
  return scene;
}

describe('raising or lowering a limit', () => {
  it.each([
    ['50', 'usdc', 1],
    ['200', 'usdc', 1],
    ['50', 'usdt', 2],
    ['200', 'usdt', 2],
  ])('to %s %s is a new approval, which replaces the limit of the service', async (amount, currency, sends) => {
    const scene = await setUpScene(chain);
    await scene.delegate({ currency });
    scene.prompts.length = 0;
    const result = await scene.delegate({ currency, amount });
    expect(result).toMatchObject({ registration: 'accepted', amount });
    expect(scene.prompts).toHaveLength(1 + sends);
    expect(scene.registeredWallets().map(({ allowance }) => allowance)).toEqual([amount]);
    expect(await scene.allowance(currency as 'usdc')).toBe(BigInt(amount) * 1_000_000n);
  });

  it.each([
    '50',
    '200',
  ])('to %s is not reported as done when the service keeps the old limit', async (amount) => {
    const scene = await setUpRefusingScene();
    await scene.delegate();
    const { error, state } = await scene.delegateAndCatch({ amount });
    expect(error).toMatchObject({
      code: 'limit_not_updated',
      outcome: 'rejected',
      registeredAmount: '100.5',
    });
    expect(String(error)).toContain('do not revoke');
    // The service has taken the new limit in the meantime.
    listed(scene, amount);
    scene.prompts.length = 0;
    const result = await scene.delegate({ amount, resume: state });
    expect(result).toMatchObject({ registration: 'found-in-wallets', registeredAmount: amount });
    expect(scene.prompts).toEqual([]);
  });

  it.each([
    ['the same text', '100.5'],
    ['a longer text', '100.500000'],
    ['a number', 100.5],
    ['base units', '100500000'],
    ['a number of base units', 100_500_000],
    ['base units in hex', '0x5FD8220'],
  ])('is done when the service lists the limit as %s', async (_, allowance) => {
    const scene = await setUpRefusingScene();
    await scene.delegate({ amount: '3' });
    listed(scene, allowance);
    const result = await scene.delegate();
    expect(result).toMatchObject({
      registration: 'already-approved',
      registeredAmount: String(allowance),
    });
  });

  it('is done when the service counts down what was spent', async () => {
    const scene = await setUpScene(chain);
    await mint(scene, 100_000_000n);
    await scene.delegate({ currency: 'usdt', amount: '3' });
    scene.mock.drop('delegation.submitEvmApproval', 'before-processing');
    listed(scene, '98.5');
    const { state } = await scene.delegateAndCatch({ currency: 'usdt' });
    await spend(scene, 2_000_000n);
    const result = await scene.delegate({ currency: 'usdt', resume: state });
    expect(result).toMatchObject({ registration: 'found-in-wallets', registeredAmount: '98.5' });
  });

  it.each([
    ['no limit', undefined],
    ['null', null],
    ['a word', 'unlimited'],
    ['an empty text', ''],
    ['an exponent', '1e2'],
    ['not a number', Number.NaN],
  ])('is unknown when the service lists %s, unless the caller accepts that', async (_, allowance) => {
    const scene = await setUpRefusingScene();
    await scene.delegate({ amount: '3' });
    listed(scene, allowance);
    const { error, state } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ code: 'limit_not_updated', outcome: 'unknown' });
    expect(error).toHaveProperty('registeredAmount', undefined);
    const result = await scene.delegate({ resume: state, acceptUnknownLimit: true });
    expect(result.registration).toBe('already-approved');
    expect(result).not.toHaveProperty('registeredAmount');
  });

  it('is refused with a known old limit even if the caller accepts an unknown one', async () => {
    const scene = await setUpRefusingScene();
    await scene.delegate({ amount: '3' });
    const { error } = await scene.delegateAndCatch({ acceptUnknownLimit: true });
    expect(error).toMatchObject({ code: 'limit_not_updated', registeredAmount: '3' });
  });
});

/** The options of a revocation, without the amount. */
function revocation(scene: Scene, changes: Partial<EvmRevocationOptions> = {}) {
  const { amount: _, ...options } = scene.options();
  return { ...options, ...changes };
}

describe('revokeEvmDelegation', () => {
  it.each([
    'usdc',
    'usdt',
  ] as const)('sets the limit of %s to zero with one transaction, and submits that', async (currency) => {
    const scene = await setUpScene(chain);
    await scene.delegate({ currency });
    scene.prompts.length = 0;
    const result = await revokeEvmDelegation(revocation(scene, { currency }));
    expect(result).toMatchObject({ registration: 'accepted', amount: '0', currency });
    expect(scene.prompts).toEqual(['sign', 'reset']);
    expect(await scene.allowance(currency)).toBe(0n);
    expect(scene.registeredWallets().map(({ allowance }) => allowance)).toEqual(['0']);
    expect(scene.mock.requests.at(-1)?.body).not.toHaveProperty('isRevocation');
    const messages = scene.progress.map(({ message }) => message);
    expect(messages).toContain('Set the spending limit to zero in your wallet.');
    expect(messages.at(-1)).toBe('The limit of your wallet is zero.');
  });

  it('changes the chain only with submit: false', async () => {
    const scene = await setUpScene(chain);
    await scene.delegate();
    scene.prompts.length = 0;
    const requests = scene.mock.requests.length;
    const result = await revokeEvmDelegation(revocation(scene, { submit: false }));
    expect(result).toMatchObject({ registration: 'not-submitted', amount: '0' });
    expect(result.transactionId).toMatch(/^0x[0-9a-f]{64}$/);
    expect(scene.prompts).toEqual(['reset']);
    expect(scene.mock.requests).toHaveLength(requests);
    const { publicClient, networks } = chain;
    const owner = scene.account.address;
    const asset = { network: 'ethereum', currency: 'usdc', networks };
    expect(await readAllowance({ node: publicClient, owner, spender: SPENDER, ...asset })).toBe(0n);
  });

  it('says that nothing can be spent any more when the service refuses the proof', async () => {
    const scene = await setUpRefusingScene();
    await scene.delegate();
    const error: unknown = await revokeEvmDelegation(revocation(scene)).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'revocation_not_registered', outcome: 'rejected' });
    expect(String(error)).toContain('nothing can be spent any more');
    expect(await scene.allowance()).toBe(0n);
    // A resumed revocation asks the service first: it does not list the wallet any more.
    scene.registeredWallets().length = 0;
    scene.prompts.length = 0;
    const state = delegationStateOf(error);
    const resume = state && afterReload(state);
    const result = await revokeEvmDelegation(revocation(scene, { resume }));
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.prompts).toEqual([]);
  });

  it('continues after a reload without a second transaction', async () => {
    for (const submit of [true, false]) {
      const scene = await setUpScene(chain);
      await scene.delegate();
      const { wallet } = scene;
      const page = new AbortController();
      const leaving = {
        ...wallet,
        async sendTransaction(call: Parameters<typeof wallet.sendTransaction>[0]) {
          const hash = await wallet.sendTransaction(call);
          page.abort(new Error('left'));
          return hash;
        },
      };
      await revokeEvmDelegation(
        revocation(scene, { submit, wallet: leaving, signal: page.signal }),
      ).catch(() => undefined);
      await scene.walletSettled();
      const resume = scene.progress.at(-1)?.state;
      scene.prompts.length = 0;
      const result = await revokeEvmDelegation(
        revocation(scene, { submit, resume: resume && afterReload(resume) }),
      );
      expect(result.registration).toBe(submit ? 'accepted' : 'not-submitted');
      expect(scene.prompts).toEqual([]);
      expect(await scene.allowance()).toBe(0n);
    }
  });

  it.each([
    [{ submit: 'no' as never }, 'submit'],
    [{ network: 'nowhere' }, 'network'],
    [{ spender: 'nobody' }, 'spender'],
  ])('refuses %j before anything happens', async (changes, path) => {
    const scene = await setUpScene(chain);
    const error: unknown = await revokeEvmDelegation(revocation(scene, changes)).catch(
      (e: unknown) => e,
    );
    expect(error).toMatchObject({ code: 'request_invalid', outcome: 'not_sent' });
    expect((error as { issues: { path: string }[] }).issues[0]?.path).toBe(path);
    expect(scene.prompts).toEqual([]);
    expect(scene.mock.requests).toEqual([]);
  });
});

describe('a faucet that is still paying', () => {
  it('is awaited before the wallet is asked to approve', async () => {
    const scene = await setUpScene(chain, { faucet: 'pending' });
    const { address } = scene.account;
    await chain.testClient.setBalance({ address, value: 0n });
    // The faucet pays too little at first. What it has paid stays: the flow also sleeps while it waits for
    // the confirmation, and a wallet that cannot pay loses its transaction.
    const payments = [1n, 10n ** 18n];
    const runtime = {
      now: () => scene.mock.now,
      async sleep(milliseconds: number) {
        scene.mock.advance(milliseconds);
        const value = payments.shift();
        if (value !== undefined) await chain.testClient.setBalance({ address, value });
        else await new Promise((resolve) => setTimeout(resolve, 5));
      },
    };
    const client = faucetEverywhere(scene);
    const result = await scene.delegate({ faucet: true, runtime, client });
    expect(result.registration).toBe('accepted');
    const messages = scene.progress.map(({ message }) => message);
    expect(messages).toContain('Waiting for the network fee to arrive in your wallet.');
    expect(messages).toContain('The network fee has arrived in your wallet.');
  });

  it('never fails the flow on a network that the client does not list for it', async () => {
    const scene = await setUpScene(chain, { faucet: 'pending' });
    const result = await scene.delegate({ faucet: true });
    expect(result.registration).toBe('accepted');
  });
});

/** A client of a service whose faucet pays on every network. */
function faucetEverywhere({ client }: Scene) {
  return {
    delegation: {
      getToken: async (input?: { faucet?: boolean | undefined }) => {
        const issued = await client.delegation.getToken();
        const faucet = { success: true, status: 'pending' };
        return input?.faucet ? { ...issued, faucet, faucetOutcome: 'succeeded' as const } : issued;
      },
      submitEvmApproval: client.delegation.submitEvmApproval.bind(client.delegation),
    },
  };
}
