import { describe, expect, it } from 'vitest';
import { OTHER, SPENDER, TOKEN } from './chain.js';
import { OWNER, setUpScene } from './scene.js';

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');
const isApproval = ([call]: readonly unknown[]) =>
  String((call as { data?: string }).data).startsWith('0x095ea7b3');

describe('nothing is signed or sent if', () => {
  it.each<[string, (scene: ReturnType<typeof setUpScene>) => void, object]>([
    [
      'the node is on another chain',
      ({ chain }) => {
        chain.chainId = 1;
      },
      { code: 'wrong_chain', expected: '59144', actual: '1' },
    ],
    [
      'the wallet is on another chain',
      ({ walletDoes }) => {
        walletDoes.chainId = 59_141;
      },
      { code: 'wrong_chain', expected: '59144', actual: '59141' },
    ],
    [
      'the wallet does not report its chain',
      ({ wallet }) => {
        wallet.getChainId = () => Promise.reject(new Error('locked'));
      },
      { code: 'chain_unreadable' },
    ],
    [
      'the token has a decimal fewer',
      ({ chain }) => {
        chain.decimals = 5n;
      },
      { code: 'token_decimals_differ' },
    ],
    [
      'the token has a decimal more',
      ({ chain }) => {
        chain.decimals = 7n;
      },
      { code: 'token_decimals_differ' },
    ],
    [
      'the token has 256 more decimals',
      ({ chain }) => {
        chain.decimals = 262n;
      },
      { code: 'token_decimals_differ' },
    ],
    [
      'the spender has no code',
      ({ chain }) => chain.code.clear(),
      { code: 'spender_without_code' },
    ],
    [
      'the token refuses the approval',
      ({ chain }) =>
        chain.script('eth_call', (params, usual) => {
          if (!isApproval(params)) return usual();
          throw Object.assign(new Error('execution reverted: paused'), { code: 3 });
        }),
      { code: 'approval_would_revert' },
    ],
    [
      'the token returns false',
      ({ chain }) =>
        chain.script('eth_call', (params, usual) =>
          isApproval(params) ? `0x${word(0)}` : usual(),
        ),
      { code: 'approval_would_revert', message: /approve returned false/ },
    ],
    [
      'the chain id is not a number',
      ({ chain }) => chain.script('eth_chainId', () => 59_144),
      { code: 'chain_unreadable' },
    ],
    [
      'the decimals are not a word',
      ({ chain }) =>
        chain.script('eth_call', ([call], usual) =>
          (call as { data?: string }).data === '0x313ce567' ? '0x06' : usual(),
        ),
      { code: 'chain_unreadable' },
    ],
    [
      'the code is not bytes',
      ({ chain }) => chain.script('eth_getCode', () => '0x6'),
      { code: 'chain_unreadable' },
    ],
  ])('%s', async (_, change, expected) => {
    const scene = setUpScene();
    change(scene);
    const { error, state } = await scene.fail();
    const { message = /./, ...fields } = expected as { message?: RegExp };
    expect(error).toMatchObject({ ...fields, outcome: 'not_sent' });
    expect(String(error)).toMatch(message);
    expect(scene.prompts).toEqual([]);
    expect(state?.approval).toBeUndefined();
    // The token of the service is kept for the next run.
    expect(state?.token?.token).toBe('token-1');
  });
});

describe('the reason of a token', () => {
  const text = (message: string) =>
    `0x08c379a0${word(32)}${word(message.length)}${Buffer.from(message).toString('hex').padEnd(64, '0')}`;

  it.each([
    [text('paused'), '("paused")'],
    [`Reverted ${text('blocked')}`, '("blocked")'],
    [`0x4e487b71${word(0x11)}`, '(panic 0x11)'],
    ['0xfb8f41b2', '(error 0xfb8f41b2)'],
    [text('\u0001bad'), '(error 0x08c379a0)'],
    ['0x', undefined],
    [undefined, undefined],
  ])('is shown: %s', async (data, shown) => {
    const scene = setUpScene();
    scene.chain.script('eth_call', (params, usual) => {
      if (!isApproval(params)) return usual();
      throw Object.assign(new Error('execution reverted'), { code: 3, data });
    });
    const { error } = await scene.fail();
    expect(String(error)).toContain(
      `refuses it in a test run on the node${shown === undefined ? '.' : ` ${shown}.`}`,
    );
  });
});

describe('the wallet is asked although', () => {
  it.each<[string, (scene: ReturnType<typeof setUpScene>) => void, object]>([
    [
      'the token refuses, if no test run is wanted',
      ({ chain }) =>
        chain.script('eth_call', (params, usual) => {
          if (!isApproval(params)) return usual();
          throw Object.assign(new Error('execution reverted'), { code: 3 });
        }),
      { dryRun: false },
    ],
    [
      'the spender has no code, if that is allowed',
      ({ chain }) => chain.code.clear(),
      { allowSpenderWithoutCode: true },
    ],
    [
      'the node cannot run the approval',
      ({ chain }) =>
        chain.script('eth_call', (params, usual) => {
          if (!isApproval(params)) return usual();
          throw new Error('429');
        }),
      {},
    ],
    [
      'the node ran it and returned nothing, as USDT does',
      ({ chain }) =>
        chain.script('eth_call', (params, usual) => (isApproval(params) ? '0x' : usual())),
      {},
    ],
    [
      'each read failed once',
      ({ chain }) => {
        const failed = new Set<string>();
        for (const method of ['eth_chainId', 'eth_getCode', 'eth_blockNumber']) {
          chain.script(method, (_, usual) => {
            if (failed.has(method)) return usual();
            failed.add(method);
            throw new Error('429');
          });
        }
      },
      {},
    ],
  ])('%s', async (_, change, options) => {
    const scene = setUpScene();
    change(scene);
    await scene.run(options);
    expect(scene.prompts).toEqual(['sign', 'send']);
  });
});

describe('a node that reads everything at once', () => {
  /** chain id, has code, then two words for each call. */
  const batch = ({ chainId = 59_144, code = 1, decimals = 6, approve = 1, ran = 2 } = {}) =>
    `0x${[chainId, code, 2, decimals, ran, approve].map(word).join('')}`;
  const answer = (response: () => unknown) => {
    const scene = setUpScene();
    scene.chain.script('eth_call', (params, usual) => {
      const [call, , overrides] = params;
      if (overrides !== undefined) return response();
      // With code for the owner, every further read would be one too many.
      if ((call as { to?: string }).to === undefined) throw new Error('missing receiver');
      return usual();
    });
    return scene;
  };

  it('is asked once', async () => {
    const scene = answer(() => batch());
    await scene.run();
    const calls = scene.chain.calls.filter(({ method }) => method === 'eth_call');
    expect(calls.filter(({ params }) => params.length === 3)).toHaveLength(1);
    expect(calls.filter(({ params }) => isApproval(params))).toHaveLength(0);
    expect(scene.chain.countOf('eth_chainId')).toBe(0);
    const [, , overrides] = calls[0]?.params ?? [];
    expect(Object.keys(overrides as object)).toEqual([OWNER]);
  });

  it.each([
    [{ chainId: 1 }, { code: 'wrong_chain', actual: '1' }],
    [{ code: 0 }, { code: 'spender_without_code' }],
    [{ decimals: 18 }, { code: 'token_decimals_differ' }],
  ])('is believed: %j', async (changes, expected) => {
    const scene = answer(() => batch(changes));
    expect((await scene.fail()).error).toMatchObject(expected);
    expect(scene.prompts).toEqual([]);
  });

  it.each([
    ['the approval failed in it', batch({ ran: 0 })],
    ['the token returned false in it', batch({ approve: 0 })],
    ['the response is cut off', batch().slice(0, -2)],
    ['the response is too long', `${batch()}00`],
    ['the response is no hex', 'ok'],
    ['the response is missing', null],
  ])('is asked again on its own if %s', async (_, response) => {
    const scene = answer(() => response);
    await scene.run();
    const calls = scene.chain.calls.filter(({ method }) => method === 'eth_call');
    expect(calls.filter(({ params }) => isApproval(params))).toHaveLength(1);
  });
});

describe('invalid options end the flow before anything is read', () => {
  it.each<[object, string]>([
    [{ spender: TOKEN }, 'spender'],
    [{ spender: OWNER }, 'spender'],
    [{ spender: `0x${'0'.repeat(40)}` }, 'spender'],
    [{ spender: SPENDER.replace('9D', '9d') }, 'spender'],
    [{ spender: SPENDER.slice(0, -1) }, 'spender'],
    [{ address: OTHER }, 'address'],
    [{ amount: '0' }, 'amount'],
    [{ amount: '-1' }, 'amount'],
    [{ amount: '1e3' }, 'amount'],
    [{ amount: '1.0000001' }, 'amount'],
    [{ amount: '' }, 'amount'],
    [{ amount: 5 }, 'amount'],
    [{ cap: '100.499999' }, 'amount'],
    [{ unlimited: true }, 'cap'],
    [{ network: 'polygon' }, 'network'],
    [{ network: 'toString' }, 'network'],
    [{ currency: 'dai' }, 'currency'],
    [{ currency: 'constructor' }, 'currency'],
    [{ confirmations: 0 }, 'confirmations'],
    [{ confirmations: 1.5 }, 'confirmations'],
    [{ confirmations: '3' }, 'confirmations'],
    [{ confirmationTimeout: 0 }, 'confirmationTimeout'],
    [{ pollingInterval: -1 }, 'pollingInterval'],
    [{ messageLifetime: Number.NaN }, 'messageLifetime'],
    [{ readTimeout: 0 }, 'readTimeout'],
    [{ domain: 'app.example/path' }, 'domain'],
    [{ domain: 'https://app.example' }, 'domain'],
    [{ uri: 'https://other.example' }, 'uri'],
    [{ uri: 'http://app.example' }, 'uri'],
    [{ statement: 'two\nlines' }, 'statement'],
    [{ publicClient: 'https://node.example' }, 'publicClient'],
    [{ publicClient: { send: () => undefined } }, 'publicClient'],
  ])('%j', async (changes, field) => {
    const scene = setUpScene();
    const { error } = await scene.fail(changes);
    expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
    expect(String(error)).toContain(field);
    expect(scene.chain.calls).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
    expect(scene.prompts).toEqual([]);
  });

  it.each([
    { cap: '100.5' },
    { cap: '100.500000' },
    { amount: '0.000001' },
    { amount: '100.500000' },
    { unlimited: true, cap: '100.5' },
    { uri: 'https://app.example/wallet' },
    { spender: SPENDER.toLowerCase() },
    { address: OWNER.toLowerCase() },
  ])('%j is valid', async (changes) => {
    const scene = setUpScene();
    await expect(scene.run(changes)).resolves.toMatchObject({ registration: 'accepted' });
  });
});

describe('the amount of the proof', () => {
  it.each([
    [{}, '100.5'],
    [{ wireAmount: 'base-units' }, '100500000'],
    [{ amount: '100.500' }, '100.5'],
    [{ unlimited: true, cap: '1000' }, '100.5'],
  ])('%j: %s', async (changes, amount) => {
    const scene = setUpScene();
    const result = await scene.run(changes as object);
    expect(result.amount).toBe(amount);
    expect(scene.proofs).toMatchObject([{ amount }]);
  });

  it('is that of the request, and the chain gets the largest number', async () => {
    const scene = setUpScene();
    await scene.run({ unlimited: true, cap: '100.5' });
    expect(scene.chain.transactions[0]?.input.slice(-64)).toBe('f'.repeat(64));
  });
});
