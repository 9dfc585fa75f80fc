import { expect, it } from 'vitest';
import { DELEGATE } from './cluster.js';
import { OWNER, setUpScene } from './scene.js';

it('does not take the limit before the approval, from a node that lags, for what is left of it', async () => {
  const scene = setUpScene();
  const { cluster, service, client } = scene;
  Object.assign(cluster.account, { delegate: DELEGATE, delegated: 60_000_000n });
  const before = await cluster.connection.getMultipleAccountsInfo([
    { toBase58: () => cluster.account.address },
  ]);
  service.registered = [
    { address: OWNER, network: 'solana', currency: 'usdc', allowance: '60', balance: '0' },
  ];
  let reads = 0;
  const { getMultipleAccountsInfo: read } = cluster.connection;
  client.delegation.submitSolanaApproval = () => {
    cluster.connection.getMultipleAccountsInfo = (...given) =>
      ++reads === 1 ? Promise.resolve(before) : read(...given);
    return Promise.reject(new Error('the response was lost'));
  };
  const { error } = await scene.fail();
  expect(error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
  expect(reads).toBeGreaterThan(1);
});
