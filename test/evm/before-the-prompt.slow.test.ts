import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7';

/** A node that refuses a call without a receiver, as some do. */
const strictNode = () => ({
  async request(call: { method: string; params?: unknown }) {
    const [target] = (call.params ?? []) as [{ to?: string }?];
    if (call.method === 'eth_call' && target?.to === undefined) throw new Error('missing "to"');
    return chain.publicClient.request(call as never) as Promise<unknown>;
  },
});
const NODES = [
  ['that runs a call without a receiver', () => chain.publicClient],
  ['that refuses a call without a receiver', strictNode],
] as const;

describe.each(NODES)('before the wallet is asked, with a node %s', (_, node) => {
  it('refuses a network whose decimals differ from those of the token', async () => {
    const scene = await setUpScene(chain);
    const tokens = { usdc: { address: chain.usdc.address, decimals: 18 } };
    const networks = { linea: { chainId: 59144, tokens } };
    const { error } = await scene.delegateAndCatch({ networks, node: node() });
    expect(error).toMatchObject({ code: 'token_decimals_differ', outcome: 'not_sent' });
    expect((error as Error).message).toContain('6 decimals on the chain, and 18');
    expect(scene.prompts).toEqual([]);
  });

  it('refuses a spender without code, unless the caller allows it', async () => {
    const scene = await setUpScene(chain);
    const changes = { spender: OTHER, node: node() };
    const { error } = await scene.delegateAndCatch(changes);
    expect(error).toMatchObject({ code: 'spender_without_code', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
    await scene.delegateAndCatch({ ...changes, allowSpenderWithoutCode: true });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('refuses an address without a token', async () => {
    const scene = await setUpScene(chain);
    const tokens = { usdc: { address: OTHER, decimals: 6 } };
    const networks = { linea: { chainId: 59144, tokens } };
    const { error } = await scene.delegateAndCatch({ networks, node: node() });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });

  it('accepts the right token and spender', async () => {
    const scene = await setUpScene(chain);
    const result = await scene.delegate({ node: node() });
    expect(result.registration).toBe('accepted');
  });
});

describe('a network or currency that was added to the flow', () => {
  const added = () => ({
    base: { chainId: 59144, tokens: { eurc: { address: chain.usdc.address, decimals: 6 } } },
  });

  it.each([
    ['network', { network: 'base', currency: 'eurc' }, undefined],
    ['currency', { network: 'base', currency: 'eurc' }, { evmNetworks: ['base'] }],
    ['network', { network: 'base', currency: 'eurc' }, { delegationCurrencies: ['eurc'] }],
  ])('is refused with the field %s before anything is sent when the client would refuse the proof', async (path, asset, additions) => {
    const scene = await setUpScene(chain);
    const client = clientOf(scene, additions);
    const { error } = await scene.delegateAndCatch({ ...asset, networks: added(), client });
    expect(error).toMatchObject({ code: 'request_invalid', outcome: 'not_sent' });
    expect((error as { issues: { path: string }[] }).issues.map((issue) => issue.path)).toContain(
      path,
    );
    expect(scene.mock.requests).toHaveLength(0);
    expect(scene.prompts).toEqual([]);
  });

  it('is used when the client accepts both names', async () => {
    const scene = await setUpScene(chain);
    const client = clientOf(scene, { evmNetworks: ['base'], delegationCurrencies: ['eurc'] });
    await scene.delegateAndCatch({
      network: 'base',
      currency: 'eurc',
      networks: added(),
      client,
    });
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(1);
  });

  it('is not checked with a plain object in place of the client', async () => {
    const scene = await setUpScene(chain);
    const proofs: unknown[] = [];
    const client = {
      delegation: {
        getToken: () => scene.client.delegation.getToken(),
        submitEvmApproval: async (proof: unknown) => {
          proofs.push(proof);
          return { success: true };
        },
      },
    };
    await scene.delegate({ network: 'base', currency: 'eurc', networks: added(), client });
    expect(proofs).toHaveLength(1);
  });
});

function clientOf(
  { mock, owner }: Awaited<ReturnType<typeof setUpScene>>,
  additions?: Record<string, string[]>,
) {
  return new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(owner),
    additions,
  });
}

it('an EVM delegation reads the node eight times, three of them before it asks anything', async () => {
  const scene = await setUpScene(chain);
  const POLL = 'eth_getTransactionReceipt';
  const methods: string[] = [];
  const publicClient = {
    async request(call: { method: string; params?: unknown }) {
      const isFirstPoll = call.method === POLL && !methods.includes(POLL);
      // Each further poll reads twice more, so the block must exist before the first one.
      if (isFirstPoll) await chain.testClient.mine({ blocks: 1 });
      methods.push(call.method);
      return chain.publicClient.request(call as never) as Promise<unknown>;
    },
  };
  await chain.stopMining();
  await scene.delegate({ node: publicClient }).finally(() => chain.startMining());
  expect(methods.slice(0, 3).sort()).toEqual(['eth_call', 'eth_call', 'eth_gasPrice']);
  expect(methods.slice(3)).toEqual([
    'eth_blockNumber',
    'eth_getTransactionCount',
    'eth_getTransactionReceipt',
    'eth_getTransactionByHash',
    'eth_call',
  ]);
});
