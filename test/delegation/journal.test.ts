import { expect, it } from 'vitest';
import { delegateEvm } from '../../src/evm/index.js';
import { type CardPlatformClient, outcomeOf } from '../../src/index.js';
import { createJournal } from '../../src/journal/index.js';
import { delegateSolana } from '../../src/solana/index.js';
import { memoryStore } from '../../src/stores/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { createMockWallet, type MockWalletOptions } from '../../src/testing/wallets/index.js';
import { rejection } from '../support/clients.js';
import { signedMessage } from '../support/signed-message.js';

// A flow looks up its own requests. An entry of them would stay open, because nothing tells the journal.

/** A platform, and the client of a user with a journal. */
function setUpClient() {
  const mock = createMockPlatform();
  const journal = createJournal({ store: memoryStore(), hasAllRequests: true });
  return { mock, client: mock.clientFor(mock.users.add(), { retry: false, journal }) };
}

/** Both flows for a wallet of this user. */
async function setUp(options: MockWalletOptions = {}) {
  const { mock, client } = setUpClient();
  const wallet = await createMockWallet({ platform: mock, ...options });
  const linea = wallet.chains.evm('linea');
  const { solana, runtime } = wallet.chains;
  const page = { domain: 'app.example', uri: 'https://app.example' };
  const shared = { client, currency: 'usdc', amount: '100.5', runtime, ...page } as const;
  const { spender } = linea;
  const ofEvm = { wallet: wallet.evm, node: linea, network: 'linea', spender } as const;
  const ofSolana = { wallet: wallet.solana, node: solana, spender: solana.delegate };
  return {
    mock,
    client,
    onEvm: (more: { faucet?: boolean } = {}) => delegateEvm({ ...shared, ...ofEvm, ...more }),
    onSolana: () => delegateSolana({ ...shared, ...ofSolana }),
  };
}

const operationsOf = async ({ journal }: CardPlatformClient) =>
  (await journal.pending()).map(({ operation }) => operation);

it.each([
  ['delegation.submitEvmApproval', 'onEvm'],
  ['delegation.submitSolanaApproval', 'onSolana'],
] as const)('%s of a flow leaves no open entry when its response is lost', async (proof, run) => {
  const scene = await setUp();
  scene.mock.drop(proof, 'after-processing');
  expect((await scene[run]()).registration).toBe('found-in-wallets');
  expect(await operationsOf(scene.client)).toEqual([]);
});

it.each([
  ['delegation.submitEvmApproval', 'onEvm'],
  ['delegation.submitSolanaApproval', 'onSolana'],
] as const)('%s of a flow leaves none to a page that is closed meanwhile', async (proof, run) => {
  const scene = await setUp();
  const held = scene.mock.hold(proof);
  const flow = scene[run]();
  await held.arrived;
  expect(await operationsOf(scene.client)).toEqual([]);
  held.release();
  await flow;
});

it('the faucet of a flow leaves no open entry when its response is lost', async () => {
  const { mock, client, onEvm } = await setUp({ isFunded: false });
  mock.drop('delegation.getToken', 'after-processing');
  await onEvm({ faucet: true }).catch(() => undefined);
  const [asked] = mock.requests.matching({ operation: 'delegation.getToken' });
  expect(asked?.path).toContain('faucet=true');
  expect(await operationsOf(client)).toEqual([]);
});

it('the same requests of an application have an entry before they leave', async () => {
  const { mock, client } = setUpClient();
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const { token, nonce } = await client.delegation.getToken();
  const calls = [
    () => client.delegation.getToken({ faucet: true, address, network: 'linea' }),
    () =>
      client.delegation.submitEvmApproval({
        ...{ address, network: 'linea', currency: 'usdc', amount: '100.5', token },
        txHash: `0x${'a'.repeat(64)}`,
        sigHash: `0x${'b'.repeat(130)}`,
        sigMessage: signedMessage({ address, nonce }),
      }),
  ];
  for (const [index, call] of calls.entries()) {
    const operation = (['delegation.getToken', 'delegation.submitEvmApproval'] as const)[index];
    if (operation === undefined) throw new Error('there must be an operation for each call');
    const held = mock.hold(operation);
    const made = call();
    await held.arrived;
    expect(await operationsOf(client)).toEqual([operation]);
    held.release();
    await made;
    expect(await operationsOf(client)).toEqual([]);
    mock.drop(operation, 'after-processing');
    expect(outcomeOf(await rejection(call()))).toBe('unknown');
    const [entry] = await client.journal.pending();
    if (entry === undefined) throw new Error('there must be an entry');
    expect(entry.operation).toBe(operation);
    await client.journal.remove(entry, 'undecided');
  }
});
