import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DelegationState, delegateEvm } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { resealed } from '../delegation/support/mutations.js';
import { approve, losingItsResponse, mint, spend } from './support/chain-actions.js';
import { afterReload, type Scene, setUpScene } from './support/scene.js';

let chain: LocalChain;
let linea: LocalChain;

beforeAll(async () => {
  [chain, linea] = await Promise.all([startLocalChain(1), startLocalChain(59144)]);
});

afterAll(async () => {
  await Promise.all([chain.stop(), linea.stop()]);
});

/** Aborts a flow at its n-th progress event, as a reload does, and returns the last saved state. */
async function stateAtEvent(scene: Scene, n: number): Promise<DelegationState | undefined> {
  const page = new AbortController();
  const reload = new Error('the page was reloaded');
  let latest: DelegationState | undefined;
  let eventCount = 0;
  const { error } = await scene.delegateAndCatch({
    currency: 'usdt',
    signal: page.signal,
    onProgress: ({ state }) => {
      if (page.signal.aborted) return;
      latest = afterReload(state);
      if (++eventCount === n) page.abort(reload);
    },
  });
  if (error !== undefined) expect(error).toBe(reload);
  return latest;
}

async function countEventsOfOneFlow(): Promise<number> {
  const scene = await setUpScene(chain);
  await approve(scene, 5n);
  await scene.delegate({ currency: 'usdt' });
  return scene.progress.length;
}

describe('a resumed EVM delegation', () => {
  it('completes from the state of every progress event with one approval in total', async () => {
    const total = await countEventsOfOneFlow();
    expect(total).toBeGreaterThan(15);
    for (let n = 1; n <= total; n++) {
      const scene = await setUpScene(chain);
      await approve(scene, 5n);
      const resume = await stateAtEvent(scene, n);
      // A wallet may respond after the page is closed.
      await scene.walletSettled();
      const approveAgain = scene.prompts.includes('send') ? undefined : true;
      const result = await scene.delegate({ currency: 'usdt', resume, approveAgain });
      expect(result.registration, `after event ${n}`).toMatch(/^(accepted|found-in-wallets)$/);
      expect(
        scene.prompts.filter((what) => what === 'send'),
        `after event ${n}`,
      ).toHaveLength(1);
      expect(await scene.allowance('usdt')).toBe(100_500_000n);
      expect(scene.registeredWallets()).toHaveLength(1);
    }
  });

  it('checks a completed state with the service and does not prompt the wallet', async () => {
    const scene = await setUpScene(chain);
    const completed = await scene.delegate();
    const before = scene.mock.requests.length;
    const again = await scene.delegate({ resume: afterReload(completed.state) });
    expect(again).toMatchObject({
      registration: 'found-in-wallets',
      transactionId: completed.transactionId,
      amount: completed.amount,
    });
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(scene.mock.requests.slice(before)).toMatchObject([
      { operation: 'wallets.external.list', status: 200 },
    ]);
    expect(JSON.stringify(completed.state)).not.toContain('"token":{');
  });

  it('requests a new token and signature after the token expired, but no new approval', async () => {
    const scene = await setUpScene(chain);
    const { mock } = scene;
    const { error, state } = await scene.delegateAndCatch({
      onProgress: ({ step, status }) => {
        if (step === 'verified' && status === 'done') mock.advance('10 minutes');
      },
    });
    expect(error).toMatchObject({ code: 'delegation_token_expired', outcome: 'not_sent' });
    expect(scene.prompts).toEqual(['sign', 'send']);
    const result = await scene.delegate({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'send', 'sign']);
    expect(await scene.transactionCount()).toBe(1);
  });

  it('requests the approval only on resume when the token expired while the user signed', async () => {
    const scene = await setUpScene(chain);
    const { wallet, mock } = scene;
    const slow = {
      ...wallet,
      signMessage(text: string) {
        mock.advance('6 minutes');
        return wallet.signMessage(text);
      },
    };
    const { error, state } = await scene.delegateAndCatch({ wallet: slow });
    expect(error).toMatchObject({ code: 'delegation_token_expired' });
    expect(scene.prompts).toEqual(['sign']);
    await scene.delegate({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'sign', 'send']);
    expect(scene.requestCount('delegation.getToken')).toBe(2);
  });

  it('requests a new signature for the same token when the message expired', async () => {
    const scene = await setUpScene(chain);
    const declining = { ...scene.wallet, sendTransaction: () => Promise.reject({ code: 4001 }) };
    const { state } = await scene.delegateAndCatch({ wallet: declining });
    scene.mock.advance('2 minutes');
    await scene.delegate({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'sign', 'send']);
    expect(scene.requestCount('delegation.getToken')).toBe(1);
  });

  it('requests a new signature when the saved message is not of this delegation', async () => {
    const scene = await setUpScene(chain);
    const declining = { ...scene.wallet, sendTransaction: () => Promise.reject({ code: 4001 }) };
    const { state } = await scene.delegateAndCatch({ wallet: declining });
    const message = state?.message ?? { text: '', signature: '' };
    const other = message.text.replace('Prove address', 'Give away');
    for (const changed of [
      { ...message, text: other },
      { text: other, signature: await scene.account.signMessage({ message: `${other}.` }) },
      { ...message, text: other, signature: await scene.account.signMessage({ message: other }) },
    ]) {
      const before = scene.prompts.filter((what) => what === 'sign').length;
      const tampered = resealed({ ...state, message: changed });
      await scene.delegateAndCatch({ resume: tampered, wallet: declining });
      expect(scene.prompts.filter((what) => what === 'sign')).toHaveLength(before + 1);
    }
  });

  it('never requests the faucet twice', async () => {
    const scene = await setUpScene(linea);
    const { address } = scene.account;
    await linea.testClient.setBalance({ address, value: 0n });
    const page = new AbortController();
    const { state } = await scene.delegateAndCatch({
      faucet: true,
      signal: page.signal,
      onProgress: ({ step }) => step === 'message-signed' && page.abort(new Error('reload')),
    });
    await linea.testClient.setBalance({ address, value: 10n ** 18n });
    scene.mock.advance('9 minutes');
    await scene.delegate({ faucet: true, resume: state });
    const faucetRequests = scene.mock.requests.filter(({ path }) => path.includes('faucet=true'));
    expect(faucetRequests).toHaveLength(1);
  });

  it.each([
    ['amount', { amount: '100.6' }],
    ['spender', { spender: '0x52908400098527886E0F7030069857D2E4169EE7' }],
    ['currency', { currency: 'usdt' }],
  ])('is refused when the %s differs from that of the saved state', async (field, changes) => {
    const scene = await setUpScene(chain);
    const { state } = await scene.delegate();
    const { error } = await scene.delegateAndCatch({ ...changes, resume: afterReload(state) });
    expect(error).toMatchObject({ code: 'state_mismatch', outcome: 'not_sent' });
    expect((error as { fields: string[] }).fields).toContain(field);
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it.each([
    null,
    'text',
    { version: 2 },
    { version: 1, kind: 'evm', request: {}, notes: {} },
  ])('is refused when the saved state is %j', async (resume) => {
    const scene = await setUpScene(chain);
    const { error } = await scene.delegateAndCatch({
      resume: resume as unknown as DelegationState,
    });
    expect(error).toMatchObject({ code: 'state_mismatch' });
    expect(scene.mock.requests).toHaveLength(0);
  });
});

describe('an EVM approval whose wallet response was lost', () => {
  it('is found on the chain and not sent again', async () => {
    const scene = await setUpScene(chain);
    const { error, state } = await scene.delegateAndCatch({
      wallet: losingItsResponse(chain, scene.wallet),
    });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(state?.approval).toEqual({ status: 'requested' });
    const result = await scene.delegate({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(await scene.transactionCount()).toBe(1);
  });

  it('is requested again only with approveAgain', async () => {
    const scene = await setUpScene(chain);
    const wallet = {
      ...scene.wallet,
      sendTransaction: () => Promise.reject(new Error('the connection to the wallet broke')),
    };
    const { state } = await scene.delegateAndCatch({ wallet });
    const { error } = await scene.delegateAndCatch({ resume: state });
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.prompts).toEqual(['sign']);
    await scene.delegate({ resume: state, approveAgain: true });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });
});

describe('an EVM delegation that submits its proof', () => {
  it('succeeds when the response was lost and the list of wallets has the wallet', async () => {
    const scene = await setUpScene(chain);
    scene.mock.drop('delegation.submitEvmApproval', 'after-processing');
    const result = await scene.delegate();
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(1);
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('submits the proof again on resume when it never arrived, without a new approval', async () => {
    const scene = await setUpScene(chain);
    scene.mock.drop('delegation.submitEvmApproval', 'before-processing');
    const { error, state } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
    expect(scene.requestCount('wallets.external.list')).toBeGreaterThan(0);
    const result = await scene.delegate({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(await scene.transactionCount()).toBe(1);
  });

  it('checks the list of wallets on resume before it prompts the user to sign again', async () => {
    const scene = await setUpScene(chain);
    scene.mock.drop('delegation.submitEvmApproval', 'after-processing');
    scene.mock.fail('wallets.external.list', 500, { times: 99 });
    const { error, state } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ code: 'proof_unknown' });
    scene.mock.advance('20 minutes');
    const list = async () => scene.registeredWallets();
    const client = { delegation: scene.client.delegation, wallets: { external: { list } } };
    const result = await scene.delegate({ resume: state, client });
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(1);
  });

  it('submits the proof on resume even if part of the limit has been spent', async () => {
    const scene = await setUpScene(chain);
    await mint(scene, 5n);
    scene.mock.drop('delegation.submitEvmApproval', 'before-processing');
    const { state } = await scene.delegateAndCatch({ currency: 'usdt' });
    await spend(scene, 5n);
    const result = await scene.delegate({ currency: 'usdt', resume: state });
    expect(result.registration).toBe('accepted');
    const messages = scene.progress.map(({ message }) => message);
    expect(messages).toContain('Part of the limit is already spent.');
  });

  it('succeeds when the service responds that the wallet is already approved', async () => {
    const scene = await setUpScene(chain);
    scene.mock.state.choices.secondApproval = 'refused';
    await scene.delegate();
    const result = await scene.delegate({ approveAgain: true });
    expect(result.registration).toBe('already-approved');
  });

  it('fails when the service refuses the proof, and can be resumed', async () => {
    const scene = await setUpScene(chain);
    scene.mock.fail('delegation.submitEvmApproval', { success: false });
    const { error, state } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ outcome: 'rejected' });
    await scene.delegate({ resume: state });
    expect(await scene.transactionCount()).toBe(1);
  });

  it('retries the proof until the service sees the confirmation', async () => {
    const scene = await setUpScene(chain);
    const body = {
      message: 'Validation failed',
      errors: [{ field: 'txHash', message: 'Transaction is not confirmed' }],
    };
    scene.mock.fail('delegation.submitEvmApproval', 422, { body, times: 2 });
    const result = await scene.delegate();
    expect(result.registration).toBe('accepted');
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(3);
  });
});

it('two equal EVM delegations at once prompt the wallet once, and a different one is refused', async () => {
  const scene = await setUpScene(chain);
  const options = scene.options();

  const [one, other] = await Promise.all([delegateEvm(options), delegateEvm(options)]);
  expect(one).toEqual(other);
  expect(scene.prompts).toEqual(['sign', 'send']);
  const different = [delegateEvm(scene.options()), delegateEvm(scene.options({ amount: '7' }))];
  const outcomes = await Promise.allSettled(different);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'delegation_in_progress' } });
});
