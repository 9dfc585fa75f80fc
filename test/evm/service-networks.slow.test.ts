import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { type Scene, SPENDER, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7';

/** The service names a sandbox token on base, in the forms that were seen. */
function configure({ mock }: Scene, changes: object = {}) {
  const tokens = { USDC: { decimals: '6', address: chain.usdc.address.toLowerCase() } };
  const network = { network: 'base', chainId: 'eip155:59144', delegationContract: SPENDER, tokens };
  mock.state.chainConfig = { networks: [{ ...network, ...changes }] };
}

function clientFor({ mock, owner }: Scene) {
  return new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(owner),
    additions: { evmNetworks: ['base'] },
  });
}

const confirmed = { spender: 'chain-config', confirmSpender: () => true };

const fromService = (scene: Scene) => ({
  client: clientFor(scene),
  network: 'base',
  networks: 'chain-config' as const,
  spender: 'chain-config',
  confirmSpender: () => true,
});

describe("delegateEvm with networks: 'chain-config'", () => {
  it('takes chain, token and spender from the service', async () => {
    const scene = await setUpScene(chain);
    configure(scene);
    const spenders: string[] = [];
    await scene.delegateAndCatch({
      ...fromService(scene),
      confirmSpender: (spender) => spenders.push(spender) === 1,
    });
    // The mock platform has no network named base, so it refuses the proof in the end.
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(await scene.allowance()).toBe(100_500_000n);
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(1);
    expect(scene.requestCount('delegation.chainConfig')).toBe(1);
    expect(spenders).toEqual([SPENDER]);
  });

  it('accepts a pinned spender that is the one of the service', async () => {
    const scene = await setUpScene(chain);
    configure(scene);
    await scene.delegateAndCatch({ ...fromService(scene), spender: SPENDER.toLowerCase() });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it.each([
    ['another spender than the pinned one', {}, { spender: OTHER }, 'chain_config_unusable'],
    ['no such network', { network: 'monad' }, {}, 'chain_config_unusable'],
    ['no such currency', {}, { currency: 'usdt' }, 'chain_config_unusable'],
    ['no usable token', { tokens: { usdc: { decimals: 6 } } }, {}, 'chain_config_unusable'],
    ['no chain id', { chainId: null }, {}, 'chain_config_unusable'],
    ['other decimals than the chain', { tokens: 18 }, {}, 'token_decimals_differ'],
  ])('does not ask the wallet when the service has %s', async (_, config, changes, code) => {
    const scene = await setUpScene(chain);
    const token = { decimals: 18, address: chain.usdc.address };
    configure(
      scene,
      'tokens' in config && config.tokens === 18 ? { tokens: { usdc: token } } : config,
    );
    const { error } = await scene.delegateAndCatch({ ...fromService(scene), ...changes });
    expect(error).toMatchObject({ code, outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });

  it.each([
    ['false', () => false],
    ['a promise of false', async () => false],
    ['nothing', () => undefined as never],
  ])('does not ask the wallet when confirmSpender returns %s', async (_, confirmSpender) => {
    for (const networks of ['chain-config', chain.networks] as const) {
      const scene = await setUpScene(chain);
      const network = networks === 'chain-config' ? 'base' : 'linea';
      configure(scene, { network });
      const { error } = await scene.delegateAndCatch({
        ...fromService(scene),
        network,
        networks,
        confirmSpender,
      });
      expect(error).toMatchObject({ code: 'spender_not_confirmed', outcome: 'not_sent' });
      expect(scene.prompts).toEqual([]);
      expect(scene.requestCount('delegation.getToken')).toBe(0);
    }
  });

  it('refuses a service that names several contracts for the network', async () => {
    const scene = await setUpScene(chain);
    configure(scene, { network: 'linea' });
    const { networks = [] } = scene.mock.state.chainConfig;
    const other = { ...networks?.[0], delegationContract: OTHER };
    scene.mock.state.chainConfig = { networks: [...(networks ?? []), other] };
    for (const changes of [{ networks: chain.networks }, { networks: 'chain-config' as const }]) {
      const { error } = await scene.delegateAndCatch({ ...confirmed, ...changes });
      expect(error).toMatchObject({ code: 'chain_config_unusable' });
    }
    expect(scene.prompts).toEqual([]);
  });
});
