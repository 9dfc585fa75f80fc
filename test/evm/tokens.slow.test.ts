import { decodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  previewEvmDelegation,
  readEvmSpendingPower,
  revokeEvmDelegation,
} from '../../src/evm/index.js';
import { CardPlatformClient } from '../../src/index.js';
import { type LocalChain, startLocalChain, withToken } from '../chain/local-chain.js';
import { approve, mint, spend } from './support/chain-actions.js';
import { type Scene, SPENDER, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

/** A user with a wallet, on a chain whose usdc is a compiled contract of this kind. */
async function sceneOf(contract: string, decimals: number): Promise<Scene> {
  return setUpScene(withToken(chain, await chain.deploy(contract), decimals));
}

async function powerOf({ client, chain: { publicClient, networks } }: Scene) {
  const wallets = await client.wallets.external.list();
  return readEvmSpendingPower({ wallets, node: publicClient, spender: SPENDER, networks });
}

/** Kind, contract, decimals, and how many transactions a change of the limit needs. */
const TOKENS = [
  ['a standard token with 6 decimals', 'StandardToken', 6, 1],
  ['a USDT-like token, whose approve returns nothing', 'TetherLikeToken', 6, 2],
  ['a token with 18 decimals', 'EighteenDecimalsToken', 18, 1],
  ['a token with a fee on transfer', 'FeeOnTransferToken', 6, 1],
  ['a token with a blocklist, for an account that is not on it', 'BlocklistToken', 6, 1],
] as const;

describe.each(TOKENS)('a delegation of %s', (_, contract, decimals, transactions) => {
  const units = (amount: string) => parseUnits(amount, decimals);

  it('is previewed, approved, proven and registered with the same amount', async () => {
    const scene = await sceneOf(contract, decimals);
    const preview = await previewEvmDelegation(scene.options());
    expect(preview).toMatchObject({
      decimals,
      amount: '100.5',
      baseUnits: units('100.5').toString(),
      wireAmount: '100.5',
      transactions: 1,
    });
    expect(preview.problems.filter(({ isBlocking }) => isBlocking)).toEqual([]);
    const result = await scene.delegate();
    expect(result).toMatchObject({ registration: 'accepted', amount: '100.5' });
    expect(scene.prompts).toEqual(['sign', 'send']);
    const hash = result.transactionId as Hex;
    const { input } = await chain.publicClient.getTransaction({ hash });
    const { args } = decodeFunctionData({ abi: erc20Abi, data: input });
    expect(args).toEqual([SPENDER, units('100.5')]);
    expect(await scene.allowance()).toBe(units('100.5'));
    expect(scene.registeredWallets()).toMatchObject([{ allowance: '100.5' }]);
  });

  it('is lowered and revoked', async () => {
    const scene = await sceneOf(contract, decimals);
    await scene.delegate();
    const preview = await previewEvmDelegation(scene.options({ amount: '7' }));
    expect(preview).toMatchObject({ oldLimit: '100.5', transactions });
    scene.prompts.length = 0;
    expect((await scene.delegate({ amount: '7' })).registration).toBe('accepted');
    expect(scene.prompts).toHaveLength(1 + transactions);
    expect(await scene.allowance()).toBe(units('7'));
    const { amount: _amount, ...options } = scene.options();
    const revoked = await revokeEvmDelegation({ ...options, submit: false });
    expect(revoked).toMatchObject({ registration: 'not-submitted', amount: '0' });
    expect(await scene.allowance()).toBe(0n);
  });
});

/** usdc has 6 decimals on the networks of the contract. On one that the caller adds it may have 18. */
async function addedNetworkScene() {
  const token = await chain.deploy('EighteenDecimalsToken');
  const scene = await setUpScene(withToken(chain, token, 18), {}, ['base']);
  const { mock, owner } = scene;
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(owner),
    additions: { evmNetworks: ['base'] },
  });
  const networks = {
    base: { chainId: 59144, tokens: { usdc: { address: token.address, decimals: 18 } } },
  };
  return { ...scene, changes: { client, networks, network: 'base' } };
}

describe('a delegation of a token with 18 decimals', () => {
  it.each([
    '0.000000000000000001',
    '0.1234567',
    '123456789.123456789012345678',
    '340282366920938463463.374607431768211455',
  ])('approves, proves and registers exactly %s', async (amount) => {
    const { changes, ...scene } = await addedNetworkScene();
    const result = await scene.delegate({ ...changes, amount });
    expect(result).toMatchObject({ registration: 'accepted', amount });
    expect(await scene.allowance()).toBe(parseUnits(amount, 18));
    const proof = scene.mock.requests.only({ operation: 'delegation.submitEvmApproval' });
    expect(proof.body).toMatchObject({ amount, network: 'base' });
    expect(scene.registeredWallets()).toMatchObject([{ allowance: amount }]);
  });

  it('submits base units of the token when the caller asks for base units', async () => {
    const { changes, ...scene } = await addedNetworkScene();
    await scene.delegateAndCatch({ ...changes, wireAmount: 'base-units' });
    const proof = scene.mock.requests.only({ operation: 'delegation.submitEvmApproval' });
    expect(proof.body).toMatchObject({ amount: '100500000000000000000' });
  });

  it.each([
    '0.0000000000000000001',
    '340282366920938463463.374607431768211456',
  ])('refuses the amount %s, which it cannot hold, before anything is sent', async (amount) => {
    const { changes, ...scene } = await addedNetworkScene();
    const { error } = await scene.delegateAndCatch({ ...changes, amount });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'amount' }] });
    expect(scene.mock.requests).toHaveLength(0);
    expect(scene.prompts).toEqual([]);
  });

  it('refuses more than 6 decimals of usdc on a network of the contract before anything is sent', async () => {
    const scene = await sceneOf('EighteenDecimalsToken', 18);
    const { error } = await scene.delegateAndCatch({ amount: '0.1234567' });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'amount' }] });
    expect(scene.mock.requests).toHaveLength(0);
    expect(scene.prompts).toEqual([]);
  });

  it('is refused before the wallet is asked when the networks say 6 decimals', async () => {
    const token = await chain.deploy('EighteenDecimalsToken');
    const scene = await setUpScene(withToken(chain, token, 6));
    const { error } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ code: 'token_decimals_differ', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });

  it('reads what can be spent now in units of the currency', async () => {
    const scene = await sceneOf('EighteenDecimalsToken', 18);
    await scene.delegate();
    await mint(scene, 1n);
    expect((await powerOf(scene)).wallets).toMatchObject([
      { limit: '100.5', balance: '0.000000000000000001', spendable: '0.000000000000000001' },
    ]);
  });
});

it('a fee on transfer does not change the limit, only the amount that the receiver gets', async () => {
  const scene = await sceneOf('FeeOnTransferToken', 6);
  await mint(scene, 50_000_000n);
  await scene.delegate();
  expect((await powerOf(scene)).wallets).toMatchObject([{ limit: '100.5', spendable: '50' }]);
  await spend(scene, 10_000_000n);
  const received = await chain.publicClient.readContract({
    ...scene.chain.usdc,
    functionName: 'balanceOf',
    args: [chain.bank.account.address],
  });
  expect(received).toBe(9_900_000n);
  expect((await powerOf(scene)).wallets).toMatchObject([
    { cap: '100.5', limit: '90.5', balance: '40', spendable: '40', spent: '10' },
  ]);
});

it('a USDT-like token with an old limit is reset first although the networks do not say so', async () => {
  const scene = await sceneOf('TetherLikeToken', 6);
  await approve(scene, 5n);
  expect((await scene.delegate()).registration).toBe('accepted');
  expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
});
