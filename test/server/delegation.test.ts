import { expect, it } from 'vitest';
import { delegateEvm } from '../../src/evm/index.js';
import { createMockWallet } from '../../src/testing/wallets/index.js';
import { mockProxy, OWN_PAGE, pageClient } from './support.js';

it.each([
  ['is wrong', { date: 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ['is not shown', {}],
])('a message is signed with the time of the service where the clock of the proxy %s', async (_, own) => {
  const { mock, proxy } = mockProxy();
  const page = pageClient(proxy, {
    async fetch(url, { headers, ...init }) {
      const sent = { ...Object(headers), ...OWN_PAGE };
      const response = await proxy(new Request(url, { ...init, headers: sent }));
      return new Response(response.body, {
        status: response.status,
        headers: { ...Object.fromEntries(response.headers), ...own },
      });
    },
  });
  const wallet = await createMockWallet({ platform: mock });
  const { runtime } = wallet.chains;
  const linea = wallet.chains.evm('linea');
  await delegateEvm({
    client: page,
    wallet: wallet.evm,
    node: linea,
    network: 'linea',
    spender: linea.spender,
    currency: 'usdc',
    amount: '100.5',
    domain: 'app.example',
    uri: 'https://app.example',
    // The clock of the page is an hour slow.
    runtime: { ...runtime, now: () => mock.now - 3_600_000 },
  });
  const signed = wallet.prompts.find(({ kind }) => kind === 'sign-message')?.text ?? '';
  expect(/^Issued At: (.*)$/m.exec(signed)?.[1]).toBe('2026-01-01T00:00:00.000Z');
});
