import type { ChainConfig } from '../contract/delegation.js';

/**
 * Returns the default networks of the mock platform. The delegation contracts are made up: a real
 * one comes from the service, never from a test. The tokens are those of the main networks, because
 * `/evm` and `/solana` compare them with their own lists.
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
          usdc: token('USDC', '0x176211869cA2b568f2A7D4EE941E073a821EE1ff'),
          usdt: token('USDT', '0xA219439258ca9da29E9Cc4cE5596924745e12B93'),
        },
      },
      {
        network: 'ethereum',
        environment: 'mock',
        chainId: '0x1',
        delegationContract: '0x00000000000000000000000000000000000de1ea',
        tokens: {
          usdc: token('USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
          usdt: token('USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
        },
      },
      {
        network: 'solana',
        environment: 'mock',
        delegationContract: 'De1egate11111111111111111111111111111111112',
        tokens: {
          USDC: token('USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
          USDT: token('USDT', 'Es9vMFrzaCERmJfrF4F2FYD4KCoNkY11McCe8BenwNYB'),
        },
      },
    ],
    count: 3,
  };
}
