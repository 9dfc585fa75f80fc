import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DelegationState, delegateEvm } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { approve, mint, spend } from './support/chain-actions.js';
import { type Scene, saved, setScene } from './support/scene.js';

let chain: LocalChain;
let linea: LocalChain;

beforeAll(async () => {
  [chain, linea] = await Promise.all([startLocalChain(1), startLocalChain(59144)]);
});

afterAll(async () => {
  await Promise.all([chain.stop(), linea.stop()]);
});

/** Ends a flow at its n-th piece of news, as a reload does, and gives what was saved until then. */
async function endedAt(scene: Scene, n: number): Promise<DelegationState | undefined> {
  const page = new AbortController();
  const reload = new Error('the page was reloaded');
  let latest: DelegationState | undefined;
  let heard = 0;
  const { error } = await scene.failing({
    currency: 'usdt',
    signal: page.signal,
    onProgress: ({ state }) => {
      if (page.signal.aborted) return;
      latest = saved(state);
      if (++heard === n) page.abort(reload);
    },
  });
  if (error !== undefined) expect(error).toBe(reload);
  return latest;
}

async function newsOfOneFlow(): Promise<number> {
  const scene = await setScene(chain);
  await approve(scene, 5n);
  await scene.delegate({ currency: 'usdt' });
  return scene.progress.length;
}

describe('a flow that ended', () => {
  it('resumes from every state, and never approves twice', async () => {
    const total = await newsOfOneFlow();
    expect(total).toBeGreaterThan(15);
    for (let n = 1; n <= total; n++) {
      const scene = await setScene(chain);
      await approve(scene, 5n);
      const resume = await endedAt(scene, n);
      // A wallet may answer after the page is gone.
      await scene.settled();
      const approveAgain = scene.asked.includes('send') ? undefined : true;
      const result = await scene.delegate({ currency: 'usdt', resume, approveAgain });
      expect(result.registration, `after news ${n}`).toMatch(/^(accepted|found-in-wallets)$/);
      expect(
        scene.asked.filter((what) => what === 'send'),
        `after news ${n}`,
      ).toHaveLength(1);
      expect(await scene.allowance('usdt')).toBe(100_500_000n);
      expect(scene.registered()).toHaveLength(1);
    }
  });

  it('checks a saved "done" with the service, without asking the wallet', async () => {
    const scene = await setScene(chain);
    const first = await scene.delegate();
    const before = scene.mock.requests.length;
    const again = await scene.delegate({ resume: saved(first.state) });
    expect(again).toMatchObject({
      registration: 'found-in-wallets',
      transactionId: first.transactionId,
      amount: first.amount,
    });
    expect(scene.asked).toEqual(['sign', 'send']);
    expect(scene.mock.requests.slice(before)).toMatchObject([
      { operation: 'wallets.external.list', status: 200 },
    ]);
    expect(JSON.stringify(first.state)).not.toContain('"token":{');
  });

  it('gets a new token and signature after the token expired, but no new approval', async () => {
    const scene = await setScene(chain);
    const { mock } = scene;
    const { error, state } = await scene.failing({
      onProgress: ({ step, status }) => {
        if (step === 'verified' && status === 'done') mock.advance('10 minutes');
      },
    });
    expect(error).toMatchObject({ code: 'delegation_token_expired', outcome: 'not_sent' });
    expect(scene.asked).toEqual(['sign', 'send']);
    const result = await scene.delegate({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.asked).toEqual(['sign', 'send', 'sign']);
    expect(await scene.transactions()).toBe(1);
  });

  it('does not ask for the approval when the user took too long to sign', async () => {
    const scene = await setScene(chain);
    const { wallet, mock } = scene;
    const slow = {
      ...wallet,
      signMessage(text: string) {
        mock.advance('6 minutes');
        return wallet.signMessage(text);
      },
    };
    const { error, state } = await scene.failing({ wallet: slow });
    expect(error).toMatchObject({ code: 'delegation_token_expired' });
    expect(scene.asked).toEqual(['sign']);
    await scene.delegate({ resume: state });
    expect(scene.asked).toEqual(['sign', 'sign', 'send']);
    expect(scene.calls('delegation.getToken')).toBe(2);
  });

  it('asks to sign again when the message expired, for the same token', async () => {
    const scene = await setScene(chain);
    const declining = { ...scene.wallet, sendTransaction: () => Promise.reject({ code: 4001 }) };
    const { state } = await scene.failing({ wallet: declining });
    scene.mock.advance('2 minutes');
    await scene.delegate({ resume: state });
    expect(scene.asked).toEqual(['sign', 'sign', 'send']);
    expect(scene.calls('delegation.getToken')).toBe(1);
  });

  it('does not submit a saved message that was not signed for this delegation', async () => {
    const scene = await setScene(chain);
    const declining = { ...scene.wallet, sendTransaction: () => Promise.reject({ code: 4001 }) };
    const { state } = await scene.failing({ wallet: declining });
    const message = state?.message ?? { text: '', signature: '' };
    const other = message.text.replace('Prove address', 'Give away');
    for (const changed of [
      { ...message, text: other },
      { text: other, signature: await scene.account.signMessage({ message: `${other}.` }) },
      { ...message, text: other, signature: await scene.account.signMessage({ message: other }) },
    ]) {
      const before = scene.asked.filter((what) => what === 'sign').length;
      const tampered = { ...state, message: changed } as DelegationState;
      await scene.failing({ resume: tampered, wallet: declining });
      expect(scene.asked.filter((what) => what === 'sign')).toHaveLength(before + 1);
    }
  });

  it('never asks the faucet twice', async () => {
    const scene = await setScene(linea);
    const page = new AbortController();
    const { state } = await scene.failing({
      faucet: true,
      signal: page.signal,
      onProgress: ({ step }) => step === 'message-signed' && page.abort(new Error('reload')),
    });
    scene.mock.advance('9 minutes');
    await scene.delegate({ faucet: true, resume: state });
    const asked = scene.mock.requests.filter(({ path }) => path.includes('faucet=true'));
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['amount', { amount: '100.6' }],
    ['spender', { spender: '0x52908400098527886E0F7030069857D2E4169EE7' }],
    ['currency', { currency: 'usdt' }],
  ])('is refused for another delegation: %s differs', async (field, changes) => {
    const scene = await setScene(chain);
    const { state } = await scene.delegate();
    const { error } = await scene.failing({ ...changes, resume: saved(state) });
    expect(error).toMatchObject({ code: 'state_mismatch', outcome: 'not_sent' });
    expect((error as { fields: string[] }).fields).toContain(field);
    expect(scene.asked).toEqual(['sign', 'send']);
  });

  it.each([
    null,
    'text',
    { version: 2 },
    { version: 1, kind: 'evm', request: {}, notes: {} },
  ])('is not read from %j', async (resume) => {
    const scene = await setScene(chain);
    const { error } = await scene.failing({ resume: resume as unknown as DelegationState });
    expect(error).toMatchObject({ code: 'state_mismatch' });
    expect(scene.mock.requests).toHaveLength(0);
  });
});

describe('an approval whose wallet response was lost', () => {
  const lost = (scene: Scene, sends: boolean) => ({
    ...scene.wallet,
    async sendTransaction(call: Parameters<Scene['wallet']['sendTransaction']>[0]) {
      if (sends) await scene.wallet.sendTransaction(call);
      throw new Error('the connection to the wallet broke');
    },
  });

  it('is found on the chain and not sent again', async () => {
    const scene = await setScene(chain);
    const { error, state } = await scene.failing({ wallet: lost(scene, true) });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(state?.approval).toEqual({ status: 'requested' });
    const result = await scene.delegate({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.asked).toEqual(['sign', 'send']);
    expect(await scene.transactions()).toBe(1);
  });

  it('is requested again only with approveAgain', async () => {
    const scene = await setScene(chain);
    const { state } = await scene.failing({ wallet: lost(scene, false) });
    const { error } = await scene.failing({ resume: state });
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.asked).toEqual(['sign']);
    await scene.delegate({ resume: state, approveAgain: true });
    expect(scene.asked).toEqual(['sign', 'send']);
  });
});

describe('a proof whose response was lost', () => {
  it('is found in the list of wallets', async () => {
    const scene = await setScene(chain);
    scene.mock.drop('delegation.submitEvmApproval', 'after-processing');
    const result = await scene.delegate();
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.calls('delegation.submitEvmApproval')).toBe(1);
    expect(scene.asked).toEqual(['sign', 'send']);
  });

  it('is submitted again on resume when it never arrived, without a new approval', async () => {
    const scene = await setScene(chain);
    scene.mock.drop('delegation.submitEvmApproval', 'before-processing');
    const { error, state } = await scene.failing();
    expect(error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
    expect(scene.calls('wallets.external.list')).toBeGreaterThan(0);
    const result = await scene.delegate({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.asked).toEqual(['sign', 'send']);
    expect(await scene.transactions()).toBe(1);
  });

  it('is found on resume before the user is asked to sign again', async () => {
    const scene = await setScene(chain);
    scene.mock.drop('delegation.submitEvmApproval', 'after-processing');
    scene.mock.fail('wallets.external.list', 500, { times: 99 });
    const { error, state } = await scene.failing();
    expect(error).toMatchObject({ code: 'proof_unknown' });
    scene.mock.advance('20 minutes');
    const list = async () => scene.registered();
    const client = { delegation: scene.client.delegation, wallets: { external: { list } } };
    const result = await scene.delegate({ resume: state, client });
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.asked).toEqual(['sign', 'send']);
    expect(scene.calls('delegation.submitEvmApproval')).toBe(1);
  });

  it('is submitted although part of the limit was spent meanwhile', async () => {
    const scene = await setScene(chain);
    await mint(scene, 5n);
    scene.mock.drop('delegation.submitEvmApproval', 'before-processing');
    const { state } = await scene.failing({ currency: 'usdt' });
    await spend(scene, 5n);
    const result = await scene.delegate({ currency: 'usdt', resume: state });
    expect(result.registration).toBe('accepted');
    const words = scene.progress.map(({ message }) => message);
    expect(words).toContain('Part of the limit is already spent.');
  });

  it('is done when the service responds that the wallet is already approved', async () => {
    const scene = await setScene(chain);
    await scene.delegate();
    const result = await scene.delegate();
    expect(result.registration).toBe('already-approved');
  });

  it('fails when the service refuses it', async () => {
    const scene = await setScene(chain);
    scene.mock.fail('delegation.submitEvmApproval', { success: false });
    const { error, state } = await scene.failing();
    expect(error).toMatchObject({ outcome: 'rejected' });
    await scene.delegate({ resume: state });
    expect(await scene.transactions()).toBe(1);
  });

  it('waits until the service sees the confirmation', async () => {
    const scene = await setScene(chain);
    const body = {
      message: 'Validation failed',
      errors: [{ field: 'txHash', message: 'Transaction is not confirmed' }],
    };
    scene.mock.fail('delegation.submitEvmApproval', 422, { body, times: 2 });
    const result = await scene.delegate();
    expect(result.registration).toBe('accepted');
    expect(scene.calls('delegation.submitEvmApproval')).toBe(3);
  });
});

it('asks a wallet once when a button is clicked twice', async () => {
  const scene = await setScene(chain);
  const options = scene.options();

  const [one, other] = await Promise.all([delegateEvm(options), delegateEvm(options)]);
  expect(one).toEqual(other);
  expect(scene.asked).toEqual(['sign', 'send']);
  const different = [delegateEvm(scene.options()), delegateEvm(scene.options({ amount: '7' }))];
  const outcomes = await Promise.allSettled(different);
  expect(outcomes[1]).toMatchObject({ reason: { code: 'delegation_in_progress' } });
});
