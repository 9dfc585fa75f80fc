import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { amountToBaseUnits, type EvmNode, readEvmSpendingPower } from '../../src/evm/index.js';
import { powerOf, readCap } from '../../src/evm/spending-power.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { mint, spend } from './support/chain-actions.js';
import { SPENDER, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(1);
});

afterAll(() => chain.stop());

const counting = (refusesBatch = false) => {
  const methods: string[] = [];
  const node: EvmNode = {
    async request(call) {
      methods.push(call.method);
      const [target] = (call.params ?? []) as [{ to?: string }?];
      if (refusesBatch && call.method === 'eth_call' && !target?.to) throw new Error('missing to');
      return chain.publicClient.request(call as never) as Promise<unknown>;
    },
  };
  return { methods, node };
};

describe('the spending power of registered EVM wallets', () => {
  it('is the smaller one of limit and balance, with cap and spent for a progress bar', async () => {
    const scene = await setUpScene(chain);
    await mint(scene, 60_000_000n);
    await scene.delegate({ currency: 'usdt' });
    const { networks } = chain;
    const wallets = await scene.client.wallets.external.list();
    const { methods, node } = counting();
    const input = { wallets, node, spender: SPENDER, networks };
    const before = await readEvmSpendingPower(input);
    expect(before).toMatchObject({
      wallets: [{ cap: '100.5', limit: '100.5', balance: '60', spendable: '60', spent: '0' }],
      leftOut: [],
    });
    await spend(scene, 20_000_000n);
    await mint(scene, 100_000_000n);
    const after = await readEvmSpendingPower(input);
    expect(after.wallets).toEqual([
      expect.objectContaining({
        address: scene.account.address,
        network: 'ethereum',
        currency: 'usdt',
        cap: '100.5',
        limit: '80.5',
        balance: '140',
        spendable: '80.5',
        spent: '20',
        isUnlimited: false,
      }),
    ]);
    expect(methods).toEqual(['eth_call', 'eth_call']);
  });

  it.each([
    [1, false, 1],
    [150, false, 1],
    [151, false, 2],
    [2, true, 6],
  ])('of %d wallets, with a node that refuses a batch: %s, takes %d reads', async (count, refuses, reads) => {
    const scene = await setUpScene(chain);
    await scene.delegate();
    const { methods, node } = counting(refuses);
    const [wallet] = scene.registeredWallets();
    const wallets = Array.from({ length: count }, () => wallet ?? null);
    const result = await readEvmSpendingPower({
      wallets,
      node: node,
      spender: { Ethereum: SPENDER },
      networks: chain.networks,
    });
    expect(result.wallets).toHaveLength(count);
    expect(result.wallets.at(-1)).toMatchObject({ limit: '100.5', spendable: '0' });
    expect(methods).toHaveLength(reads);
  });

  it('leaves out what cannot be read here, with the reason', async () => {
    const scene = await setUpScene(chain);
    // The verifier of the tests expects the amount on the chain, so only the approval remains.
    await scene.delegateAndCatch({ unlimited: true, cap: '500' });
    const { address } = scene.account;
    const own = { address, currency: 'usdc', network: 'ethereum', allowance: '100.5' };
    const odd = { ...own, address: address.toLowerCase(), currency: 'USDC', network: 'Ethereum' };
    const noContract = { chainId: 1, tokens: { eurc: { address: SPENDER, decimals: 6 } } };
    const { wallets, leftOut } = await readEvmSpendingPower({
      wallets: [
        odd,
        { ...own, allowance: 'unlimited' },
        { ...own, allowance: Number.NaN },
        { ...own, network: 'linea' },
        { ...own, network: 'solana' },
        { ...own, currency: 'doge' },
        { ...own, currency: 'eurc', network: 'sandbox' },
        { ...own, address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' },
        { ...own, address: 7, network: undefined },
        null,
      ],
      node: chain.publicClient,
      spender: { ethereum: SPENDER, linea: SPENDER, sandbox: SPENDER },
      networks: { ...chain.networks, sandbox: noContract },
    });
    expect(wallets.map(({ cap, isUnlimited, spent }) => [cap, isUnlimited, spent])).toEqual([
      ['100.5', true, '0'],
      [undefined, true, undefined],
      [undefined, true, undefined],
    ]);
    expect(wallets[0]).toMatchObject({ address, currency: 'usdc', network: 'ethereum' });
    expect(leftOut.map(({ reason }) => reason).sort()).toEqual(
      [
        'not-evm',
        'not-evm',
        'not-evm',
        'unknown-asset',
        'unknown-asset',
        'other-chain',
        'unreadable',
      ].sort(),
    );
    const kept = await readEvmSpendingPower({
      wallets: [own],
      node: chain.publicClient,
      spender: { linea: SPENDER },
      networks: chain.networks,
    });
    expect(kept.leftOut).toEqual([{ wallet: own, reason: 'no-spender' }]);
  });

  it('uses the cap that the caller kept', async () => {
    const scene = await setUpScene(chain);
    await scene.delegate();
    const { wallets } = await readEvmSpendingPower({
      wallets: scene.registeredWallets(),
      node: chain.publicClient,
      spender: SPENDER,
      networks: chain.networks,
      capOf: () => '300',
    });
    expect(wallets[0]).toMatchObject({ cap: '300', limit: '100.5', spent: '199.5' });
  });

  it.each([
    [{ wallets: 'none' as never }, 'wallets'],
    [{ spender: 'nobody' }, 'spender'],
    [{ spender: { linea: '0x' } }, 'spender.linea'],
    [{ node: {} as never }, 'node'],
    [{ readTimeout: -1 }, 'readTimeout'],
  ])('is refused for %j', async (changes, path) => {
    const { methods, node } = counting();
    const input = { wallets: [], node, spender: SPENDER, ...changes };
    const error: unknown = await readEvmSpendingPower(input).catch((e: unknown) => e);
    expect((error as { issues: { path: string }[] }).issues[0]?.path).toBe(path);
    expect(methods).toEqual([]);
  });

  it('fails when the node fails', async () => {
    const node: EvmNode = { request: () => Promise.reject(new Error('down')) };
    const wallet = { address: SPENDER, currency: 'usdc', network: 'ethereum' };
    await expect(
      readEvmSpendingPower({ wallets: [wallet], node: node, spender: SPENDER }),
    ).rejects.toMatchObject({ code: 'chain_unreadable' });
  });
});

describe('the calculation of a spending power', () => {
  const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
  const exact = (text: string | undefined, decimals: number) =>
    text === undefined || /^0(\.0+)?$/.test(text)
      ? 0n
      : BigInt(text.split('.')[0] + (text.split('.')[1] ?? '').padEnd(decimals, '0'));

  it('never lets more be spent than limit, balance, and cap less spent', () => {
    fc.assert(
      fc.property(
        units,
        units,
        units,
        fc.integer({ min: 0, max: 36 }),
        (limit, balance, cap, decimals) => {
          const power = powerOf(decimals, { limit, balance, cap });
          const of = (text: string | undefined) => exact(text, decimals);
          expect(of(power.spendable)).toBe(limit < balance ? limit : balance);
          expect(of(power.spent)).toBe(cap > limit ? cap - limit : 0n);
          expect(of(power.spent) + (cap < limit ? cap : limit)).toBe(cap);
        },
      ),
    );
  });

  it('reads a cap exactly, and reads nothing that is not a number as a cap', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 100n }), (value) => {
        expect(readCap(`0x${value.toString(16)}`, 6)).toBe(value);
        expect(readCap(value.toString(), 6)).toBe(value * 1_000_000n);
      }),
    );
    expect(readCap('100.5', 6)).toBe(amountToBaseUnits('100.5', 6));
    expect(readCap(' 7 ', 6)).toBe(7_000_000n);
    expect(readCap('1.23456789', 6)).toBe(1_234_567n);
    for (const odd of [
      null,
      undefined,
      '',
      'NaN',
      '1e3',
      '-1',
      {},
      [],
      true,
      Number.NaN,
      Infinity,
    ]) {
      expect(readCap(odd, 6)).toBeUndefined();
    }
  });
});
