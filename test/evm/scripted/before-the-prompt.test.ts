import { describe, expect, it } from 'vitest';
import { previewEvmDelegation, revokeEvmDelegation } from '../../../src/evm/index.js';
import { OTHER, SPENDER, TOKEN } from './chain.js';
import { OWNER, type Scene, setUpScene, UNITS } from './scene.js';

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');
const isApproval = ([call]: readonly unknown[]) =>
  String((call as { data?: string }).data).startsWith('0x095ea7b3');

/** Lets the token refuse every approval. */
const refuseApprovals = ({ chain }: Scene) =>
  chain.script('eth_call', (params, usual) => {
    if (!isApproval(params)) return usual();
    throw Object.assign(new Error('execution reverted: blocked'), { code: 3 });
  });

describe('nothing is signed or sent if', () => {
  it.each<[string, (scene: Scene) => void, object]>([
    [
      'the node is on another chain',
      ({ chain }) => {
        chain.chainId = 1;
      },
      { code: 'wrong_chain', expected: '59144', actual: '1', message: /Pass a node of/ },
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
    ['the token refuses the approval', refuseApprovals, { code: 'approval_would_revert' }],
    [
      'the token refuses to set the old limit to zero as well',
      (scene) => {
        scene.chain.firstAllowance = 7n;
        refuseApprovals(scene);
      },
      { code: 'approval_would_revert' },
    ],
    [
      'there is no token at its address',
      ({ chain }) => chain.script('eth_call', () => '0x'),
      { code: 'chain_unreadable', message: /is the token on this chain/ },
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
    expect(scene.tokens.issued).toBe(0);
  });
});

it('a revocation that the token refuses is not asked for', async () => {
  const scene = setUpScene();
  scene.chain.firstAllowance = 7n;
  refuseApprovals(scene);
  const { amount: _, ...options } = scene.options();
  await expect(revokeEvmDelegation(options)).rejects.toMatchObject({
    code: 'approval_would_revert',
    outcome: 'not_sent',
  });
  expect(scene.prompts).toEqual([]);
});

describe('a wallet without coins for the fee', () => {
  const empty = () => {
    const scene = setUpScene();
    scene.chain.balance = 0n;
    return scene;
  };

  it('is asked for nothing, and the service for no token', async () => {
    const scene = empty();
    expect((await scene.fail({ faucet: false })).error).toMatchObject({
      code: 'insufficient_funds',
      outcome: 'not_sent',
      next: 'retry',
    });
    expect(scene.prompts).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
  });

  /** A client that notes with what its faucet is asked, and a faucet that pays at once. */
  const withFaucet = (scene: ReturnType<typeof empty>) => {
    const asked: object[] = [];
    const getToken = async (input: { faucet?: boolean | undefined } = {}) => {
      if (input.faucet !== true) return scene.getToken();
      asked.push(input);
      scene.chain.balance = 10n ** 18n;
      return { ...(await scene.getToken()), faucet: { success: true, status: 'pending' } };
    };
    const client = { ...scene.client, delegation: { ...scene.client.delegation, getToken } };
    return { asked, client };
  };

  it('gets them from the faucet, which is asked once', async () => {
    const scene = empty();
    const { asked, client } = withFaucet(scene);
    await scene.run({ client });
    expect(asked).toEqual([{ faucet: true, address: OWNER, network: 'linea' }]);
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('ends without a question on a network where the contract has no faucet', async () => {
    const scene = empty();
    const { asked, client } = withFaucet(scene);
    const tokens = { usdc: { address: TOKEN, decimals: 6 } };
    const networks = { ethereum: { chainId: 59_144, tokens } };
    const { error } = await scene.fail({ client, network: 'ethereum', networks });
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect([asked, scene.tokens.issued, scene.prompts]).toEqual([[], 0, []]);
  });

  it('does not use up the faucet if the node does not say what it has', async () => {
    const scene = empty();
    scene.chain.script('eth_getBalance', () => 'none');
    const { asked, client } = withFaucet(scene);
    await scene.run({ client });
    expect(asked).toEqual([]);
    await scene.run({ client, faucet: true, amount: '7' });
    expect(asked).toHaveLength(1);
  });

  it('is asked if somebody else pays', async () => {
    const scene = empty();
    await scene.run({ checkFunds: false });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('is asked if it has delegated to a contract, for which somebody else may pay', async () => {
    const scene = empty();
    scene.chain.code.set(OWNER.toLowerCase(), `0xef0100${'ab'.repeat(20)}`);
    await scene.run({ faucet: false });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('is asked if the node does not say what it has', async () => {
    const scene = empty();
    scene.chain.script('eth_getBalance', () => 'none');
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('is asked if the node estimates no fee and it has something', async () => {
    const scene = setUpScene();
    scene.chain.balance = 1n;
    scene.chain.script('eth_estimateGas', () => {
      throw new Error('429');
    });
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('needs the fee of both transactions if the old limit is set to zero first', async () => {
    const scene = setUpScene();
    scene.chain.onlyFromZero = true;
    scene.chain.firstAllowance = 5n;
    // A reset with 50,000 gas, then an approval with 70,000, at 1 gwei.
    scene.chain.balance = 119_999_999_999_999n;
    const networks = {
      linea: {
        chainId: 59_144,
        tokens: { usdc: { address: TOKEN, decimals: 6, approvesOnlyFromZero: true } },
      },
    };
    const { error } = await scene.fail({ networks, faucet: false });
    expect(error).toMatchObject({ code: 'insufficient_funds' });
    expect(scene.prompts).toEqual([]);
    scene.chain.balance += 1n;
    await scene.run({ networks });
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
    // No reset, no second fee.
    const other = setUpScene();
    other.chain.balance = 50_000_000_000_000n;
    await other.run({ networks });
    expect(other.prompts).toEqual(['sign', 'send']);
  });
});

describe('a wait that cannot be right', () => {
  it.each([
    { messageLifetime: 0 },
    { confirmations: 0 },
    { confirmations: 1.5 },
    { confirmationTimeout: -1 },
    { pollingInterval: 2 ** 31 },
  ])('%j is refused before the user is shown a spender', async (changes) => {
    const scene = setUpScene();
    const asked: string[] = [];
    const confirmSpender = (spender: string) => asked.push(spender) > 0;
    const { error } = await scene.fail({ ...changes, spender: 'chain-config', confirmSpender });
    expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
    expect(String(error)).toContain(Object.keys(changes)[0]);
    expect(asked).toEqual([]);
    expect(scene.chain.calls).toEqual([]);
  });
});

describe('an account without a key', () => {
  it.each([
    ['0x60', ['eip-1271']],
    ['0xef', ['eip-1271']],
    [`0xef0101${'ab'.repeat(20)}`, ['eip-1271']],
    [`0xef0100${'ab'.repeat(20)}`, []],
  ])('whose code is %s is refused before the wallet is asked', async (code, kinds) => {
    const scene = setUpScene();
    scene.chain.code.set(OWNER.toLowerCase(), code);
    const { error } = await scene.fail();
    if (kinds.length === 0) return expect(error).toBeUndefined();
    expect(error).toMatchObject({ code: 'unsupported_signature', accountKind: kinds[0] });
    expect(scene.prompts).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
  });

  it.each([
    ['0x60', ['unsupported-signature']],
    [`0xef0100${'ab'.repeat(20)}`, []],
  ])('whose code is %s is a problem of the preview: %j', async (code, codes) => {
    const scene = setUpScene();
    scene.chain.tokenBalance = UNITS;
    scene.chain.code.set(OWNER.toLowerCase(), code);
    const { problems } = await previewEvmDelegation(scene.options());
    expect(problems.map((problem) => problem.code)).toEqual(codes);
    for (const problem of problems) {
      expect(problem).toMatchObject({ isBlocking: true, message: /contract.*own private key/ });
    }
  });

  it('can revoke on the chain alone', async () => {
    const scene = setUpScene();
    scene.chain.code.set(OWNER.toLowerCase(), '0x60');
    const { amount: _, ...options } = scene.options();
    await revokeEvmDelegation({ ...options, submit: false });
    expect(scene.prompts).toEqual(['reset']);
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
  it.each<[string, (scene: Scene) => void, object]>([
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
  const DELEGATED_CODE = BigInt(`0xef0100${'ab'.repeat(20)}${'00'.repeat(9)}`);
  /** Chain id, size of the spender's code, balance, size and start of the owner's code, two words each. */
  const batch = ({
    chainId = 59_144,
    code = 1,
    balance = 10n ** 18n,
    ownerSize = 0,
    ownerCode = 0n,
    decimals = 6,
    allowance = 0n,
  } = {}) => {
    const head = [chainId, code, balance, ownerSize, ownerCode];
    return `0x${[...head, 2, decimals, 2, allowance].map(word).join('')}`;
  };
  const answer = (response: () => unknown) => {
    const scene = setUpScene();
    scene.chain.script('eth_call', (params, usual) => {
      const [call] = params;
      return (call as { to?: string }).to === undefined ? response() : usual();
    });
    return scene;
  };

  it.each([
    // 1,000,000 gas at 1 gwei.
    ['the price of gas', 10n ** 15n, []],
    ['the fee, which the coins may not cover', 10n ** 15n - 1n, ['eth_estimateGas']],
  ])('is asked once, and once more for the test run and for %s', async (_, balance, more) => {
    const scene = answer(() => batch({ balance }));
    const { error } = await scene.fail({
      wallet: { ...scene.wallet, signMessage: () => Promise.reject({ code: 4001 }) },
    });
    expect(error).toMatchObject({ code: 'user_rejected' });
    expect(scene.chain.calls.map(({ method }) => method).sort()).toEqual([
      'eth_call',
      'eth_call',
      ...more,
      'eth_gasPrice',
    ]);
  });

  it.each([
    ['the chain', { chainId: 1 }, { code: 'wrong_chain', actual: '1' }],
    ['the spender', { code: 0 }, { code: 'spender_without_code' }],
    ['the decimals', { decimals: 18 }, { code: 'token_decimals_differ' }],
    ['an empty account', { balance: 0n }, { code: 'insufficient_funds' }],
    // 50,000 gas at 1 gwei.
    ['one wei too few', { balance: 49_999_999_999_999n }, { code: 'insufficient_funds' }],
    ['a contract', { ownerSize: 45, ownerCode: 1n << 255n }, { accountKind: 'eip-1271' }],
  ])('is believed about %s', async (_, changes, expected) => {
    const scene = answer(() => batch(changes));
    expect((await scene.fail({ faucet: false })).error).toMatchObject(expected);
    expect(scene.prompts).toEqual([]);
  });

  it.each([
    ['the response is cut off', batch().slice(0, -2)],
    ['the response is too long', `${batch()}00`],
    ['the response is no hex', 'ok'],
    ['the response is missing', null],
  ])('is asked for each fact on its own if %s', async (_, response) => {
    const scene = answer(() => response);
    await scene.run();
    for (const method of ['eth_chainId', 'eth_getBalance']) {
      expect(scene.chain.countOf(method)).toBe(1);
    }
    expect(scene.chain.countOf('eth_getCode')).toBe(2);
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it.each([
    ['just enough for the fee', { balance: 50_000_000_000_000n }],
    [
      'nothing, and code that lets somebody else pay',
      {
        balance: 0n,
        ownerSize: 23,
        ownerCode: DELEGATED_CODE,
      },
    ],
  ])('lets a wallet be asked that has %s', async (_, facts) => {
    const scene = answer(() => batch(facts));
    await scene.run();
    expect(scene.prompts).toEqual(['sign', 'send']);
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
    [{ wireAmount: 'base' }, 'wireAmount'],
    [{ wireAmount: null }, 'wireAmount'],
    [{ checkFunds: 'no' }, 'checkFunds'],
    [{ domain: 'app.example/path' }, 'domain'],
    [{ domain: 'https://app.example' }, 'domain'],
    [{ uri: 'https://other.example' }, 'uri'],
    [{ uri: 'http://app.example' }, 'uri'],
    [{ statement: 'two\nlines' }, 'statement'],
    [{ node: 'https://node.example' }, 'node'],
    [{ node: { send: () => undefined } }, 'node'],
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
