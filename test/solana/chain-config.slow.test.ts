import { describe, expect, it } from 'vitest';
import {
  type SolanaChainToken,
  type SolanaDelegationOptions,
  solanaTokensFromChainConfig,
} from '../../src/solana/index.js';
import { type Scene, setUpScene, someAddress } from './support/scene.js';

type Changes = Partial<SolanaDelegationOptions>;

/** The chain configuration of the scene's service, with changes. */
function configOf(scene: Scene, changes: object = {}, token: object = {}) {
  const usdc = { symbol: 'USDC', decimals: 6, address: scene.mint.address, ...token };
  const entry = { network: 'solana', delegationContract: scene.delegate, tokens: { usdc } };
  return {
    networks: [
      { network: 'linea', tokens: {} },
      { ...entry, ...changes },
    ],
    count: 2,
  };
}

/** Takes mint, decimals and delegate from the service. */
const FROM_SERVICE = {
  token: 'chain-config',
  spender: 'chain-config',
  confirmSpender: () => true,
} satisfies Changes;

describe('a chain configuration with Solana', () => {
  it.each([
    ['a number', 6],
    ['a text', '6'],
  ])('has mint, decimals as %s and spender of each currency', async (_, decimals) => {
    const scene = await setUpScene();
    const config = configOf(scene, { environment: 'sandbox' }, { decimals });
    expect(await solanaTokensFromChainConfig(config)).toEqual({
      tokens: [
        {
          environment: 'sandbox',
          currency: 'usdc',
          mint: scene.mint.address,
          decimals: 6,
          spender: scene.delegate,
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
    { networks: 'text' },
    { networks: [null, 5, 'text', {}, { network: 5 }] },
  ])('is empty for %j', async (config) => {
    expect(await solanaTokensFromChainConfig(config)).toEqual({ tokens: [], skipped: [] });
  });

  it.each<[string, object, object]>([
    ['delegate', { delegationContract: undefined }, {}],
    ['delegate', { delegationContract: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4' }, {}],
    ['delegate', { delegationContract: '1'.repeat(32) }, {}],
    ['tokens', { tokens: null }, {}],
    ['token address', {}, { address: null }],
    ['token address', {}, { address: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff' }],
    ['decimals', {}, { decimals: undefined }],
    ['decimals', {}, { decimals: Number.NaN }],
    ['decimals', {}, { decimals: -1 }],
    ['decimals', {}, { decimals: 6.5 }],
    ['decimals', {}, { decimals: 256 }],
    ['decimals', {}, { decimals: '6.0' }],
    ['decimals', {}, { decimals: '0x6' }],
    ['decimals', {}, { decimals: ' 6' }],
    ['decimals', {}, { decimals: '' }],
    ['decimals', {}, { decimals: [6] }],
  ])('lists an entry with an skipped %s with the reason, and the flow ends with it', async (reason, changes, token) => {
    const scene = await setUpScene();
    scene.mock.state.chainConfig = configOf(scene, changes, token) as never;
    const table = await solanaTokensFromChainConfig(scene.mock.state.chainConfig);
    expect(table).toMatchObject({
      tokens: [],
      skipped: [{ reason: expect.stringContaining(reason) }],
    });
    const { error } = await scene.delegateAndCatch(FROM_SERVICE);
    expect(error).toMatchObject({ code: 'chain_config_unusable', outcome: 'not_sent' });
    expect((error as Error).message).toContain(reason);
    expect(scene.prompts).toEqual([]);
  });
});

describe('a delegation with the token and the delegate of the service', () => {
  it('runs after the caller confirmed them', async () => {
    const scene = await setUpScene();
    scene.mock.state.chainConfig = configOf(
      scene,
      { network: 'Solana' },
      { decimals: '6' },
    ) as never;
    const confirmed: SolanaChainToken[] = [];
    const result = await scene.runDelegation({
      ...FROM_SERVICE,
      async confirmSpender(_, found) {
        confirmed.push(found);
        return true;
      },
    });
    expect(result.registration).toBe('accepted');
    const { delegate, mint } = scene;
    expect(confirmed).toEqual([
      { currency: 'usdc', mint: mint.address, decimals: 6, spender: delegate },
    ]);
    expect(await scene.currentDelegation()).toEqual({ delegate, amount: 100_500_000n });
  });

  it('runs with the data of the table, for a currency that is not built in', async () => {
    const scene = await setUpScene();
    const { tokens } = await solanaTokensFromChainConfig(configOf(scene));
    const [token] = tokens;
    if (token === undefined) throw new Error('the table is empty');
    const result = await scene.runDelegation({ token, spender: token.spender });
    expect(result.registration).toBe('accepted');
  });

  it.each([
    ['returns false', () => false],
    ['returns no boolean', () => 'yes' as never],
    ['returns a promise of false', async () => false],
  ])('ends before anything happens when confirmSpender %s', async (_, confirmSpender) => {
    const scene = await setUpScene();
    scene.mock.state.chainConfig = configOf(scene) as never;
    const { error } = await scene.delegateAndCatch({
      ...FROM_SERVICE,
      confirmSpender,
    });
    expect(error).toMatchObject({ code: 'spender_not_confirmed', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
    expect(scene.requestCount('delegation.getToken')).toBe(0);
  });

  it.each<[string, (scene: Scene) => Changes]>([
    ['mint', () => ({ token: { mint: someAddress(), decimals: 6 } })],
    ['decimals', ({ mint }) => ({ token: { mint: mint.address, decimals: 9 } })],
    ['spender', () => ({ spender: someAddress() })],
    // The built-in mint of the main network.
    ['mint', () => ({ token: undefined })],
  ])('ends before anything happens when the service has another %s than the caller', async (what, changes) => {
    const scene = await setUpScene();
    scene.mock.state.chainConfig = configOf(scene) as never;
    const { error } = await scene.delegateAndCatch({ ...FROM_SERVICE, ...changes(scene) });
    expect(error).toMatchObject({ code: 'chain_config_unusable' });
    expect((error as Error).message).toContain(what);
    expect(scene.prompts).toEqual([]);
  });

  it('uses the environment that the caller names when the service has several', async () => {
    const scene = await setUpScene();
    const live = configOf(scene, { environment: 'live' }).networks[1];
    const test = configOf(scene, { environment: 'test', delegationContract: someAddress() });
    scene.mock.state.chainConfig = { networks: [live, ...test.networks] } as never;
    const { error } = await scene.delegateAndCatch(FROM_SERVICE);
    expect((error as Error).message).toContain('environment');
    const result = await scene.runDelegation({ ...FROM_SERVICE, environment: 'LIVE' });
    expect(result.registration).toBe('accepted');
  });

  it('asks for the region of token and proof', async () => {
    const scene = await setUpScene();
    const regions: unknown[] = [];
    const { delegation } = scene.client;
    const client: SolanaDelegationOptions['client'] = {
      delegation: {
        getToken: (input, options) => delegation.getToken(input, options),
        submitSolanaApproval: (proof, options) => delegation.submitSolanaApproval(proof, options),
        async chainConfig(options) {
          regions.push(options?.region);
          return configOf(scene);
        },
      },
    };
    await scene.delegateAndCatch({ ...FROM_SERVICE, client, region: 'us' });
    expect(regions).toEqual(['us']);
  });

  it.each<[string, Changes]>([
    ['confirmSpender', { confirmSpender: undefined }],
    ['confirmSpender', { confirmSpender: true as never }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '1e3' }],
    ['domain', { domain: '' }],
    ['computeUnitLimit', { computeUnitLimit: 0 }],
  ])('with an invalid %s sends nothing to the service', async (path, changes) => {
    const scene = await setUpScene();
    const { error } = await scene.delegateAndCatch({ ...FROM_SERVICE, ...changes });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path }] });
    expect(scene.mock.requests).toEqual([]);
  });

  it('with an amount of too many decimals for the token does not ask the wallet', async () => {
    const scene = await setUpScene();
    scene.mock.state.chainConfig = configOf(scene) as never;
    const { error } = await scene.delegateAndCatch({ ...FROM_SERVICE, amount: '1.0000001' });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'amount' }] });
    expect(scene.prompts).toEqual([]);
  });

  it('needs a client with chainConfig', async () => {
    const scene = await setUpScene();
    const { delegation } = scene.client;
    const client: SolanaDelegationOptions['client'] = {
      delegation: {
        getToken: (input, options) => delegation.getToken(input, options),
        submitSolanaApproval: (proof, options) => delegation.submitSolanaApproval(proof, options),
      },
    };
    const { error } = await scene.delegateAndCatch({ ...FROM_SERVICE, client });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'client' }] });
  });
});
