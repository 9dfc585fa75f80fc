import { expect, it } from 'vitest';
import { approveData, DELEGATE, MINT, OTHER, type ScriptedCluster } from './cluster.js';
import { OWNER, setUpScene } from './scene.js';

/** The token account of the wallet. */
const ACCOUNT = setUpScene().cluster.account.address;

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

it.each<[string, object]>([
  ['frozen', { state: 2 }],
  ['closed', { exists: false }],
  ['given to another owner', { address: ACCOUNT, owner: OTHER }],
  ['created for another mint', { mint: OTHER }],
])('a token account that was %s since does not undo the registration', async (_, change) => {
  const { scene, state } = await loseProof();
  scene.service.registered = listed(OWNER);
  Object.assign(scene.cluster.account, change);
  expect(await scene.run({ resume: state })).toMatchObject({ registration: 'found-in-wallets' });
  expect(scene.proofs).toEqual([]);
});

it.each<[string, (cluster: ScriptedCluster) => void]>([
  ['mint_not_found', (cluster) => hideMint(cluster)],
  ['wrong_program', (cluster) => Object.assign(cluster, { program: OTHER })],
  ['wrong_decimals', (cluster) => Object.assign(cluster, { decimals: 7 })],
])('a mint with which nothing can be compared (%s) does not prove the approval', async (reason, change) => {
  const { scene, state } = await loseProof();
  scene.service.registered = listed(OWNER);
  const [approval] = scene.cluster.transactions;
  for (const one of approval?.instructions ?? []) {
    if (one.data[0] === 13) one.accounts[2] = OTHER;
  }
  const { connection, decimals, program } = scene.cluster;
  const read = connection.getMultipleAccountsInfo;
  change(scene.cluster);
  const { error, state: later } = await scene.fail({ resume: state });
  expect(error).toMatchObject({ code: 'token_account_unusable', reason, outcome: 'unknown' });
  connection.getMultipleAccountsInfo = read;
  Object.assign(scene.cluster, { decimals, program });
  const last = await scene.fail({ resume: later });
  expect(last.error).toMatchObject({ code: 'approval_mismatch', field: 'delegate' });
  expect(scene.proofs).toEqual([]);
});

it('an approval that failed on the chain is none, whatever the service lists', async () => {
  const { scene, state } = await loseProof();
  const { cluster, service } = scene;
  service.registered = listed(OWNER);
  for (const one of cluster.transactions) one.err = { InstructionError: [0, 'x'] };
  Object.assign(cluster.account, { delegate: undefined, delegated: 0n });
  const { error, state: later } = await scene.fail({ resume: state });
  expect(error).toMatchObject({ code: 'transaction_reverted', outcome: 'rejected' });
  cluster.blockhash = DELEGATE;
  service.registered = [];
  await scene.run({ resume: later });
  expect(scene.countOf('transaction')).toBe(2);
  expect(scene.proofs).toHaveLength(1);
});

it('an approval that a fork has failed is looked for again', async () => {
  const scene = setUpScene();
  const { connection } = scene.cluster;
  const read = connection.getTransaction;
  connection.getTransaction = async (...given) => {
    const found = await read(...given);
    return found && { ...found, meta: { ...found.meta, err: 'AccountInUse' } };
  };
  const { error, state } = await scene.fail();
  expect(error).toMatchObject({ code: 'approval_mismatch', field: 'transaction', next: 'resume' });
  connection.getTransaction = read;
  await scene.run({ resume: state });
  expect(scene.countOf('transaction')).toBe(1);
  expect(scene.proofs).toHaveLength(1);
});

function hideMint({ connection }: ScriptedCluster): void {
  const read = connection.getMultipleAccountsInfo;
  connection.getMultipleAccountsInfo = async (list, commitment) =>
    (await read(list, commitment)).map((info, at) => (list[at]?.toBase58() === MINT ? null : info));
}
