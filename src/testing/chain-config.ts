import type { ChainConfig } from '../contract/delegation.js';

/**
 * Networks of the mock platform. Every address is made up: a real spender or token comes from the
 * service, never from a test.
 */
export function defaultChainConfig(): ChainConfig {
  const token = (symbol: string, address: string) => ({ symbol, decimals: 6, address });
  return {
    networks: [
      {
        network: 'linea',
        environment: 'mock',
        chainId: '59144',
        delegationContract: '0x00000000000000000000000000000000000de1e9',
        tokens: {
          usdc: token('USDC', '0x000000000000000000000000000000000000105d'),
          usdt: token('USDT', '0x000000000000000000000000000000000000105e'),
        },
      },
      {
        network: 'ethereum',
        environment: 'mock',
        chainId: '0x1',
        delegationContract: '0x00000000000000000000000000000000000de1ea',
        tokens: {
          usdc: token('USDC', '0x000000000000000000000000000000000000205d'),
          usdt: token('USDT', '0x000000000000000000000000000000000000205e'),
        },
      },
      {
        network: 'solana',
        environment: 'mock',
        delegationContract: 'De1egate11111111111111111111111111111111112',
        tokens: { USDC: token('USDC', 'Mint111111111111111111111111111111111111112') },
      },
    ],
    count: 3,
  };
}
