import { JsonRpcProvider } from 'ethers';
import { providers } from 'ethers5';
import { type Hex, toFunctionSelector } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeFromEthers } from '../../src/evm/ethers/index.js';
import { type EvmNode, previewEvmDelegation } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain, withToken } from '../chain/local-chain.js';
import { waitUntilMined } from './support/chain-actions.js';
import { type Scene, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

async function sceneOf(contract: string, ...args: unknown[]): Promise<Scene> {
  return setUpScene(withToken(chain, await chain.deploy(contract, args)));
}

/** A user whom the token blocks. */
async function blockedScene(): Promise<Scene> {
  const scene = await sceneOf('BlocklistToken');
  const hash = await chain.bank.writeContract({
    chain: chain.chain,
    ...scene.chain.usdc,
    functionName: 'setBlocked',
    args: [scene.account.address, true],
  });
  await waitUntilMined(chain, hash);
  return scene;
}

const selectorOf = (error: string) => `error ${toFunctionSelector(error)}`;

/** The data with which a token refuses, and the reason that the flow reports. */
const REVERTING: [string, () => Promise<Scene>, string][] = [
  ['an error of its own', () => sceneOf('PausedToken'), selectorOf('EnforcedPause()')],
  ['an error of its own with fields', blockedScene, selectorOf('Blocked(address)')],
  [
    'a text',
    () => sceneOf('RefusalTextToken', 'Blacklistable: account is blacklisted'),
    '"Blacklistable: account is blacklisted"',
  ],
  ['an empty text', () => sceneOf('RefusalTextToken', ''), selectorOf('Error(string)')],
  [
    'a text with line breaks',
    () => sceneOf('RefusalTextToken', 'no\nSend it to https://example.com'),
    selectorOf('Error(string)'),
  ],
  [
    'a text that is too long',
    () => sceneOf('RefusalTextToken', 'no '.repeat(100)),
    selectorOf('Error(string)'),
  ],
  [
    'a text that is not ASCII',
    () => sceneOf('RefusalTextToken', 'gesperrt für Sie'),
    selectorOf('Error(string)'),
  ],
  ['a division by zero', () => sceneOf('BrokenToken'), 'panic 0x12'],
];
const RETURNING_FALSE: (typeof REVERTING)[number] = [
  'the value false',
  () => sceneOf('FalseToken'),
  'approve returned false',
];

describe.each([
  ...REVERTING,
  RETURNING_FALSE,
])('a token that refuses an approval with %s', (_, setUp, reason) => {
  it('is found by the preview, which reports the reason', async () => {
    const scene = await setUp();
    const { problems } = await previewEvmDelegation(scene.options());
    expect(problems[0]).toMatchObject({ code: 'approval-refused', isBlocking: true, reason });
    expect(problems[0]?.message).not.toContain(reason);
  });

  it('ends the flow with the reason before the wallet is asked', async () => {
    const scene = await setUp();
    const { error, state } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ code: 'approval_would_revert', outcome: 'not_sent' });
    expect((error as Error).message).toContain(`a test run on the node (${reason}). Nothing was`);
    expect(scene.prompts).toEqual([]);
    expect(state?.approval).toBeUndefined();
  });
});

describe.each(
  REVERTING,
)('without a test run, a token that refuses an approval with %s', (_, setUp, reason) => {
  it('ends the flow with the reason when viem estimates the gas', async () => {
    const scene = await setUp();
    const wallet = chain.walletFor(scene.account);
    const { error, state } = await scene.delegateAndCatch({ wallet, dryRun: false });
    expect(error).toMatchObject({ code: 'approval_would_revert', outcome: 'not_sent' });
    expect((error as Error).message).toContain(`the token refuses it (${reason}). Nothing was`);
    expect(state?.approval).toBeUndefined();
    expect(await scene.transactionCount()).toBe(0);
  });
});

it('without a test run, a token that returns false is never registered', async () => {
  const scene = await sceneOf('FalseToken');
  const { error } = await scene.delegateAndCatch({ dryRun: false });
  expect(error).toMatchObject({ code: 'approval_mismatch', field: 'event', outcome: 'executed' });
  expect(scene.requestCount('delegation.submitEvmApproval')).toBe(0);
  expect(scene.registeredWallets()).toEqual([]);
});

/** A page's own provider, without any library: the errors are the node's, as JSON. */
const plainNode = (): EvmNode => ({
  async request({ method, params }) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(chain.url, { method: 'POST', body, headers });
    const { result, error } = (await response.json()) as { result: Hex; error?: object };
    if (error !== undefined) throw error;
    return result;
  },
});

const NODES: [string, () => EvmNode][] = [
  ['viem', () => chain.publicClient],
  ['ethers 6', () => nodeFromEthers(new JsonRpcProvider(chain.url))],
  ['ethers 5', () => nodeFromEthers(new providers.JsonRpcProvider(chain.url))],
  ['no library', plainNode],
];

describe.each(NODES)('the reason of a refused approval, read through %s', (_, nodeOf) => {
  it.each(
    REVERTING.filter((_row, place) => place === 0 || place === 2),
  )('is known when the token refuses with %s', async (_refusal, setUp, reason) => {
    const scene = await setUp();
    const options = scene.options({ node: nodeOf() });
    const { problems } = await previewEvmDelegation(options);
    expect(problems[0]).toMatchObject({ code: 'approval-refused', reason });
  });
});
