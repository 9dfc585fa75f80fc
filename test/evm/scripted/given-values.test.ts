import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { setUpScene } from './scene.js';

/** What is printed of the error of a flow whose wallet fails with an error that has these fields. */
async function shownOf(fields: object): Promise<string> {
  const scene = setUpScene();
  scene.wallet.sendTransaction = async () => {
    throw Object.assign(new Error('canary'), fields);
  };
  const { error } = await scene.fail();
  expect(error).toMatchObject({ code: 'wallet_failed' });
  return inspect(error, { depth: 9, showHidden: true });
}

describe('an option that cannot be used', () => {
  it.each([
    ['domain', { domain: 'https://app.example' }],
    ['confirmationTimeout', { confirmationTimeout: 2_147_483_648 }],
    ['pollingInterval', { pollingInterval: 0 }],
  ])('%s is refused before anybody is asked', async (path, options) => {
    const scene = setUpScene();
    const { error } = await scene.fail(options);
    expect(error).toMatchObject({
      name: 'RequestValidationError',
      outcome: 'not_sent',
      issues: expect.arrayContaining([expect.objectContaining({ path })]),
    });
    expect([scene.prompts, scene.chain.calls, scene.tokens.issued]).toEqual([[], [], 0]);
  });

  it('is not the longest time that a timer can wait', async () => {
    const result = await setUpScene().run({ confirmationTimeout: 2_147_483_647 });
    expect(result.registration).toBe('accepted');
  });
});

describe('what a wallet returns', () => {
  it('is one transaction, however its hash is spelled', async () => {
    const scene = setUpScene();
    const { sendTransaction } = scene.wallet;
    let sent = '';
    scene.wallet.sendTransaction = async (call) => {
      sent = await sendTransaction(call);
      return `0x${sent.slice(2).toUpperCase()}`;
    };
    const { transactionId } = await scene.run();
    expect(transactionId).toBe(sent);
    expect(scene.proofs).toMatchObject([{ txHash: sent }]);
  });

  it.each([
    ['UNPREDICTABLE_GAS_LIMIT', true],
    [-32_603, true],
    ['https://node.example/?key=canary', false],
    ['canary', false],
    ['CANARY CANARY', false],
    ['C'.repeat(61), false],
  ])('in an error, the code %j, is shown: %s', async (code, isShown) => {
    const shown = await shownOf({ code });
    expect(shown.includes(String(code))).toBe(isShown);
    expect(shown).not.toMatch(/canary/i);
  });
});

describe('the error of a delegation', () => {
  it.each([
    ['ProviderRpcError', true],
    ['https://node.example/?key=canary', false],
    ['canary canary', false],
    ['E'.repeat(61), false],
  ])('shows the name %j of its cause: %s', async (name, isShown) => {
    const shown = await shownOf({ name });
    expect(shown.includes(name)).toBe(isShown);
    expect(shown).not.toMatch(/canary/i);
  });

  it('has its transaction in JSON too', async () => {
    const scene = setUpScene();
    scene.walletDoes.changes = ({ data, to }) => ({ input: data, to, failed: true });
    const { error } = await scene.fail();
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      code: 'transaction_reverted',
      transactionId: scene.chain.transactions[0]?.hash,
    });
  });
});

describe('a wallet whose node says that it has the transaction', () => {
  const refusals = ['transaction underpriced', 'intrinsic gas too low', 'oversized data'];
  const send = async (...causes: readonly Error[]) => {
    const scene = setUpScene();
    const [error, ...others] = causes;
    if (error !== undefined) error.cause = others[0];
    scene.wallet.sendTransaction = () => Promise.reject(error);
    return (await scene.fail()).error;
  };

  it.each([
    new Error('already known'),
    new Error('known transaction: ab'),
    new Error('nonce too low'),
    new Error('AlreadyKnown'),
    Object.assign(new Error('nonce has already been used'), { code: 'NONCE_EXPIRED' }),
  ])('may have sent it, whatever else it says: %s', async (there) => {
    expect(await send(there)).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    for (const text of refusals) {
      expect(await send(new Error(text))).toMatchObject({ outcome: 'not_sent' });
      expect(await send(new Error(text), there)).toMatchObject({ outcome: 'unknown' });
      expect(await send(there, new Error(text))).toMatchObject({ outcome: 'unknown' });
    }
  });
});
