import { expect, it } from 'vitest';
import { runDelegation } from '../../src/delegation/run-delegation.js';
import { delegateEvm } from '../../src/evm/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { createMockWallet } from '../../src/testing/wallets/index.js';
import { rejection } from '../support/clients.js';
import { createFakeDelegation } from './support/fake-driver.js';

// The option `region` of a flow, with a client of the global region.

it('a proof whose response is lost is found in the list of wallets of the US', async () => {
  const mock = createMockPlatform();
  const grace = mock.users.add({ environment: 'us' });
  const wallet = await createMockWallet({ platform: mock });
  const linea = wallet.chains.evm('linea');
  mock.drop('delegation.submitEvmApproval', 'after-processing');
  const { registration } = await delegateEvm({
    client: mock.clientFor(grace, { region: 'global', retry: false }),
    region: 'us',
    wallet: wallet.evm,
    node: linea,
    network: 'linea',
    spender: linea.usSpender,
    currency: 'usdc',
    amount: '100.5',
    domain: 'app.example',
    uri: 'https://app.example',
    runtime: wallet.chains.runtime,
  });
  expect(registration).toBe('found-in-wallets');
});

it('a lost revocation is not taken for registered because another region does not list the wallet', async () => {
  const { driver, options, client } = createFakeDelegation({
    proof: { address: 'owner', network: 'net', currency: 'cur', amount: '0', isRevocation: true },
    limit: { units: 0n, decimals: 0 },
    submit: async () => {
      throw new Error('lost');
    },
  });
  const listed = { address: 'owner', network: 'net', currency: 'cur', allowance: '5' };
  client.wallets = { external: { list: async (call) => (call?.region === 'us' ? [listed] : []) } };
  const error = await rejection(runDelegation(driver, options({ region: 'us' })));
  expect(error).toMatchObject({ code: 'revocation_not_registered' });
  // In the client's own region it counts as registered.
  const { registration } = await runDelegation(driver, options());
  expect(registration).toBe('found-in-wallets');
});
