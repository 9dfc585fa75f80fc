import { describe, expect, it } from 'vitest';
import { createDelegation, type EvmDelegationOptions } from '../../../src/evm/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { OTHER, SPENDER, TOKEN } from './chain.js';
import { setUpScene } from './scene.js';

type Changes = Partial<EvmDelegationOptions>;

const USDC = { symbol: 'USDC', decimals: 6, address: TOKEN };
const ENTRY = {
  network: 'linea',
  chainId: 59_144,
  delegationContract: SPENDER,
  tokens: { usdc: USDC },
};
const configOf = (...entries: object[]) => ({ networks: [{ network: 'solana' }, ...entries] });

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
  const all = (changes: Changes): Changes => ({
    client,
    spender: 'chain-config',
    confirmSpender: () => true,
    ...changes,
  });
  const { resume: _, signal: __, onProgress: ___, approveAgain: ____, ...input } = scene.options();
  return {
    ...scene,
    asked,
    /** The options of a delegation that keeps its state. */
    stored: { ...input, client, spender: 'chain-config', store: memoryStore() },
    run: (changes: Changes = {}) => scene.run(all(changes)),
    async refuse(changes: Changes = {}) {
      const { error } = await scene.fail(all(changes));
      expect(error).toMatchObject({ outcome: 'not_sent' });
      expect(scene.prompts).toEqual([]);
      expect(scene.tokens.issued).toBe(0);
      expect(scene.chain.calls).toEqual([]);
      return error as Error;
    },
  };
}

describe('the spender of the service', () => {
  it('is asked for once, in the region of token and proof, and confirmed', async () => {
    const scene = setUp(
      configOf({ ...ENTRY, network: 'LINEA', delegationContract: SPENDER.toLowerCase() }),
    );
    const confirmed: unknown[] = [];
    const { signal } = new AbortController();
    await scene.run({
      region: 'us',
      signal,
      confirmSpender(spender) {
        confirmed.push(spender);
        return true;
      },
    });
    expect(scene.asked).toEqual([{ region: 'us', signal }]);
    expect(scene.asked).toHaveProperty('0.signal', signal);
    expect(confirmed).toEqual([SPENDER]);
    expect(scene.chain.transactions[0]?.input).toContain(SPENDER.slice(2).toLowerCase());
  });

  it('is asked for and confirmed once by a delegation that keeps its state', async () => {
    const scene = setUp(configOf(ENTRY));
    const confirmed: string[] = [];
    const delegation = createDelegation({
      ...scene.stored,
      confirmSpender: (spender) => confirmed.push(spender) > 0,
    });
    expect(await delegation.start({ amount: '100.5' })).toMatchObject({ amount: '100.5' });
    expect(scene.asked).toHaveLength(1);
    expect(confirmed).toEqual([SPENDER]);
  });

  it.each<[string, EvmDelegationOptions['confirmSpender']]>([
    ['false', () => false],
    ['a promise of false', async () => false],
    ['nothing', () => undefined as never],
    ['something true', () => 'yes' as never],
  ])('is not used if the caller confirms it with %s', async (_, confirmSpender) => {
    const error = await setUp(configOf(ENTRY)).refuse({ confirmSpender });
    expect(error).toMatchObject({ code: 'spender_not_confirmed' });
  });

  it.each<[string, object[]]>([
    ['the network is not in it', []],
    ['the network is not in it', [{ ...ENTRY, network: 'ethereum' }]],
    ['the network is not in it', [{ ...ENTRY, chainId: 1 }]],
    ['no contract', [{ ...ENTRY, delegationContract: undefined }]],
    ['no contract', [{ ...ENTRY, delegationContract: `0x${'0'.repeat(40)}` }]],
    ['several contracts', [ENTRY, { ...ENTRY, delegationContract: OTHER }]],
    ['several contracts', [ENTRY, { ...ENTRY, delegationContract: null }]],
    ['the currency is not in it', [{ ...ENTRY, tokens: {} }]],
    ['another token contract', [{ ...ENTRY, tokens: { usdc: { ...USDC, address: OTHER } } }]],
    ['other decimals', [{ ...ENTRY, tokens: { usdc: { ...USDC, decimals: 18 } } }]],
    ['other decimals', [{ ...ENTRY, tokens: { usdc: { ...USDC, decimals: 'six' } } }]],
    ['other decimals', [ENTRY, { ...ENTRY, tokens: { usdc: { ...USDC, decimals: 7 } } }]],
  ])('is not used if %s: case %#', async (reason, entries) => {
    const error = await setUp(configOf(...entries)).refuse();
    expect(error).toMatchObject({ code: 'chain_config_unusable' });
    expect(error.message).toContain(reason);
  });

  it.each<[string, object]>([
    ['no chain id', { chainId: null }],
    ['the chain id as text', { chainId: 'eip155:59144' }],
    ['decimals as text', { tokens: { USDC: { ...USDC, decimals: '6' } } }],
    ['no decimals', { tokens: { usdc: { ...USDC, decimals: null } } }],
    ['no token address', { tokens: { usdc: {} } }],
    [
      'the address in other letters',
      { tokens: { usdc: { ...USDC, address: ` ${TOKEN.toLowerCase()} ` } } },
    ],
  ])('is used if the configuration has %s', async (_, change) => {
    const scene = setUp(configOf({ ...ENTRY, ...change }));
    await scene.run();
    expect(scene.proofs).toHaveLength(1);
  });

  it('needs a client with chainConfig', async () => {
    const { client } = setUpScene();
    expect(await setUp(configOf(ENTRY)).refuse({ client })).toMatchObject({
      code: 'request_invalid',
      issues: [{ path: 'client' }],
    });
  });
});

describe('a spender that nobody confirms', () => {
  it.each([undefined, 'yes', true])('is not asked for: %s', async (confirmSpender) => {
    const scene = setUp(configOf(ENTRY));
    const changes = { confirmSpender: confirmSpender as never };
    expect(await scene.refuse(changes)).toMatchObject({
      code: 'request_invalid',
      issues: [{ path: 'confirmSpender' }],
    });
    expect(scene.asked).toEqual([]);
  });
});

it('a flow whose user has not confirmed the spender yet ends when it is aborted', async () => {
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

describe('the networks of the service', () => {
  const FROM_SERVICE = { networks: 'chain-config' } as const;

  it('are used with a spender that the caller pins, or confirms', async () => {
    for (const spender of [SPENDER, SPENDER.toLowerCase(), 'chain-config']) {
      const scene = setUp(configOf(ENTRY));
      await scene.run({ ...FROM_SERVICE, spender, network: 'Linea', currency: 'USDC' });
      expect(scene.asked).toHaveLength(1);
      // The names are those of the caller.
      expect(scene.proofs).toMatchObject([{ network: 'Linea', currency: 'USDC' }]);
    }
  });

  it.each<[string, object[], Changes]>([
    ['another spender', [ENTRY], { spender: OTHER }],
    ['the network is not in it', [], {}],
    ['the network has no EVM chain id', [{ ...ENTRY, chainId: 'x' }], {}],
    ['the currency is not in it', [{ ...ENTRY, tokens: { usdt: USDC } }], {}],
    [
      'the currency has no valid value for decimals',
      [{ ...ENTRY, tokens: { usdt: USDC, usdc: { ...USDC, decimals: 99 } } }],
      {},
    ],
  ])('are not used if %s', async (reason, entries, changes) => {
    const error = await setUp(configOf(...entries)).refuse({ ...FROM_SERVICE, ...changes });
    expect(error).toMatchObject({ code: 'chain_config_unusable' });
    expect(error.message).toContain(reason);
  });

  it('are not used with a spender that the caller does not confirm', async () => {
    const error = await setUp(configOf(ENTRY)).refuse({
      ...FROM_SERVICE,
      confirmSpender: () => false,
    });
    expect(error).toMatchObject({ code: 'spender_not_confirmed' });
  });
});
