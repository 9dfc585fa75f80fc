import { describe, expect, it } from 'vitest';
import {
  createDelegation,
  type SolanaDelegationOptions,
  solanaTokensFromChainConfig,
} from '../../../src/solana/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { DELEGATE, MINT, OTHER } from './cluster.js';
import { setUpScene } from './scene.js';

type Changes = Partial<SolanaDelegationOptions>;

/** Takes mint, decimals and delegate from the service. */
const FROM_SERVICE = {
  token: 'chain-config',
  spender: 'chain-config',
  confirmSpender: () => true,
} satisfies Changes;

const USDC = { symbol: 'USDC', decimals: 6, address: MINT };
const ENTRY = { network: 'solana', delegationContract: DELEGATE, tokens: { usdc: USDC } };
const configOf = (...entries: object[]) => ({ networks: [{ network: 'linea' }, ...entries] });

/** A scene whose service has this configuration. */
function setUp(config: unknown) {
  const scene = setUpScene();
  const asked: unknown[] = [];
  const delegation = {
    ...scene.client.delegation,
    async chainConfig(options?: object) {
      asked.push(options);
      return config;
    },
  };
  const client = { ...scene.client, delegation };
  const { resume: _, signal: __, onProgress: ___, approveAgain: ____, ...input } = scene.options();
  return {
    ...scene,
    asked,
    /** The options of a delegation that keeps its state. */
    stored: { ...input, client, ...FROM_SERVICE, store: memoryStore() },
    run: (changes: Changes = {}) => scene.run({ client, ...FROM_SERVICE, ...changes }),
    async refuse(changes: Changes = {}) {
      const { error } = await scene.fail({ client, ...FROM_SERVICE, ...changes });
      expect(scene.prompts).toEqual([]);
      expect(scene.tokens.issued).toBe(0);
      return error as Error;
    },
  };
}

describe('the Solana tokens of a chain configuration', () => {
  it.each([6, '6', 0, '0', 255, '255'])('with %j decimals', async (decimals) => {
    const config = configOf({
      ...ENTRY,
      environment: 'live',
      tokens: { USDC: { ...USDC, decimals } },
    });
    expect(await solanaTokensFromChainConfig(config)).toEqual({
      tokens: [
        {
          environment: 'live',
          currency: 'usdc',
          mint: MINT,
          decimals: Number(decimals),
          spender: DELEGATE,
        },
      ],
      skipped: [],
    });
  });

  it.each([
    null,
    undefined,
    5,
    'text',
    [],
    {},
    { networks: null },
    { networks: [null, 5, {}] },
  ])('are none in %j', async (config) => {
    expect(await solanaTokensFromChainConfig(config)).toEqual({ tokens: [], skipped: [] });
  });

  it.each<[string, object]>([
    ['delegate', { delegationContract: undefined }],
    ['delegate', { delegationContract: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4' }],
    ['delegate', { delegationContract: '1'.repeat(32) }],
    ['tokens', { tokens: null }],
    ['token address', { tokens: { usdc: { ...USDC, address: null } } }],
    ['token address', { tokens: { usdc: { ...USDC, address: 'x' } } }],
    ['token itself', { tokens: { usdc: { ...USDC, address: DELEGATE } } }],
    ['token address', { tokens: { usdc: null } }],
    ...[undefined, Number.NaN, -1, 6.5, 256, '256', '6.0', '0x6', ' 6', '', [6]].map(
      (decimals): [string, object] => ['decimals', { tokens: { usdc: { ...USDC, decimals } } }],
    ),
  ])('without a usable %s are skipped, and the flow says why: %o', async (reason, change) => {
    const config = configOf({ ...ENTRY, ...change });
    expect(await solanaTokensFromChainConfig(config)).toMatchObject({
      tokens: [],
      skipped: [{ reason: expect.stringContaining(reason) }],
    });
    const error = await setUp(config).refuse();
    expect(error).toMatchObject({ code: 'chain_config_unusable', outcome: 'not_sent' });
    expect(error.message).toContain(reason);
  });
});

describe('a delegation with the token and the delegate of the service', () => {
  it('asks once, in the region of token and proof, and has them confirmed', async () => {
    const scene = setUp(configOf({ ...ENTRY, network: 'Solana', environment: 'live' }));
    const confirmed: unknown[] = [];
    await scene.run({
      region: 'us',
      confirmSpender(...found) {
        confirmed.push(found);
        return true;
      },
    });
    expect(scene.asked).toEqual([{ region: 'us', signal: undefined }]);
    const found = { environment: 'live', currency: 'usdc', mint: MINT, decimals: 6 };
    expect(confirmed).toEqual([[DELEGATE, { ...found, spender: DELEGATE }]]);
    expect(scene.cluster.account.delegate).toBe(DELEGATE);
  });

  it('asks once, and has them confirmed once, in a delegation that keeps its state', async () => {
    const scene = setUp(configOf(ENTRY));
    const confirmed: string[] = [];
    const delegation = createDelegation({
      ...scene.stored,
      confirmSpender: (spender) => confirmed.push(spender) > 0,
    });
    expect(await delegation.start({ amount: '100.5' })).toMatchObject({ amount: '100.5' });
    expect(scene.asked).toHaveLength(1);
    expect(confirmed).toEqual([DELEGATE]);
  });

  it('asks for no region if the caller names none', async () => {
    const scene = setUp(configOf(ENTRY));
    await scene.run();
    expect(scene.asked).toEqual([{ signal: undefined }]);
  });

  it.each<[string, SolanaDelegationOptions['confirmSpender']]>([
    ['false', () => false],
    ['a promise of false', async () => false],
    ['nothing', () => undefined as never],
    ['something true', () => 'yes' as never],
  ])('ends if the caller confirms with %s', async (_, confirmSpender) => {
    const error = await setUp(configOf(ENTRY)).refuse({ confirmSpender });
    expect(error).toMatchObject({ code: 'spender_not_confirmed', outcome: 'not_sent' });
  });

  it('needs no confirmation for a delegate of the caller', async () => {
    const scene = setUp(configOf(ENTRY));
    await scene.run({ spender: DELEGATE, confirmSpender: undefined });
    expect(scene.proofs).toHaveLength(1);
  });

  it.each<[string, Changes]>([
    ['mint', { token: { mint: OTHER, decimals: 6 } }],
    ['decimals', { token: { mint: MINT, decimals: 9 } }],
    ['spender', { spender: OTHER }],
    ['mint', { currency: 'usdt', token: undefined }],
  ])('ends if the service has another %s than the caller', async (what, changes) => {
    const usdt = { ...USDC, address: MINT };
    const config = configOf({ ...ENTRY, tokens: { usdc: USDC, usdt } });
    const error = await setUp(config).refuse(changes);
    expect(error).toMatchObject({ code: 'chain_config_unusable' });
    expect(error.message).toContain(what);
  });

  it('ends if the service has no such token', async () => {
    for (const config of [configOf(), configOf({ ...ENTRY, tokens: { usdt: USDC } })]) {
      const error = await setUp(config).refuse();
      expect(error).toMatchObject({ code: 'chain_config_unusable' });
      expect(error.message).toContain('no such token');
    }
  });

  it('needs the environment only if the service has several that differ', async () => {
    const live = { ...ENTRY, environment: 'live' };
    const same = setUp(configOf(live, { ...ENTRY, environment: 'test' }));
    await same.run();
    expect(same.proofs).toHaveLength(1);
    const other = configOf(live, { ...ENTRY, environment: 'test', delegationContract: OTHER });
    expect((await setUp(other).refuse()).message).toContain('environment');
    const named = setUp(other);
    await named.run({ environment: 'LIVE' });
    expect(named.cluster.account.delegate).toBe(DELEGATE);
    expect((await setUp(other).refuse({ environment: 'demo' })).message).toContain('no such token');
  });

  it.each<[string, Changes]>([
    ['confirmSpender', { confirmSpender: undefined }],
    ['confirmSpender', { confirmSpender: true as never }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '1e3' }],
    ['domain', { domain: '' }],
    ['currency', { currency: 'eurc', token: undefined, spender: DELEGATE }],
  ])('with an invalid %s does not ask the service', async (path, changes) => {
    const scene = setUp(configOf(ENTRY));
    expect(await scene.refuse(changes)).toMatchObject({
      code: 'request_invalid',
      issues: [{ path }],
    });
    expect(scene.asked).toEqual([]);
  });

  it('refuses an amount with more decimals than the token of the service', async () => {
    const error = await setUp(configOf(ENTRY)).refuse({ amount: '1.0000001' });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'amount' }] });
  });

  it('needs a client with chainConfig', async () => {
    const { client } = setUpScene();
    const error = await setUp(configOf(ENTRY)).refuse({ client });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'client' }] });
  });
});

it('a flow whose user has not confirmed the delegate yet ends when it is aborted', async () => {
  const scene = setUp(configOf(ENTRY));
  const page = new AbortController();
  const confirmSpender = () => {
    queueMicrotask(() => page.abort(new Error('the page was closed')));
    return new Promise<boolean>(() => {});
  };
  await expect(scene.run({ confirmSpender, signal: page.signal })).rejects.toThrow(
    'the page was closed',
  );
  expect(scene.prompts).toEqual([]);
});

describe('a delegation that keeps its state', () => {
  it('is kept for each token account', async () => {
    const scene = setUp(configOf(ENTRY));
    const { address, signMessage } = scene.wallet;
    const declining = {
      ...{ address, signMessage },
      signTransaction: () => Promise.reject(new Error('User rejected the request.')),
    };
    const delegation = createDelegation(scene.stored);
    const first = delegation.start({ amount: '100.5', wallet: declining });
    await expect(first).rejects.toMatchObject({ code: 'user_rejected' });
    const tokenAccount = OTHER;
    expect(await delegation.resume({ tokenAccount })).toBeUndefined();
    expect(await delegation.resume()).toMatchObject({ amount: '100.5' });
  });
});
