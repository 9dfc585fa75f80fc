import type { ChainConfig } from '../contract/delegation.js';
import type { Environment } from './environment.js';

// The delegation contracts are made up: a real one comes from the service, never from a test.
const SPENDERS = {
  global: {
    linea: '0x00000000000000000000000000000000000de1e9',
    ethereum: '0x00000000000000000000000000000000000de1ea',
    solana: 'De1egate11111111111111111111111111111111112',
  },
  us: {
    linea: '0x00000000000000000000000000000000000de1eb',
    ethereum: '0x00000000000000000000000000000000000de1ec',
    solana: 'De1egate11111111111111111111111111111111113',
  },
} as const satisfies Record<Environment, Record<string, string>>;

/**
 * Returns the default networks of the mock platform in one environment. The tokens are those of the
 * main networks, because `/evm` and `/solana` compare them with their own lists. The chain id of
 * Solana is made up as well.
 */
export function defaultChainConfig(environment: Environment): ChainConfig {
  const token = (symbol: string, address: string) => ({ symbol, decimals: 6, address });
  const spenders = SPENDERS[environment];
  const networks = [
    {
      network: 'linea',
      chainId: '59144',
      delegationContract: spenders.linea,
      tokens: {
        usdc: token('USDC', '0x176211869cA2b568f2A7D4EE941E073a821EE1ff'),
        usdt: token('USDT', '0xA219439258ca9da29E9Cc4cE5596924745e12B93'),
      },
    },
    {
      network: 'ethereum',
      chainId: '0x1',
      delegationContract: spenders.ethereum,
      tokens: {
        usdc: token('USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
        usdt: token('USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
      },
    },
    {
      network: 'solana',
      chainId: '101',
      delegationContract: spenders.solana,
      tokens: {
        USDC: token('USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
        USDT: token('USDT', 'Es9vMFrzaCERmJfrF4F2FYD4KCoNkY11McCe8BenwNYB'),
      },
    },
  ];
  return {
    networks: networks.map((network) => ({ ...network, environment: 'mock' })),
    count: networks.length,
  };
}

/** Returns the config with only the networks of that name, in any case. */
export function narrowedTo(config: ChainConfig, name: string | null): ChainConfig {
  if (name === null || name === '') return config;
  const networks = (config.networks ?? []).filter(
    ({ network }) => network?.toLowerCase() === name.toLowerCase(),
  );
  return { ...config, networks, count: networks.length };
}
