import { describe, expect, it } from 'vitest';
import { previewEvmDelegation, revokeEvmDelegation } from '../../../src/evm/index.js';
import { TOKEN } from './chain.js';
import { type Scene, setUpScene } from './scene.js';

const networksOf = (proofs: readonly Record<string, unknown>[]) =>
  proofs.map(({ network }) => network);
const TOKENS = { usdc: { address: TOKEN, decimals: 6 } };

/** A node as viem creates one: it says for which chain. */
const viemNode = ({ chain }: Scene, id: unknown) => ({ request: chain.request, chain: { id } });

describe('a delegation without the name of its network', () => {
  it('is on the network of the chain that a viem client is for, without another read', async () => {
    const scene = setUpScene();
    await scene.run({ network: undefined, node: viemNode(scene, 59_144) });
    expect(networksOf(scene.proofs)).toEqual(['linea']);
    const named = setUpScene();
    await named.run({ node: viemNode(named, 59_144) });
    expect(scene.chain.calls).toEqual(named.chain.calls);
  });

  it.each([
    ['says no chain', undefined],
    ['says no number', '59144'],
  ])('asks a node that %s', async (_, id) => {
    const scene = setUpScene();
    await scene.run({ network: undefined, node: viemNode(scene, id) });
    expect(networksOf(scene.proofs)).toEqual(['linea']);
  });

  it('can be on a network that was added', async () => {
    const scene = setUpScene();
    scene.chain.chainId = 8453;
    scene.walletDoes.chainId = 8453;
    const networks = { base: { chainId: 8453, tokens: TOKENS } };
    await scene.run({ network: undefined, networks });
    expect(networksOf(scene.proofs)).toEqual(['base']);
  });

  it.each<[string, number, object]>([
    ['no network has its chain', 10, {}],
    [
      'two networks have its chain',
      59_144,
      { networks: { sandbox: { chainId: 59_144, tokens: TOKENS } } },
    ],
    ['the networks are those of the service', 59_144, { networks: 'chain-config' }],
  ])('is refused before anything is asked if %s', async (_, chainId, options) => {
    const scene = setUpScene();
    scene.chain.chainId = chainId;
    const { error } = await scene.fail({ network: undefined, ...options });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'network' }] });
    expect([scene.prompts, scene.tokens.issued]).toEqual([[], 0]);
  });

  it('ends if the node is on another chain than its client says', async () => {
    const scene = setUpScene();
    scene.walletDoes.chainId = 1;
    const node = viemNode(scene, 1);
    const { error } = await scene.fail({ network: undefined, node });
    expect(error).toMatchObject({ code: 'wrong_chain', expected: '1', actual: '59144' });
    expect(scene.prompts).toEqual([]);
  });

  it('ends if the node does not say its chain', async () => {
    const scene = setUpScene();
    scene.chain.script('eth_chainId', () => {
      throw new Error('429');
    });
    const { error } = await scene.fail({ network: undefined });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });

  it('is previewed and revoked in the same way', async () => {
    const scene = setUpScene();
    const options = scene.options({ network: undefined });
    expect(await previewEvmDelegation(options)).toMatchObject({ network: 'linea' });
    const { amount: _, ...rest } = options;
    expect(await revokeEvmDelegation(rest)).toMatchObject({ network: 'linea' });
  });
});
