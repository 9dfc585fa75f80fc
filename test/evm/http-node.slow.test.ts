import { FetchRequest, JsonRpcProvider } from 'ethers';
import { providers } from 'ethers5';
import { createPublicClient, http } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { nodeFromEthers } from '../../src/evm/ethers/index.js';
import type { EvmNode } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { losingItsResponse } from './support/chain-actions.js';
import { type HttpFault, type HttpNode, startHttpNode } from './support/http-node.js';
import { setUpScene } from './support/scene.js';

let chain: LocalChain;
let node: HttpNode;

beforeAll(async () => {
  chain = await startLocalChain(59144);
  node = await startHttpNode(chain.url);
});

afterEach(() => {
  node.fault = () => undefined;
});
afterAll(async () => {
  await node.stop();
  await chain.stop();
});

/** Each library with its own errors, and without its own retries, which would hide the failure. */
const LIBRARIES: [string, () => EvmNode][] = [
  ['viem', () => createPublicClient({ chain: chain.chain, transport: http(node.url, NO_RETRY) })],
  [
    'ethers 6',
    () => nodeFromEthers(new JsonRpcProvider(oneAttempt(), undefined, { batchMaxCount: 1 })),
  ],
  ['ethers 5', () => nodeFromEthers(new providers.StaticJsonRpcProvider(ONCE()))],
];
const NO_RETRY = { retryCount: 0 };
const oneAttempt = () => {
  const request = new FetchRequest(node.url);
  request.setThrottleParams({ maxAttempts: 1 });
  return request;
};
const ONCE = () => ({ url: node.url, throttleLimit: 1 });

/**
 * Responses that node providers send when a rate limit is used up, or when one of their nodes
 * fails.
 */
const FAULTS: [string, HttpFault][] = [
  ['429', { status: 429 }],
  ['503', { status: 503 }],
  ['a rate limit in JSON', { error: { code: -32005, message: 'limit exceeded' } }],
  ['an internal error', { error: { code: -32603, message: 'header not found' } }],
  ['a broken connection', 'hang-up'],
  ['null', { result: null }],
];

const READS: string[] = [
  'eth_blockNumber',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
  'eth_call',
];

/** Sends a fault in response to the next request of each method. */
function failOnce(methods: string[], fault: HttpFault, isOn = () => true): Set<string> {
  const left = new Set(methods);
  node.fault = ({ method }) => (isOn() && left.delete(method) ? fault : undefined);
  return left;
}

describe.each(LIBRARIES)('a node that fails over HTTP, read with %s', (_, library) => {
  it.each(
    FAULTS,
  )('does not end an EVM delegation with %s once in response to each method', async (__, fault) => {
    const scene = await setUpScene(chain);
    const left = failOnce(READS, fault);
    const result = await scene.delegate({ node: library() });
    expect(result.registration).toBe('accepted');
    expect([...left]).toEqual([]);
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it.each(
    FAULTS,
  )('does not end it with %s in response to the last read of the limit', async (__, fault) => {
    const scene = await setUpScene(chain);
    const isSent = () => scene.prompts.includes('send');
    const left = failOnce(['eth_call'], fault, isSent);
    const result = await scene.delegate({ node: library() });
    expect(result.registration).toBe('accepted');
    expect([...left]).toEqual([]);
  });

  it('ends it with chain_unreadable when it keeps failing, and no approval is lost', async () => {
    const scene = await setUpScene(chain);
    node.fault = ({ method }) =>
      method === 'eth_getTransactionReceipt' ? { status: 429 } : undefined;
    const publicClient = library();
    const { error, state } = await scene.delegateAndCatch({
      node: publicClient,
      confirmationTimeout: 50,
    });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(JSON.stringify([error, String(error)])).not.toContain(node.url);
    node.fault = () => undefined;
    expect((await scene.delegate({ node: publicClient, resume: state })).registration).toBe(
      'accepted',
    );
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('finds a lost approval although it refuses to search so many blocks', async () => {
    for (const error of [
      { code: -32005, message: 'query returned more than 10000 results' },
      { code: -32602, message: 'block range is too large: maximum is 500' },
      { code: -32601, message: 'the method eth_getLogs is not available' },
    ]) {
      const scene = await setUpScene(chain);
      const { state } = await scene.delegateAndCatch({
        wallet: losingItsResponse(chain, scene.wallet),
      });
      expect(state?.approval).toEqual({ status: 'requested' });
      let refused = 0;
      node.fault = ({ method }) => {
        if (method !== 'eth_getLogs') return undefined;
        refused++;
        return { error };
      };
      const result = await scene.delegate({ node: library(), resume: state });
      expect(result.registration).toBe('accepted');
      expect(refused).toBeGreaterThan(1);
      expect(await scene.transactionCount()).toBe(1);
    }
  });
});
