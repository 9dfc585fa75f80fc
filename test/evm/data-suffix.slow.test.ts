import { createWalletClient, encodeFunctionData, erc20Abi, type Hex, http } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EvmCall } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { createBrowserWallet } from './support/browser-wallet.js';
import { waitUntilMined } from './support/chain-actions.js';
import { setUpScene } from './support/scene.js';

/** A builder code, its length, its schema, and the marker of ERC-8021. */
const SUFFIX = '0x62617365617070070080218021802180218021802180218021';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

const inputOf = async (hash: string): Promise<Hex> =>
  (await chain.publicClient.getTransaction({ hash: hash as Hex })).input;

it('an approval to which viem appends its dataSuffix is accepted', async () => {
  const scene = await setUpScene(chain);
  const wallet = createWalletClient({
    account: scene.account,
    chain: chain.chain,
    transport: http(chain.url),
    dataSuffix: SUFFIX,
  });
  const result = await scene.delegate({ wallet });
  expect(result.registration).toBe('accepted');
  expect(await inputOf(String(result.transactionId))).toMatch(
    new RegExp(`^0x095ea7b3.{128}${SUFFIX.slice(2)}$`),
  );
});

it('an approval to which the browser wallet appends data is accepted, also when its hash was lost', async () => {
  const scene = await setUpScene(chain);
  const hashes: string[] = [];
  const browser = createBrowserWallet(scene.account, [chain], {
    eth_sendTransaction: async ([call]: [EvmCall]) => {
      const { account } = scene;
      const data: Hex = `${call.data}${SUFFIX.slice(2)}`;
      const sent = { account, chain: chain.chain, to: call.to, data };
      hashes.push(await chain.walletFor(account).sendTransaction(sent));
      throw new Error('the connection to the wallet was lost');
    },
  });
  const { error, state } = await scene.delegateAndCatch({ wallet: browser });
  expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
  await waitUntilMined(chain, hashes[0] as Hex);
  const result = await scene.delegate({ wallet: browser, resume: state });
  expect(result).toMatchObject({ registration: 'accepted', transactionId: hashes[0] });
  expect(hashes).toHaveLength(1);
});

it('a call that only ends with the approval is still refused', async () => {
  const scene = await setUpScene(chain);
  const wallet = {
    ...scene.wallet,
    sendTransaction: (call: EvmCall) => {
      const mint = encodeFunctionData({ ...chain.usdc, functionName: 'mint', args: [call.to, 1n] });
      return scene.wallet.sendTransaction({ ...call, data: `${mint}${call.data.slice(2)}` });
    },
  };
  const { error } = await scene.delegateAndCatch({ wallet });
  expect(error).toMatchObject({ code: 'approval_mismatch', field: 'calldata' });
});

it.each([
  ['amount', 1n],
  ['spender', 100_500_000n],
])('an approval of another %s with appended data is still refused', async (field, units) => {
  const scene = await setUpScene(chain);
  const wallet = {
    ...scene.wallet,
    sendTransaction: (call: EvmCall) => {
      const spender: Hex =
        field === 'spender' ? chain.usdt.address : `0x${call.data.slice(34, 74)}`;
      const args = [spender, units] as const;
      const other = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
      return scene.wallet.sendTransaction({ ...call, data: `${other}${SUFFIX.slice(2)}` });
    },
  };
  const { error } = await scene.delegateAndCatch({ wallet });
  expect(error).toMatchObject({ code: 'approval_mismatch', field });
  expect(scene.requestCount('delegation.submitEvmApproval')).toBe(0);
});

it('a sped-up approval with appended data is followed', async () => {
  const scene = await setUpScene(chain);
  await chain.stopMining();
  try {
    const { account } = scene;
    const send = (call: { to: Hex; data: Hex }, fee: bigint) =>
      chain.walletFor(account).sendTransaction({
        account,
        chain: chain.chain,
        to: call.to,
        data: `${call.data}${SUFFIX.slice(2)}` as Hex,
        nonce: 0,
        gas: 100_000n,
        maxFeePerGas: fee,
        maxPriorityFeePerGas: fee,
      });
    const browser = createBrowserWallet(account, [chain], {
      eth_sendTransaction: async ([call]: [EvmCall]) => {
        const first = await send(call, 3_000_000_000n);
        setImmediate(async () => {
          await send(call, 6_000_000_000n);
          await chain.testClient.mine({ blocks: 1 });
        });
        return first;
      },
    });
    const result = await scene.delegate({ wallet: browser });
    expect(result.registration).toBe('accepted');
  } finally {
    await chain.startMining();
  }
});
