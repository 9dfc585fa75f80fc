import { describe, expect, it } from 'vitest';
import { resealed } from '../../delegation/support/mutations.js';
import { approveData, OTHER } from './chain.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

/** Runs a flow whose transaction disappears, until it gives up waiting. */
async function loseTransaction(scene: Scene) {
  scene.walletDoes.mines = false;
  scene.after(4_000, () => scene.chain.forget(scene.chain.transactions[0]?.hash ?? ''));
  const { error, state } = await scene.fail({ confirmationTimeout: 10_000 });
  expect(error).toMatchObject({ code: 'confirmation_timeout' });
  expect(state?.notes).toMatchObject({ missing: state?.approval?.transactionId, nonce: '7' });
  expect(state?.notes['ended']).toBeUndefined();
  scene.walletDoes.mines = true;
  scene.clock.waits.splice(0);
  scene.chain.calls.splice(0);
  return state;
}

describe('a sent transaction that has disappeared', () => {
  it('is asked for again after three looks of the next run', async () => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    await scene.run({ resume: state });
    expect(scene.countOf('send')).toBe(2);
    expect(scene.clock.waits).toEqual([2_000, 2_000]);
    expect(scene.messages()).toContain(
      'The network has dropped the approval. Your wallet is asked again.',
    );
  });

  it.each([1, 2, 3])('is waited for if look %i finds it', async (look) => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    const hash = state?.approval?.transactionId ?? '';
    let looks = 0;
    scene.chain.script('eth_getTransactionReceipt', ([asked], usual) => {
      if (asked === hash && ++looks === look) {
        scene.chain.submit({ from: OWNER, hash, nonce: 7n, input: approveData(UNITS) });
        scene.chain.mine();
      }
      return usual();
    });
    await scene.run({ resume: state });
    expect(scene.countOf('send')).toBe(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it.each<[string, (scene: Scene) => void]>([
    [
      'another transaction of the account waits',
      ({ chain }) => void chain.submit({ from: OWNER, nonce: 7n, input: '0xa9059cbb' }),
    ],
    [
      'its nonce was used by something else',
      ({ chain }) => {
        chain.submit({ from: OWNER, nonce: 7n, to: OTHER, input: '0x' });
        chain.mine();
      },
    ],
    [
      'the node cannot be read',
      ({ chain }) =>
        chain.script('eth_getTransactionCount', () => {
          throw new Error('503');
        }),
    ],
  ])('is not asked for again if %s', async (_, change) => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    change(scene);
    await scene.fail({ resume: state, confirmationTimeout: 4_000 });
    expect(scene.countOf('send')).toBe(1);
    expect(scene.proofs).toEqual([]);
  });

  it('is not asked for again if it waits in the pool of a node that counts no waiting ones', async () => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    const hash = state?.approval?.transactionId ?? '';
    scene.chain.submit({ from: OWNER, hash, nonce: 7n, input: approveData(UNITS) });
    scene.chain.script('eth_getTransactionCount', () => '0x7');
    scene.after(8_000, () => scene.chain.mine());
    const { transactionId } = await scene.run({ resume: state });
    expect(transactionId).toBe(hash);
    expect(scene.countOf('send')).toBe(1);
  });

  it('is asked for again although an approval of another limit is on the chain since', async () => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    scene.chain.submit({ from: OWNER, nonce: 7n, to: OTHER, input: '0x' });
    scene.chain.submit({ from: OWNER, nonce: 8n, input: approveData(5n) });
    scene.chain.mine(200n);
    // What used its nonce can no longer be read.
    scene.chain.script('eth_getTransactionCount', ([, block], usual) => {
      if (block === 'latest' || block === 'pending') return usual();
      throw new Error('missing trie node');
    });
    await scene.run({ resume: state });
    expect(scene.countOf('send')).toBe(2);
    expect(scene.proofs).toHaveLength(1);
  });

  it('is reported with what took its nonce, not with a later approval', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => {
      scene.chain.forget(scene.chain.transactions[0]?.hash ?? '');
      scene.chain.submit({ from: OWNER, nonce: 7n, to: OTHER, input: '0x', value: 1n });
      scene.chain.submit({ from: OWNER, nonce: 8n, input: approveData(5n) });
      scene.chain.mine();
    });
    const { error } = await scene.fail();
    const [replacement] = scene.chain.transactions;
    expect(error).toMatchObject({
      code: 'transaction_replaced',
      transactionId: replacement?.hash,
    });
  });

  it('is waited for while no node has seen it and none can say what used its nonce', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.chain.script('eth_getTransactionByHash', ([hash], usual) =>
      hash === scene.chain.transactions[0]?.hash ? null : usual(),
    );
    scene.chain.script('eth_getTransactionCount', ([, block], usual) => {
      if (block === 'latest') return '0x8';
      if (block === 'pending') return usual();
      throw new Error('missing trie node');
    });
    const { error } = await scene.fail({ confirmationTimeout: 4_000 });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(scene.countOf('send')).toBe(1);
  });

  it('is not said to be missing if the node cannot be read when the run gives up', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.after(4_000, () => {
      scene.chain.forget(scene.chain.transactions[0]?.hash ?? '');
      scene.chain.script('eth_getTransactionCount', ([, block], usual) => {
        if (block === 'pending') throw new Error('503');
        return usual();
      });
    });
    const { error, state } = await scene.fail({ confirmationTimeout: 10_000 });
    expect(error).toMatchObject({
      code: 'confirmation_timeout',
      message: expect.stringContaining('It may still be confirmed.'),
    });
    expect(state?.notes).not.toHaveProperty('missing');
  });

  it('is not asked for again if a copy with another nonce was mined', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.chain.script('eth_getTransactionByHash', ([hash], usual) =>
      hash === scene.chain.transactions[0]?.hash ? null : usual(),
    );
    const { state } = await scene.fail({ confirmationTimeout: 4_000 });
    scene.chain.forget(state?.approval?.transactionId ?? '');
    scene.chain.unscript('eth_getTransactionByHash');
    const copy = scene.chain.submit({ from: OWNER, nonce: 7n, input: approveData(UNITS) });
    scene.chain.mine();
    const { transactionId } = await scene.run({ resume: state });
    expect(transactionId).toBe(copy.hash);
    expect(scene.countOf('send')).toBe(1);
  });

  it('is not asked for again if another limit took its place before any node had seen it', async () => {
    const scene = setUpScene();
    scene.walletDoes.mines = false;
    scene.chain.script('eth_getTransactionByHash', ([hash], usual) =>
      hash === scene.chain.transactions[0]?.hash ? null : usual(),
    );
    scene.after(2_000, () => {
      scene.chain.forget(scene.chain.transactions[0]?.hash ?? '');
      scene.chain.unscript('eth_getTransactionByHash');
      scene.chain.submit({ from: OWNER, nonce: 7n, input: approveData(5_000_000n) });
      scene.chain.mine();
    });
    const { state } = await scene.fail({ confirmationTimeout: 8_000 });
    expect(state?.notes).toMatchObject({ nonce: '7' });
    const { error, state: next } = await scene.fail({ resume: state });
    expect(error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '5' });
    expect(scene.countOf('send')).toBe(1);
    await scene.run({ resume: next, amount: '5' });
    expect(scene.countOf('send')).toBe(1);
    expect(scene.proofs).toMatchObject([{ amount: '5' }]);
  });

  it('is asked for again if the node cannot search, because its nonce was not used', async () => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    scene.chain.mine();
    scene.chain.script('eth_getLogs', () => {
      throw new Error('query returned more than 0 results');
    });
    await scene.run({ resume: state });
    expect(scene.countOf('send')).toBe(2);
  });

  it.each([
    ['is asked for again if its nonce was used, and', 'every', 1_000n, 2],
    ['is not asked for again if its nonce was used, and not', 'every', 40_000n, 1],
  ])('%s %s block since could be searched', async (_, __, blocks, prompts) => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    scene.chain.submit({ from: OWNER, nonce: 7n, to: OTHER, input: '0x' });
    scene.chain.mine(blocks);
    // The node keeps no old state, and searches few blocks at once.
    scene.chain.script('eth_getTransactionCount', ([, block], usual) => {
      if (block === 'latest' || block === 'pending') return usual();
      throw new Error('missing trie node');
    });
    scene.chain.script('eth_getLogs', ([filter], usual) => {
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
      if (BigInt(toBlock) - BigInt(fromBlock) < 500n) return usual();
      throw new Error('query returned more than 10000 results');
    });
    const ended = await scene
      .run({ resume: state, confirmationTimeout: 4_000 })
      .catch((error: unknown) => error);
    expect(ended).toMatchObject(
      prompts === 2 ? { registration: 'accepted' } : { code: 'confirmation_timeout' },
    );
    expect(scene.countOf('send')).toBe(prompts);
  });

  it('is not asked for again if its nonce was used and the node hides a later approval', async () => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    scene.chain.submit({ from: OWNER, nonce: 7n, to: OTHER, input: '0x' });
    scene.chain.mine(15_000n);
    // Its event is in the piece that is searched first.
    const { hash } = scene.chain.submit({ from: OWNER, nonce: 8n, input: approveData(UNITS) });
    scene.chain.mine();
    scene.chain.script('eth_getTransactionByHash', ([asked], usual) =>
      asked === hash ? null : usual(),
    );
    scene.chain.script('eth_getTransactionCount', ([, block], usual) => {
      if (block === 'latest' || block === 'pending') return usual();
      throw new Error('missing trie node');
    });
    const { error } = await scene.fail({ resume: state, confirmationTimeout: 4_000 });
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
    expect(scene.countOf('send')).toBe(1);
  });

  it('is not asked for again if its nonce was used and no search can show by what', async () => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    scene.chain.submit({ from: OWNER, nonce: 7n, input: approveData(UNITS) });
    scene.chain.mine();
    const { sentAfter: _, ...notes } = state?.notes ?? {};
    const resume = resealed({ ...state, notes });
    const { error } = await scene.fail({ resume, confirmationTimeout: 4_000 });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(scene.countOf('send')).toBe(1);
  });

  it('is waited for again once a node has seen it again', async () => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    const hash = state?.approval?.transactionId ?? '';
    scene.chain.submit({ from: OWNER, hash, nonce: 7n, input: approveData(UNITS) });
    const page = new AbortController();
    scene.after(2_000, () => page.abort());
    const { state: closed } = await scene.fail({ resume: state, signal: page.signal });
    scene.chain.forget(hash);
    const { error } = await scene.fail({ resume: closed, confirmationTimeout: 10_000 });
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
    expect(scene.countOf('send')).toBe(1);
  });

  it('and that comes back after the user declined the next prompt is not asked for again', async () => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    const hash = state?.approval?.transactionId ?? '';
    const wallet = { ...scene.wallet, sendTransaction: () => Promise.reject({ code: 4001 }) };
    const declined = await scene.fail({ resume: state, wallet });
    expect(declined.error).toMatchObject({ code: 'user_rejected' });
    scene.chain.submit({ from: OWNER, hash, nonce: 7n, input: approveData(UNITS) });
    scene.after(2_000, () => scene.chain.mine());
    const { transactionId } = await scene.run({ resume: declined.state });
    expect(transactionId).toBe(hash);
    expect(scene.countOf('send')).toBe(1);
  });

  describe('whose nonce was used so long ago that the node no longer knows by what', () => {
    const useNonce = (scene: Scene, isByOther = true) => {
      if (isByOther) scene.chain.submit({ from: OWNER, nonce: 7n, to: OTHER, input: '0x' });
      for (let block = 0; block < 8; block++) scene.chain.mine();
      scene.chain.script('eth_getTransactionCount', ([, block], usual) => {
        if (block === 'latest' || block === 'pending') return usual();
        throw new Error('missing trie node');
      });
    };

    it.each([{}, { approveAgain: true }])('is asked for again with %o', async (options) => {
      const scene = setUpScene();
      const state = await loseTransaction(scene);
      useNonce(scene);
      await scene.run({ resume: state, ...options });
      expect(scene.countOf('send')).toBe(2);
      expect(scene.clock.waits.slice(0, 2)).toEqual([2_000, 2_000]);
      expect(scene.proofs).toHaveLength(1);
    });

    it('is not asked for again if the events show that another limit used it', async () => {
      const scene = setUpScene();
      const state = await loseTransaction(scene);
      const other = scene.chain.submit({ from: OWNER, nonce: 7n, input: approveData(5_000_000n) });
      useNonce(scene, false);
      const { error } = await scene.fail({ resume: state });
      expect(error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '5' });
      expect(error).toMatchObject({ transactionId: other.hash });
      expect(scene.countOf('send')).toBe(1);
    });

    it('is asked for again although the first run saw that the nonce was used', async () => {
      const scene = setUpScene();
      scene.walletDoes.mines = false;
      scene.after(4_000, () => {
        scene.chain.forget(scene.chain.transactions[0]?.hash ?? '');
        useNonce(scene);
      });
      const { error, state } = await scene.fail({ confirmationTimeout: 10_000 });
      expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
      scene.walletDoes.mines = true;
      await scene.run({ resume: state });
      expect(scene.countOf('send')).toBe(2);
    });

    it.each<[string, (scene: Scene) => void]>([
      [
        'the node refuses to search',
        ({ chain }) =>
          chain.script('eth_getLogs', () => {
            throw new Error('block range too large');
          }),
      ],
      [
        'the node shows an approval without its transaction',
        ({ chain }) => {
          const { hash } = chain.submit({ from: OWNER, nonce: 8n, input: approveData(UNITS) });
          chain.mine();
          chain.script('eth_getTransactionByHash', ([asked], usual) =>
            asked === hash ? null : usual(),
          );
        },
      ],
    ])('is not asked for again if %s', async (_, change) => {
      const scene = setUpScene();
      const state = await loseTransaction(scene);
      useNonce(scene);
      change(scene);
      const { error } = await scene.fail({ resume: state, confirmationTimeout: 4_000 });
      expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
      expect(scene.countOf('send')).toBe(1);
      expect(scene.proofs).toEqual([]);
    });
  });

  it('is not judged on another chain', async () => {
    const scene = setUpScene();
    const state = await loseTransaction(scene);
    scene.chain.chainId = 1;
    const { error } = await scene.fail({ resume: state });
    expect(error).toMatchObject({ code: 'wrong_chain', outcome: 'unknown' });
    expect(scene.countOf('send')).toBe(1);
  });
});

describe('an approval that failed', () => {
  const failOnce = async (scene: Scene) => {
    scene.walletDoes.changes = ({ data, to }) => ({ input: data, to, failed: true });
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'transaction_reverted', outcome: 'rejected' });
    scene.walletDoes.changes = ({ data, to }) => ({ input: data, to });
    return state;
  };

  it('is asked for again', async () => {
    const scene = setUpScene();
    await scene.run({ resume: await failOnce(scene) });
    expect(scene.countOf('send')).toBe(2);
  });

  it.each([
    [
      'succeeded in another block',
      (scene: Scene) => {
        const [one] = scene.chain.transactions;
        if (one) one.failed = false;
      },
    ],
    [
      'waits again, and then succeeds',
      (scene: Scene) => {
        const [one] = scene.chain.transactions;
        scene.chain.unmine(one?.hash ?? '');
        if (one) one.failed = false;
        scene.after(4_000, () => scene.chain.mine());
      },
    ],
  ])('is continued if a reorganization brought it back: it %s', async (_, change) => {
    const scene = setUpScene();
    const state = await failOnce(scene);
    change(scene);
    await scene.run({ resume: state });
    expect(scene.countOf('send')).toBe(1);
    expect(scene.messages()).toContain(
      'The chain has changed: the earlier approval is valid again.',
    );
  });

  it('is asked for again if the node has forgotten it', async () => {
    const scene = setUpScene();
    const state = await failOnce(scene);
    scene.chain.forget(scene.chain.transactions[0]?.hash ?? '');
    await scene.run({ resume: state });
    expect(scene.countOf('send')).toBe(2);
  });
});

describe('the age of the token of the service', () => {
  /** A run that has a token, and ends before the message is signed. */
  const beforeSigning = (scene: ReturnType<typeof setUpScene>) =>
    scene.fail({ wallet: { ...scene.wallet, signMessage: () => Promise.reject({ code: 4001 }) } });

  // A token lives for ten minutes. It must last seven to sign, five to approve, 15 seconds to submit.
  it.each([
    [180_000, 1],
    [180_001, 2],
  ])('%i ms old, before the message: %i tokens', async (age, tokens) => {
    const scene = setUpScene();
    const { state } = await beforeSigning(scene);
    scene.clock.now += age;
    await scene.run({ resume: state });
    expect(scene.tokens.issued).toBe(tokens);
  });

  it.each([
    [300_000, true],
    [300_001, false],
  ])('%i ms old when the message is signed: the wallet is asked to send: %s', async (age, asks) => {
    const scene = setUpScene();
    const sign = scene.wallet.signMessage;
    scene.wallet.signMessage = async (text) => {
      const signature = await sign(text);
      scene.clock.now += age;
      return signature;
    };
    const { error, state } = await scene.fail();
    expect(scene.countOf('send')).toBe(asks ? 1 : 0);
    if (asks) return expect(error).toBeUndefined();
    expect(error).toMatchObject({ code: 'delegation_token_expired' });
    expect(state).not.toHaveProperty('token');
  });

  it.each([
    [585_000, true],
    [585_001, false],
  ])('%i ms old when the approval is confirmed: the proof is submitted: %s', async (age, submits) => {
    const scene = setUpScene();
    const send = scene.wallet.sendTransaction;
    scene.wallet.sendTransaction = async (call) => {
      const hash = await send(call);
      scene.clock.now += age;
      return hash;
    };
    const { error, state } = await scene.fail();
    expect(scene.proofs).toHaveLength(submits ? 1 : 0);
    if (submits) return expect(error).toBeUndefined();
    expect(error).toMatchObject({ code: 'delegation_token_expired' });
    await scene.run({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'send', 'sign']);
  });

  it('from the future counts as expired', async () => {
    const scene = setUpScene();
    const { state } = await beforeSigning(scene);
    scene.clock.now -= 1;
    await scene.run({ resume: state });
    expect(scene.tokens.issued).toBe(2);
  });
});

describe('the message', () => {
  it('has the fields of EIP-4361, and expires after two minutes', async () => {
    const scene = setUpScene();
    await scene.run();
    expect(scene.proofs[0]?.['sigMessage']).toBe(
      [
        'app.example wants you to sign in with your Ethereum account:',
        OWNER,
        '',
        'Prove address ownership',
        '',
        'URI: https://app.example',
        'Version: 1',
        'Chain ID: 59144',
        'Nonce: nonce00001',
        'Issued At: 2026-01-01T12:00:00.000Z',
        'Expiration Time: 2026-01-01T12:02:00.000Z',
      ].join('\n'),
    );
  });

  it.each([
    [599_999, '12:09:59.999'],
    [600_000, '12:10:00.000'],
    [600_001, '12:10:00.000'],
    [3_600_000, '12:10:00.000'],
  ])('of %i ms expires at %s, never after its token', async (messageLifetime, time) => {
    const scene = setUpScene();
    await scene.run({ messageLifetime });
    expect(scene.proofs[0]?.['sigMessage']).toContain(`Expiration Time: 2026-01-01T${time}Z`);
  });

  it('expires with its token, which is counted from before it was requested', async () => {
    const scene = setUpScene();
    const { getToken } = scene.client.delegation;
    scene.client.delegation.getToken = async () => {
      scene.clock.now += 60_000;
      return getToken();
    };
    await scene.run({ messageLifetime: 600_000 });
    const text = String(scene.proofs[0]?.['sigMessage']);
    expect(text).toContain('Issued At: 2026-01-01T12:01:00.000Z');
    expect(text).toContain('Expiration Time: 2026-01-01T12:10:00.000Z');
  });

  it.each([
    '',
    'short77',
    'with space',
    'with-dash1',
    'umlaut-äöü',
    'nonce\n0001',
  ])('is not built with the nonce %j', async (nonce) => {
    const scene = setUpScene();
    scene.client.delegation.getToken = async () => ({ token: 'token-1', nonce });
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'nonce_not_allowed', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
    expect(state).not.toHaveProperty('token');
  });

  it.each(['short777', 'a'.repeat(500)])('is built with the nonce %s', async (nonce) => {
    const scene = setUpScene();
    scene.client.delegation.getToken = async () => ({ token: 'token-1', nonce });
    await scene.run();
    expect(scene.proofs).toHaveLength(1);
  });

  it.each([
    ['a'.repeat(200), 'nonce0001', true],
    ['a'.repeat(201), 'nonce0001', false],
    ['', 'nonce0001', false],
    ['a b', 'nonce0001', false],
    ['token', 'a'.repeat(501), false],
  ])('token %#: usable is %s', async (token, nonce, isUsable) => {
    const scene = setUpScene();
    scene.client.delegation.getToken = async () => ({ token, nonce });
    const { error } = await scene.fail();
    if (isUsable) expect(error).toBeUndefined();
    else expect(error).toMatchObject({ code: 'token_unusable', outcome: 'not_sent' });
    expect(scene.prompts).toHaveLength(isUsable ? 2 : 0);
  });
});
