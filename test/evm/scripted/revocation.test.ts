import { describe, expect, it } from 'vitest';
import { CHECK_PROOF } from '../../../src/contract/check-proof.js';
import { type EvmRevocationOptions, revokeEvmDelegation } from '../../../src/evm/index.js';
import { failureOf } from '../../delegation/scripted-world.js';
import { approveData, CHAIN_ID, TOKEN } from './chain.js';
import { setUpScene, UNITS } from './scene.js';

/** The scene with a limit on the chain. */
function setUpDelegated() {
  const scene = setUpScene();
  scene.chain.firstAllowance = UNITS;
  const options = (changes: Partial<EvmRevocationOptions> = {}): EvmRevocationOptions => {
    const { amount: _, ...rest } = scene.options();
    return { ...rest, ...changes };
  };
  return {
    ...scene,
    revoke: (changes?: Partial<EvmRevocationOptions>) => revokeEvmDelegation(options(changes)),
    fail: (changes?: Partial<EvmRevocationOptions>) =>
      failureOf(revokeEvmDelegation(options(changes))),
    delegate: scene.fail,
  };
}

describe('a revocation', () => {
  it('approves zero, once, and proves a limit of zero', async () => {
    const scene = setUpDelegated();
    expect(await scene.revoke()).toMatchObject({ registration: 'accepted', amount: '0' });
    expect(scene.chain.transactions.map(({ input }) => input)).toEqual([approveData(0n)]);
    expect(scene.countOf('sign')).toBe(1);
    expect(scene.proofs).toMatchObject([{ amount: '0' }]);
  });

  it('of a token that resets first needs no reset', async () => {
    const usdc = { address: TOKEN, decimals: 6, approvesOnlyFromZero: true };
    for (const networks of [{}, { linea: { chainId: CHAIN_ID, tokens: { usdc } } }]) {
      const scene = setUpDelegated();
      scene.chain.onlyFromZero = true;
      await scene.revoke({ networks });
      expect(scene.chain.transactions).toHaveLength(1);
    }
  });

  it('with submit: false needs no service and no message', async () => {
    const scene = setUpDelegated();
    expect(await scene.revoke({ submit: false })).toMatchObject({ registration: 'not-submitted' });
    expect(scene.prompts).toEqual(['reset']);
    expect(scene.tokens.issued).toBe(0);
    expect(scene.proofs).toEqual([]);
  });

  it('with submit: false asks no wallet without coins: the faucet comes with a token', async () => {
    const scene = setUpDelegated();
    scene.chain.balance = 0n;
    const { error } = await scene.fail({ submit: false });
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
  });

  it('with submit: false does not ask the client whether it would accept a proof', async () => {
    const scene = setUpDelegated();
    const refuse = async () => {
      throw new Error('no proof of this network can be submitted');
    };
    const delegation = { ...scene.client.delegation, [CHECK_PROOF]: refuse };
    const client = { ...scene.client, delegation };
    expect((await scene.fail({ client })).error).toMatchObject({ message: /this network/ });
    expect(scene.prompts).toEqual([]);
    await scene.revoke({ client, submit: false });
    expect(scene.prompts).toEqual(['reset']);
  });

  it('with submit: false keeps no token and no signature of the one that it continues', async () => {
    const scene = setUpDelegated();
    const wallet = {
      ...scene.wallet,
      sendTransaction: () => Promise.reject(new Error('User rejected the request.')),
    };
    const { state } = await scene.fail({ wallet });
    expect(state).toMatchObject({ token: { token: 'token-1' }, message: {} });
    const { state: last } = await scene.revoke({ resume: state, submit: false });
    expect(last.approval).toMatchObject({ status: 'verified' });
    expect([last.token, last.message]).toEqual([undefined, undefined]);
  });

  it('that the service refuses says that the limit on the chain is gone', async () => {
    const scene = setUpDelegated();
    scene.service.submit = async () => ({ success: false });
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'revocation_not_registered' });
    scene.service.submit = undefined;
    await scene.revoke({ resume: state });
    expect(scene.chain.transactions).toHaveLength(1);
  });

  it('proves nothing while one unit can still be spent', async () => {
    const scene = setUpDelegated();
    scene.chain.script('eth_call', ([call], usual) =>
      (call as { data: string }).data.startsWith('0xdd62ed3e')
        ? `0x${'1'.padStart(64, '0')}`
        : usual(),
    );
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'allowance_raced', outcome: 'executed' });
    expect(scene.proofs).toEqual([]);
  });

  it.each<[string, object]>([
    ['submit', { submit: 'no' }],
    ['spender', { spender: 'x' }],
    ['statement', { statement: 'a\nb' }],
  ])('with an invalid %s is refused before anything happens', async (path, changes) => {
    const scene = setUpDelegated();
    const { error } = await scene.fail(changes);
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path }] });
    expect(scene.chain.calls).toEqual([]);
  });

  it('cannot be resumed as a delegation', async () => {
    const scene = setUpDelegated();
    const wallet = {
      ...scene.wallet,
      sendTransaction: () => Promise.reject(new Error('User rejected the request.')),
    };
    const { state } = await scene.fail({ wallet });
    const { error } = await scene.delegate({ resume: state });
    expect(error).toMatchObject({ code: 'state_mismatch', outcome: 'not_sent' });
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

  it.each([
    ['the fee', undefined, 49_999_999_999_999n, 50_000_000_000_000n],
    // Without an estimate, any coins count.
    ['any coins', 'eth_gasPrice', 0n, 1n],
  ])('is waited for until the wallet has %s', async (_, failing, before, after) => {
    const scene = setUp();
    if (failing !== undefined) {
      scene.chain.script(failing, () => {
        throw new Error('no estimate');
      });
    }
    scene.chain.balance = before;
    scene.after(3_000, () => {
      scene.chain.balance = after;
    });
    await scene.run({ client: scene.client, faucet: true });
    expect(scene.messages()).toContain('Waiting for the network fee to arrive in your wallet.');
    expect(scene.messages()).toContain('The network fee has arrived in your wallet.');
    expect(scene.proofs).toHaveLength(1);
  });

  it('is not waited for if the wallet can pay', async () => {
    const scene = setUp();
    scene.chain.balance = 50_000_000_000_000n;
    await scene.run({ client: scene.client, faucet: true });
    expect(scene.clock.waits).toEqual([]);
  });
});

describe('the limit that the service lists', () => {
  it.each([
    ['100.5', true],
    ['40.5', true],
    ['40.6', false],
  ])('as %s is the one that was asked for, of which 40.5 is left: %s', async (allowance, isSame) => {
    const scene = setUpScene();
    scene.service.submit = () => Promise.reject(new Error('socket hang up'));
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
    scene.service.submit = undefined;
    scene.chain.spent.push({ block: scene.chain.height, units: 60_000_000n });
    scene.service.registered = [
      {
        address: scene.wallet.address.toLowerCase(),
        network: 'linea',
        currency: 'usdc',
        allowance,
      },
    ];
    const result = await scene.run({ resume: state });
    expect(result.registration).toBe(isSame ? 'found-in-wallets' : 'accepted');
    expect(scene.countOf('send')).toBe(1);
  });
});
