import { encodeFunctionData, erc20Abi, type Hex, toEventSelector } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delegateEvm, type EvmNode } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { partOf, shapeOf } from '../testing/wallets/shape.js';
import { setUpWallet } from '../testing/wallets/support.js';
import { SPENDER, setUpScene } from './support/scene.js';

// The mock chain of the testing kit has no EVM, so its responses are compared with those of a real
// node.

let linea: LocalChain;
beforeAll(async () => {
  linea = await startLocalChain(59144);
});
afterAll(() => linea.stop());

type Place = { token: Hex; owner: Hex; spender: Hex; hash: Hex; block: Hex };
type Call = { method: string; params?: unknown[] };

const nobody = `0x${'77'.repeat(20)}`;
const padded = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

/**
 * Runs the flow and returns the node, its successful reads, and the values that further reads need.
 */
async function delegateOn(node: EvmNode, run: (recording: EvmNode) => Promise<Hex>) {
  const reads = new Map<string, unknown>();
  const hash = await run({
    async request(call) {
      const response = await node.request(call);
      const isKnown = response !== null || !reads.has(call.method);
      if (isKnown) reads.set(call.method, response);
      return response;
    },
  });
  return { node, reads, hash };
}

async function onAnvil() {
  const scene = await setUpScene(linea);
  const node: EvmNode = {
    request: (call) => linea.publicClient.request(call as never),
  };
  const ran = await delegateOn(node, async (publicClient) => {
    const result = await scene.delegate({ node: publicClient });
    return result.transactionId as Hex;
  });
  const place = { token: linea.usdc.address, owner: scene.account.address, spender: SPENDER };
  return { ...ran, place: { ...place, hash: ran.hash } as Omit<Place, 'block'> };
}

async function onMock() {
  const scene = await setUpWallet();
  const ran = await delegateOn(scene.linea, async (publicClient) => {
    const result = await delegateEvm({ ...scene.evmOptions, node: publicClient });
    return result.transactionId as Hex;
  });
  const token = scene.linea.tokenOf('usdc').address;
  const place = { token, owner: scene.wallet.evm.address, spender: scene.linea.spender };
  return { ...ran, place: { ...place, hash: ran.hash } as Omit<Place, 'block'> };
}

const call = (to: string, data: Hex, from?: string): Call => ({
  method: 'eth_call',
  params: [{ to, data, ...(from === undefined ? {} : { from }) }, 'latest'],
});
const read = (functionName: 'decimals' | 'symbol') =>
  encodeFunctionData({ abi: erc20Abi, functionName });

/** Every read that the flow can make. */
const READS: readonly (readonly [title: string, read: (place: Place) => Call])[] = [
  ['the chain id', () => ({ method: 'eth_chainId' })],
  ['the block number', () => ({ method: 'eth_blockNumber' })],
  ['the gas price', () => ({ method: 'eth_gasPrice' })],
  ['a balance', ({ owner }) => ({ method: 'eth_getBalance', params: [owner, 'latest'] })],
  ['the code of nobody', () => ({ method: 'eth_getCode', params: [nobody, 'latest'] })],
  ...(['latest', 'pending'] as const).map(
    (at) =>
      [
        `the transaction count, ${at}`,
        ({ owner }: Place) => ({ method: 'eth_getTransactionCount', params: [owner, at] }),
      ] as const,
  ),
  [
    'the transaction count of a block',
    ({ owner, block }) => ({ method: 'eth_getTransactionCount', params: [owner, block] }),
  ],
  ['the decimals', ({ token }) => call(token, read('decimals'))],
  ['the symbol', ({ token }) => call(token, read('symbol'))],
  [
    'an allowance',
    ({ token, owner, spender }) =>
      call(
        token,
        encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }),
      ),
  ],
  [
    'a token balance',
    ({ token, owner }) =>
      call(token, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })),
  ],
  [
    'a test run of an approval',
    ({ token, owner, spender }) =>
      call(
        token,
        encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] }),
        owner,
      ),
  ],
  ['a call of nobody', ({ owner }) => call(nobody, '0x12345678', owner)],
  ['a call of the platform’s contract', ({ spender }) => call(spender, '0x12345678')],
  [
    'the gas of an approval',
    ({ token, owner: from, spender }) => {
      const args = [spender, 5n] as const;
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
      return { method: 'eth_estimateGas', params: [{ from, to: token, data }] };
    },
  ],
  ['a transaction', ({ hash }) => ({ method: 'eth_getTransactionByHash', params: [hash] })],
  ['a receipt', ({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })],
  [
    'an unknown transaction',
    () => ({ method: 'eth_getTransactionByHash', params: [padded('0x12')] }),
  ],
  ['an unknown receipt', () => ({ method: 'eth_getTransactionReceipt', params: [padded('0x12')] })],
  ['a block', ({ block }) => ({ method: 'eth_getBlockByNumber', params: [block, false] })],
  [
    'a block with its transactions',
    ({ block }) => ({ method: 'eth_getBlockByNumber', params: [block, true] }),
  ],
  [
    'a block that does not exist yet',
    () => ({ method: 'eth_getBlockByNumber', params: ['0xffffff', true] }),
  ],
  [
    'the events of an approval',
    ({ token, owner, spender, block }) => {
      const approval = toEventSelector('Approval(address,address,uint256)');
      const topics = [approval, padded(owner), padded(spender)];
      const range = { fromBlock: block, toBlock: block };
      return { method: 'eth_getLogs', params: [{ address: token, topics, ...range }] };
    },
  ],
  [
    'the events of an approval by nobody',
    ({ token, block }) => {
      const topics = [toEventSelector('Approval(address,address,uint256)'), padded(nobody)];
      const range = { fromBlock: block, toBlock: block };
      return { method: 'eth_getLogs', params: [{ address: token, topics, ...range }] };
    },
  ],
];

describe('the mock EVM chain responds as a real node does', () => {
  it('to every read that the flow makes', async () => {
    const [real, mock] = [await onAnvil(), await onMock()];
    for (const [method, response] of mock.reads) {
      if (method === 'eth_call' || !real.reads.has(method)) continue;
      const shape = shapeOf(response);
      expect(partOf(shapeOf(real.reads.get(method)), shape), method).toEqual(shape);
    }
    // With the real node the flow makes a single read for values that it reads one by one from the
    // mock chain.
    const extra = [...mock.reads.keys()].filter((method) => !real.reads.has(method));
    expect(extra.filter((method) => !/chainId|getCode|getBalance/.test(method))).toEqual([]);
    expect([...real.reads.keys()].filter((method) => !mock.reads.has(method))).toEqual([]);
  });

  it('to each read on its own', async () => {
    const [real, mock] = [await onAnvil(), await onMock()];
    for (const [title, toCall] of READS) {
      const responses: unknown[] = [];
      for (const { node, place } of [real, mock]) {
        const params = [place.hash];
        const receipt = await node.request({ method: 'eth_getTransactionReceipt', params });
        const { blockNumber } = receipt as { blockNumber: Hex };
        responses.push(shapeOf(await node.request(toCall({ ...place, block: blockNumber }))));
      }
      const [atReal, atMock] = responses;
      expect(partOf(atReal, atMock), title).toEqual(atMock);
    }
  });

  it('with the same error to a call that a token refuses', async () => {
    const [real, mock] = [await onAnvil(), await onMock()];
    for (const { node, place } of [real, mock]) {
      const refused = node.request(call(place.token, '0x12345678'));
      await expect(refused).rejects.toMatchObject({ code: 3 });
    }
  });

  it('but refuses to run programs, as some nodes do', async () => {
    const { node } = await onMock();
    const program = node.request({ method: 'eth_call', params: [{ data: '0x00' }, 'latest'] });
    await expect(program).rejects.toMatchObject({ code: -32602 });
  });
});
