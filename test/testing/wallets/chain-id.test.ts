import { expect, it } from 'vitest';
import { createMockEvmWallet } from '../../../src/testing/wallets/index.js';

const rpcUrls = ['https://node.example'];

it.each([
  1,
  '1',
  '0x01',
  '0x',
  '0x0',
  ' 0x1',
  undefined,
])('a mock wallet refuses the chain id %j, as wallets do, before it asks the user', async (chainId) => {
  const { evm, prompts } = createMockEvmWallet({ network: 'linea' });
  for (const method of ['wallet_switchEthereumChain', 'wallet_addEthereumChain']) {
    await expect(evm.request({ method, params: [{ chainId, rpcUrls }] })).rejects.toMatchObject({
      code: -32602,
    });
  }
  expect(prompts).toEqual([]);
  expect(await evm.request({ method: 'eth_chainId' })).toBe('0xe708');
});

it('a mock wallet switches to a chain id in hexadecimal', async () => {
  const { evm } = createMockEvmWallet({ network: 'linea' });
  await evm.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] });
  expect(await evm.request({ method: 'eth_chainId' })).toBe('0x1');
});
