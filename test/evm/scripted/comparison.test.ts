import { describe, expect, it } from 'vitest';
import { say } from '../../../src/evm/index.js';
import { approveData, OTHER, type ScriptedTransaction, SPENDER, TOKEN } from './chain.js';
import { OWNER, setUpScene, UNITS } from './scene.js';

const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const word = (units: bigint) => `0x${units.toString(16).padStart(64, '0')}`;
const event = {
  address: TOKEN,
  topics: [APPROVAL, topic(OWNER), topic(SPENDER)],
  data: word(UNITS),
};

/** Runs a flow in which the wallet sends something else than it was asked for. */
async function tamper(changes: Partial<ScriptedTransaction>) {
  const scene = setUpScene();
  scene.walletDoes.changes = ({ data, to }) => ({ input: data, to, ...changes });
  return { scene, ...(await scene.fail({ confirmationTimeout: 10_000 })) };
}

describe('a mined transaction that is not the requested approval registers nothing', () => {
  it.each<[string, string, Partial<ScriptedTransaction>]>([
    ['sender', 'it is of another account', { from: OTHER }],
    ['token', 'it calls another contract', { to: OTHER }],
    ['token', 'it creates a contract', { to: null }],
    ['value', 'it sends coins along', { value: 1n }],
    ['spender', 'it approves another spender', { input: approveData(UNITS, OTHER) }],
    ['calldata', 'it is a transfer', { input: approveData(UNITS).replace('095ea7b3', 'a9059cbb') }],
    [
      'calldata',
      'it is an increase',
      { input: approveData(UNITS).replace('095ea7b3', '39509351') },
    ],
    ['calldata', 'it has a byte fewer', { input: approveData(UNITS).slice(0, -2), logs: [event] }],
    ['calldata', 'it has no calldata', { input: '0x' }],
    ['event', 'the token reported nothing', { logs: [] }],
    ['event', 'another contract reported it', { logs: [{ ...event, address: OTHER }] }],
    [
      'event',
      'another event was reported',
      {
        logs: [{ ...event, topics: [topic(OTHER), ...event.topics.slice(1)] }],
      },
    ],
    [
      'event',
      'the event is of another owner',
      {
        logs: [{ ...event, topics: [APPROVAL, topic(OTHER), topic(SPENDER)] }],
      },
    ],
    [
      'event',
      'the event is of another spender',
      {
        logs: [{ ...event, topics: [APPROVAL, topic(OWNER), topic(OTHER)] }],
      },
    ],
    [
      'event',
      'the event has a topic fewer',
      { logs: [{ ...event, topics: event.topics.slice(0, 2) }] },
    ],
    [
      'event',
      'the event has a topic more',
      { logs: [{ ...event, topics: [...event.topics, topic(OTHER)] }] },
    ],
    ['event', 'one unit fewer was approved', { logs: [{ ...event, data: word(UNITS - 1n) }] }],
    ['event', 'one unit more was approved', { logs: [{ ...event, data: word(UNITS + 1n) }] }],
    ['event', 'the event has no amount', { logs: [{ ...event, data: '0x' }] }],
    [
      'event',
      'the event has a second word',
      { logs: [{ ...event, data: `${word(UNITS)}${'0'.repeat(64)}` }] },
    ],
  ])('%s: %s', async (field, _, changes) => {
    const { scene, error, state } = await tamper(changes);
    expect(error).toMatchObject({
      code: 'approval_mismatch',
      field,
      outcome: 'executed',
      transactionId: scene.chain.transactions[0]?.hash,
    });
    expect(error).toMatchObject({ approvedAmount: undefined });
    expect(scene.proofs).toEqual([]);
    expect(state?.approval?.status).toBe('confirmed');
    expect(state?.notes['approved']).toBeUndefined();
  });

  it.each([
    [1n, '0.000001'],
    [UNITS - 1n, '100.499999'],
    [UNITS + 1n, '100.500001'],
    [(1n << 128n) - 1n, `${(1n << 128n) - 1n}`.replace(/(\d{6})$/, '.$1')],
  ])('amount: it approves %s base units', async (units, approvedAmount) => {
    const { scene, error, state } = await tamper({ input: approveData(units) });
    expect(error).toMatchObject({ code: 'approval_mismatch', field: 'amount', approvedAmount });
    expect(error).toMatchObject({ next: 'resume' });
    expect(state?.notes['approved']).toBe(String(units));
    expect(scene.proofs).toEqual([]);
  });

  it.each([
    [0n, '0'],
    [1n << 128n, `${1n << 128n}`.replace(/(\d{6})$/, '.$1')],
    [(1n << 256n) - 1n, `${(1n << 256n) - 1n}`.replace(/(\d{6})$/, '.$1')],
  ])('amount: it approves %s base units, for which no delegation can ask', async (units, approvedAmount) => {
    const { scene, error, state } = await tamper({ input: approveData(units) });
    expect(error).toMatchObject({ code: 'approval_mismatch', next: 'replace', approvedAmount });
    expect(String(error)).toContain('No delegation can have that limit: start again.');
    expect(say(error)).toBe(`You approved ${approvedAmount} in your wallet. Please start again.`);
    expect(state?.notes['approved']).toBeUndefined();
    expect(scene.proofs).toEqual([]);
  });

  it('amount: an amount with data after it is named too', async () => {
    const { error } = await tamper({ input: `${approveData(5n)}00ff` });
    expect(error).toMatchObject({ field: 'amount', approvedAmount: '0.000005' });
  });
});

describe('a transaction that is the requested approval', () => {
  it.each<[string, Partial<ScriptedTransaction>]>([
    [
      'in upper case',
      { from: OWNER.toLowerCase(), input: approveData(UNITS).replace('ea', 'EA'), logs: [event] },
    ],
    ['with data that the wallet appended', { input: `${approveData(UNITS)}deadbeef` }],
    [
      'with other events around its own',
      {
        logs: [{ ...event, address: OTHER }, event, { ...event, data: word(1n) }],
      },
    ],
    [
      'with an event in upper case',
      {
        logs: [{ ...event, address: TOKEN.toUpperCase().replace('0X', '0x') }],
      },
    ],
  ])('is accepted %s', async (_, changes) => {
    const scene = setUpScene();
    scene.walletDoes.changes = ({ data, to }) => ({ input: data, to, ...changes });
    await scene.run();
    expect(scene.proofs).toHaveLength(1);
  });

  it('is submitted with its hash, the message and its signature', async () => {
    const scene = setUpScene();
    const { transactionId, state } = await scene.run();
    expect(scene.proofs).toEqual([
      {
        address: OWNER,
        network: 'linea',
        currency: 'usdc',
        amount: '100.5',
        txHash: transactionId,
        sigHash: expect.stringMatching(/^0x[0-9a-f]{130}$/),
        sigMessage: expect.stringContaining('Nonce: nonce00001'),
        token: 'token-1',
      },
    ]);
    // A secret that is used up is not kept.
    expect(state).not.toHaveProperty('token');
    expect(state).not.toHaveProperty('message');
    expect(state.proof).toBe('accepted');
  });
});

describe('what is left on the chain', () => {
  const leave = (left: bigint) => {
    const scene = setUpScene();
    const send = scene.wallet.sendTransaction;
    scene.wallet.sendTransaction = async (call) => {
      const hash = await send(call);
      scene.chain.spent.push({ block: scene.chain.height, units: UNITS - left });
      return hash;
    };
    return scene;
  };

  it.each([1n, UNITS - 1n])('%s base units: a part was spent', async (left) => {
    const scene = leave(left);
    await scene.run();
    expect(scene.messages()).toContain('Part of the limit is already spent.');
  });

  it('everything: nothing was spent', async () => {
    const scene = leave(UNITS);
    await scene.run();
    expect(scene.messages()).not.toContain('Part of the limit is already spent.');
  });

  it.each([
    ['nothing', 0n],
    ['one unit more', UNITS + 1n],
  ])('%s: another transaction changed it', async (_, left) => {
    const scene = leave(left);
    const { error } = await scene.fail();
    expect(error).toMatchObject({
      code: 'allowance_raced',
      outcome: 'executed',
      expected: '100500000',
      actual: String(left),
    });
    expect(scene.proofs).toEqual([]);
  });

  it('zero is right after a revocation only', async () => {
    const scene = setUpScene();
    scene.chain.firstAllowance = 5n;
    const { revokeEvmDelegation } = await import('../../../src/evm/index.js');
    const { amount: _, ...rest } = scene.options();
    const result = await revokeEvmDelegation({ ...rest, submit: false });
    expect(result).toMatchObject({ registration: 'not-submitted', amount: '0' });
    expect(scene.prompts).toEqual(['reset']);
    expect(scene.tokens.issued).toBe(0);
  });
});

describe('a node that is behind after the confirmation', () => {
  /** The node has the receipt, but the old allowance for some time. */
  const lag = (milliseconds: number) => {
    const scene = setUpScene();
    let since: number | undefined;
    scene.chain.script('eth_call', ([call], usual) => {
      const { data = '' } = call as { data?: string };
      if (!data.startsWith('0xdd62ed3e') || scene.countOf('send') === 0) return usual();
      since ??= scene.clock.now;
      return scene.clock.now - since < milliseconds ? word(0n) : usual();
    });
    return scene;
  };

  it.each([0, 1, 2_000, 29_999, 30_000])('is waited for during %i ms', async (milliseconds) => {
    const scene = lag(milliseconds);
    await scene.run();
    expect(scene.proofs).toHaveLength(1);
  });

  it('is not waited for much longer than 30 seconds', async () => {
    const scene = lag(3_600_000);
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'allowance_raced', actual: '0' });
    const waited = scene.clock.waits.reduce((sum, ms) => sum + ms, 0);
    expect(waited).toBeGreaterThanOrEqual(30_000);
    expect(waited).toBeLessThan(45_000);
  });

  it('is asked with growing pauses: two seconds, then half of what was waited', async () => {
    const scene = lag(3_600_000);
    await scene.fail();
    expect(scene.clock.waits).toEqual([2_000, 2_000, 2_000, 3_000, 4_500, 6_750, 10_125]);
  });

  it.each([
    [28_000, [28_000, 28_000]],
    [29_999, [29_999, 29_999]],
    [30_000, [30_000]],
  ])('is asked again after a pause of %i ms only within 30 seconds', async (pause, waits) => {
    const scene = lag(3_600_000);
    await scene.fail({ pollingInterval: pause });
    expect(scene.clock.waits).toEqual(waits);
  });

  it('is not waited for longer than the confirmation', async () => {
    const scene = lag(3_600_000);
    await scene.fail({ confirmationTimeout: 4_000 });
    expect(scene.clock.waits).toEqual([2_000, 2_000]);
  });

  it('is asked 40 times if the clock stands still', async () => {
    const scene = lag(3_600_000);
    let reads = 0;
    scene.runtime.sleep = async () => {
      reads++;
    };
    await scene.fail({ runtime: { ...scene.runtime, now: () => Date.UTC(2026, 0, 1, 12) } });
    expect(reads).toBe(39);
  });

  it.each([
    'eth_getTransactionByHash',
    'eth_getTransactionReceipt',
  ])('may not know the transaction yet: %s', async (method) => {
    const scene = setUpScene();
    let confirmed = 0;
    scene.chain.script(method, (_, usual) => {
      const isFirst = method === 'eth_getTransactionReceipt' && confirmed++ === 0;
      return isFirst || scene.clock.now >= Date.UTC(2026, 0, 1, 12, 0, 4) ? usual() : null;
    });
    await scene.run();
    expect(scene.proofs).toHaveLength(1);
  });

  it('that never knows the transaction proves nothing', async () => {
    const scene = setUpScene();
    scene.chain.script('eth_getTransactionByHash', () => null);
    const { error } = await scene.fail();
    expect(error).toMatchObject({
      code: 'approval_mismatch',
      field: 'transaction',
      outcome: 'unknown',
    });
  });

  it('that was switched to another chain is named', async () => {
    const scene = setUpScene();
    scene.chain.script('eth_getTransactionByHash', () => {
      scene.chain.chainId = 1;
      return null;
    });
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'wrong_chain', outcome: 'unknown' });
  });

  it('that fails for a while is asked again, and its last error is thrown', async () => {
    const scene = setUpScene();
    scene.chain.script('eth_getTransactionByHash', () => {
      throw new Error('502');
    });
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(scene.proofs).toEqual([]);
  });
});
