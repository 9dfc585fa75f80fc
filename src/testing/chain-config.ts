import type { ChainConfig } from '../contract/delegation.js';
import type { MockState } from './state.js';

// The delegation contracts are made up: a real one comes from the service, never from a test.
const SPENDERS = {
  linea: '0x00000000000000000000000000000000000de1e9',
  ethereum: '0x00000000000000000000000000000000000de1ea',
  solana: 'De1egate11111111111111111111111111111111112',
};

/** The spender in the US for each spender in the rest of the world. */
const US_SPENDERS: ReadonlyMap<unknown, string> = new Map([
  [SPENDERS.linea, '0x00000000000000000000000000000000000de1eb'],
  [SPENDERS.ethereum, '0x00000000000000000000000000000000000de1ec'],
  [SPENDERS.solana, 'De1egate11111111111111111111111111111111113'],
]);

/**
 * Returns the default networks of the mock platform. The tokens are those of the main networks,
 * because `/evm` and `/solana` compare them with their own lists. The chain id of Solana is made up.
 */
export function defaultChainConfig(): ChainConfig {
  const token = (symbol: string, address: string) => ({ symbol, decimals: 6, address });
  const networks = [
    {
      network: 'linea',
      chainId: '59144',
      delegationContract: SPENDERS.linea,
      tokens: {
        usdc: token('USDC', '0x176211869cA2b568f2A7D4EE941E073a821EE1ff'),
        usdt: token('USDT', '0xA219439258ca9da29E9Cc4cE5596924745e12B93'),
      },
    },
    {
      network: 'ethereum',
      chainId: '0x1',
      delegationContract: SPENDERS.ethereum,
      tokens: {
        usdc: token('USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
        usdt: token('USDT', '0xdAC17F958D2ee523a2206206994597C13D831ec7'),
      },
    },
    {
      network: 'solana',
      chainId: '101',
      delegationContract: SPENDERS.solana,
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

/** Returns the region's config. With a name, only the networks of that name, ignoring case. */
export function configFor(
  { chainConfig, usChainConfig }: MockState,
  isUs: boolean,
  name: string | null,
): ChainConfig {
  const config = isUs ? (usChainConfig ?? inUs(chainConfig)) : chainConfig;
  if (name === null || name === '') return config;
  const networks = (config.networks ?? []).filter(
    ({ network }) => network?.toLowerCase() === name.toLowerCase(),
  );
  return { ...config, networks, count: networks.length };
}

function inUs(config: ChainConfig): ChainConfig {
  if (!config.networks) return config;
  const networks = config.networks.map((network) => {
    const spender = US_SPENDERS.get(network.delegationContract);
    return spender === undefined ? network : { ...network, delegationContract: spender };
  });
  return { ...config, networks };
}
