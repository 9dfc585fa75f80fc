import { describe, expect, it } from 'vitest';
import {
  type EvmDelegationOptions,
  previewEvmDelegation,
  readAllowance,
} from '../../../src/evm/index.js';
import { CHAIN_ID, OTHER, type ScriptedChain, SPENDER, TOKEN } from './chain.js';
import { OWNER, type Scene, setUpScene } from './scene.js';

const preview = (scene: Scene, changes: Partial<EvmDelegationOptions> = {}) =>
  previewEvmDelegation(scene.options(changes));
const word = (value: bigint | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const isApproval = ([call]: readonly unknown[]) =>
  String((call as { data?: string }).data).startsWith('0x095ea7b3');
const fails = (chain: ScriptedChain, ...methods: string[]) => {
  for (const method of methods) {
    chain.script(method, () => {
      throw new Error(`no ${method}`);
    });
  }
};

describe('a preview', () => {
  it('shows what the flow would do, and asks neither wallet nor service', async () => {
    const scene = setUpScene();
    scene.chain.tokenBalance = 500_000_000n;
    scene.chain.firstAllowance = 5_500_000n;
    expect(await preview(scene)).toEqual({
      owner: OWNER,
      chainId: 59_144,
      network: 'linea',
      currency: 'usdc',
      token: TOKEN,
      decimals: 6,
      spender: SPENDER,
      amount: '100.5',
      baseUnits: '100500000',
      isUnlimited: false,
      wireAmount: '100.5',
      oldLimit: '5.5',
      oldLimitBaseUnits: '5500000',
      transactions: 1,
      resetsFirst: false,
      // 50,000 units of gas at one gwei.
      estimatedFee: '50000000000000',
      nativeBalance: '1000000000000000000',
      needsFaucet: false,
      tokenBalance: '500',
      problems: [],
    });
    expect(scene.prompts).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
  });

  it('of an unlimited approval says so', async () => {
    const scene = setUpScene();
    scene.chain.tokenBalance = 500_000_000n;
    expect(await preview(scene, { unlimited: true, cap: '100.5' })).toMatchObject({
      isUnlimited: true,
      amount: '100.5',
      baseUnits: '100500000',
      wireAmount: '100.5',
    });
  });

  it('counts the reset that the token needs, and its fee', async () => {
    const scene = setUpScene();
    scene.chain.tokenBalance = 500_000_000n;
    scene.chain.firstAllowance = 7n;
    scene.chain.onlyFromZero = true;
    expect(await preview(scene)).toMatchObject({
      transactions: 2,
      resetsFirst: true,
      // The second one also writes a slot that was zero: 20,000 units more.
      estimatedFee: '120000000000000',
      problems: [{ code: 'resets-first', isBlocking: false }],
    });
    scene.chain.firstAllowance = 0n;
    expect(await preview(scene)).toMatchObject({ transactions: 1, resetsFirst: false });
  });

  it('of a token that is known to need a reset counts it only while there is a limit', async () => {
    const scene = setUpScene();
    scene.chain.tokenBalance = 500_000_000n;
    const usdc = { address: TOKEN, decimals: 6, approvesOnlyFromZero: true };
    const networks = { linea: { chainId: CHAIN_ID, tokens: { usdc } } };
    expect(await preview(scene, { networks })).toMatchObject({
      transactions: 1,
      resetsFirst: false,
      problems: [],
    });
    scene.chain.firstAllowance = 7n;
    expect(await preview(scene, { networks })).toMatchObject({
      transactions: 2,
      resetsFirst: true,
      problems: [{ code: 'resets-first' }],
    });
  });

  it.each<[string, (chain: ScriptedChain) => void, object]>([
    [
      'the token refuses, with its reason',
      (chain) =>
        chain.script('eth_call', (params, usual) => {
          if (!isApproval(params)) return usual();
          const data = `0x08c379a0${word(32).slice(2)}${word(6).slice(2)}${Buffer.from('paused').toString('hex').padEnd(64, '0')}`;
          throw Object.assign(new Error('execution reverted'), { code: 3, data });
        }),
      {
        estimatedFee: undefined,
        problems: [{ code: 'approval-refused', isBlocking: true, reason: '"paused"' }],
      },
    ],
    [
      'the token returns false',
      (chain) =>
        chain.script('eth_call', (params, usual) => (isApproval(params) ? word(0) : usual())),
      { problems: [{ code: 'approval-refused', reason: 'approve returned false' }] },
    ],
    [
      'the wallet has a wei less than the fee',
      (chain) => Object.assign(chain, { balance: 49_999_999_999_999n }),
      { needsFaucet: true, problems: [{ code: 'no-gas', isBlocking: false }] },
    ],
    [
      'the wallet has a token less than the limit',
      (chain) => Object.assign(chain, { tokenBalance: 100_499_999n }),
      { problems: [{ code: 'balance-below-amount', isBlocking: false }] },
    ],
  ])('reports that %s', async (_, change, expected) => {
    const scene = setUpScene();
    scene.chain.tokenBalance = 100_500_000n;
    change(scene.chain);
    const found = await preview(scene);
    expect(found).toMatchObject(expected);
    expect(found.problems).toHaveLength(1);
  });

  it('cannot tell whether an account with EIP-7702 code needs coins', async () => {
    const scene = setUpScene();
    Object.assign(scene.chain, { balance: 0n, tokenBalance: 100_500_000n });
    scene.chain.script('eth_getCode', ([account], usual) =>
      String(account).toLowerCase() === OWNER.toLowerCase()
        ? `0xef0100${'11'.repeat(20)}`
        : usual(),
    );
    expect(await preview(scene, { faucet: false })).toMatchObject({
      nativeBalance: '0',
      needsFaucet: undefined,
      problems: [],
    });
  });

  it.each([
    [{ faucet: false }, true],
    [{ faucet: true }, false],
    [{ checkFunds: false }, false],
    [{ checkFunds: true }, false],
  ])('says whether a missing fee ends a flow with %j', async (options, isBlocking) => {
    const scene = setUpScene();
    Object.assign(scene.chain, { balance: 0n, tokenBalance: 100_500_000n });
    expect(await preview(scene, options)).toMatchObject({
      needsFaucet: true,
      problems: [{ code: 'no-gas', isBlocking }],
    });
  });

  it('has no problem with exactly the fee and the limit', async () => {
    const scene = setUpScene();
    Object.assign(scene.chain, { balance: 50_000_000_000_000n, tokenBalance: 100_500_000n });
    expect(await preview(scene)).toMatchObject({ needsFaucet: false, problems: [] });
  });

  it.each<[string[], bigint, object]>([
    [['eth_gasPrice'], 1n, { estimatedFee: undefined, needsFaucet: undefined }],
    [['eth_estimateGas'], 1n, { estimatedFee: undefined, needsFaucet: undefined }],
    [['eth_gasPrice'], 0n, { needsFaucet: true, problems: [{ code: 'no-gas' }] }],
    [['eth_getBalance'], 1n, { nativeBalance: undefined, needsFaucet: undefined }],
  ])('leaves out what the node does not report: %j, with %s wei', async (methods, balance, expected) => {
    const scene = setUpScene();
    Object.assign(scene.chain, { balance, tokenBalance: 100_500_000n });
    fails(scene.chain, ...methods);
    expect(await preview(scene)).toMatchObject({ problems: [], ...expected });
  });

  it('does not guess a balance of tokens that it cannot read', async () => {
    const scene = setUpScene();
    scene.chain.script('eth_call', ([call], usual) => {
      if ((call as { data: string }).data.startsWith('0x70a08231')) throw new Error('503');
      return usual();
    });
    expect(await preview(scene)).toMatchObject({ tokenBalance: undefined, problems: [] });
  });

  it.each<[string, (chain: ScriptedChain) => void]>([
    ['wrong_chain', (chain) => Object.assign(chain, { chainId: 1 })],
    ['token_decimals_differ', (chain) => Object.assign(chain, { decimals: 18n })],
    ['spender_without_code', (chain) => chain.code.clear()],
    ['chain_unreadable', (chain) => fails(chain, 'eth_call')],
  ])('ends with %s', async (code, change) => {
    const scene = setUpScene();
    change(scene.chain);
    await expect(preview(scene)).rejects.toMatchObject({ code, outcome: 'not_sent' });
  });

  it('needs no wallet and no client if the address is given', async () => {
    const { chain, options } = setUpScene();
    const { network, currency, amount, spender } = options();
    const input = { node: chain, network, currency, amount, spender };
    const found = await previewEvmDelegation({ ...input, address: OWNER.toLowerCase() });
    expect(found.owner).toBe(OWNER);
    await expect(previewEvmDelegation(input)).rejects.toMatchObject({
      code: 'request_invalid',
      issues: [{ path: 'address' }],
    });
  });

  it.each<[string, object]>([
    ['spender', { spender: OWNER }],
    ['spender', { spender: 'x' }],
    ['amount', { amount: '0' }],
    ['address', { address: OTHER }],
    ['node', { node: {} }],
    ['readTimeout', { readTimeout: 0 }],
  ])('refuses an invalid %s before the node is asked', async (path, changes) => {
    const scene = setUpScene();
    await expect(preview(scene, changes)).rejects.toMatchObject({
      code: 'request_invalid',
      issues: [{ path }],
    });
    expect(scene.chain.calls).toEqual([]);
  });

  it('ends with the reason of the signal, and asks nothing', async () => {
    const scene = setUpScene();
    const reason = new Error('the page was left');
    await expect(preview(scene, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(scene.chain.calls).toEqual([]);
  });
});

describe('readAllowance', () => {
  const inputOf = ({ chain }: Scene) =>
    ({
      node: chain,
      network: 'linea',
      currency: 'usdc',
      owner: OWNER,
      spender: SPENDER,
    }) as const;

  it('reads base units with one request', async () => {
    const scene = setUpScene();
    scene.chain.firstAllowance = 7n;
    expect(await readAllowance(inputOf(scene))).toBe(7n);
    expect(scene.chain.calls.map(({ method }) => method)).toEqual(['eth_call']);
  });

  it.each([
    '0x',
    '0x07',
    7,
    null,
    undefined,
  ])('ends with chain_unreadable for %j', async (response) => {
    const scene = setUpScene();
    scene.chain.script('eth_call', () => response);
    await expect(readAllowance(inputOf(scene))).rejects.toMatchObject({ code: 'chain_unreadable' });
  });

  it('ends with chain_unreadable, without the text of the node', async () => {
    const scene = setUpScene();
    scene.chain.script('eth_call', () => {
      throw new Error('https://node.example/SECRET');
    });
    const error: unknown = await readAllowance(inputOf(scene)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(String(error)).not.toContain('SECRET');
  });

  it.each([
    ['owner', { owner: 'x' }],
    ['spender', { spender: 'x' }],
    ['network', { network: 'solana' }],
    ['currency', { currency: 'eurc' }],
  ])('refuses an invalid %s', async (path, change) => {
    const scene = setUpScene();
    const input = { ...inputOf(scene), ...change } as ReturnType<typeof inputOf>;
    await expect(readAllowance(input)).rejects.toMatchObject({ issues: [{ path }] });
    expect(scene.chain.calls).toEqual([]);
  });
});
