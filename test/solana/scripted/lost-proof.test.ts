import { expect, it } from 'vitest';
import { approveData, DELEGATE, OTHER } from './cluster.js';
import { OWNER, setUpScene } from './scene.js';

const listed = (address: string, allowance = '100.5') => [
  { address, network: 'solana', currency: 'usdc', allowance, balance: '0' },
];

it('does not take the limit before the approval, from a node that lags, for what is left of it', async () => {
  const scene = setUpScene();
  const { cluster, service, client } = scene;
  Object.assign(cluster.account, { delegate: DELEGATE, delegated: 60_000_000n });
  const before = await cluster.connection.getMultipleAccountsInfo([
    { toBase58: () => cluster.account.address },
  ]);
  service.registered = listed(OWNER, '60');
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

/** Runs a flow whose proof gets no response, and returns the state that a page would save. */
async function loseProof(registered: unknown = []) {
  const scene = setUpScene();
  const { client, service } = scene;
  const submit = client.delegation.submitSolanaApproval;
  client.delegation.submitSolanaApproval = () => Promise.reject(new Error('no response'));
  service.registered = registered;
  const { error, state } = await scene.fail();
  client.delegation.submitSolanaApproval = submit;
  return { scene, error, state };
}

it('does not take the registration of another wallet for that of this one', async () => {
  const { error, scene } = await loseProof(listed(OTHER));
  expect(error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
  expect(scene.proofs).toEqual([]);
});

it('a registered approval is compared with the chain before a later run ends', async () => {
  const { scene, state } = await loseProof();
  scene.service.registered = listed(OWNER);
  const result = await scene.run({ resume: state });
  expect(result).toMatchObject({ registration: 'found-in-wallets' });
  expect(scene.proofs).toEqual([]);

  const [approval] = scene.cluster.transactions;
  for (const instruction of approval?.instructions ?? []) instruction.data = approveData(5n);
  const { error } = await scene.fail({ resume: state });
  expect(error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '0.000005' });
});

it('a token account that was frozen since does not undo the registration', async () => {
  const { scene, state } = await loseProof();
  scene.service.registered = listed(OWNER);
  Object.assign(scene.cluster.account, { state: 2 });
  expect(await scene.run({ resume: state })).toMatchObject({ registration: 'found-in-wallets' });
  expect(scene.proofs).toEqual([]);
});
