import { readFileSync } from 'node:fs';
import {
  type Abi,
  type Account,
  type Chain,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Anvil, startAnvil } from './anvil.js';

type Compiled = Record<string, { abi: Abi; bytecode: Hex }>;

const COMPILED = JSON.parse(
  readFileSync(new URL('contracts/compiled.json', import.meta.url), 'utf8'),
) as Compiled;

/** First of anvil's well-known accounts: it deploys, and hands out money. */
const BANK = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
);

/** Contracts on a local chain. */
export type LocalContract = { readonly address: `0x${string}`; readonly abi: Abi };

/** A local chain with two tokens on it. */
export type LocalChain = Awaited<ReturnType<typeof startLocalChain>>;

/** Starts a chain, and puts a USDC-like and a USDT-like token on it. */
export async function startLocalChain(chainId: number) {
  const anvil = await startAnvil(chainId);
  try {
    return await furnish(anvil, chainId);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

async function furnish(anvil: Anvil, chainId: number) {
  const chain = defineChain({
    id: chainId,
    name: `local ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.url] } },
  });
  const transport = http(anvil.url);
  const publicClient = createPublicClient({ chain, transport, pollingInterval: 20 });
  const testClient = createTestClient({ mode: 'anvil', chain, transport });
  const bank = walletOf(chain, anvil.url, BANK);

  const deploy = async (name: string, args: unknown[] = []): Promise<LocalContract> => {
    const { abi, bytecode } = contract(name);
    const hash = await bank.deployContract({ account: BANK, chain, abi, bytecode, args });
    const { contractAddress } = await publicClient.waitForTransactionReceipt({ hash });
    if (!contractAddress) throw new Error(`${name} was not deployed`);
    return { address: contractAddress, abi };
  };
  const usdc = await deploy('StandardToken');
  const usdt = await deploy('TetherLikeToken');

  return {
    chainId,
    chain,
    url: anvil.url,
    publicClient,
    testClient,
    bank,
    usdc,
    usdt,
    deploy,
    /** The networks option that makes the flow use these tokens. */
    networks: {
      [chainId === 1 ? 'ethereum' : 'linea']: {
        chainId,
        tokens: {
          usdc: { address: usdc.address, decimals: 6 },
          usdt: { address: usdt.address, decimals: 6, approvesOnlyFromZero: true },
        },
      },
    },
    /** A new account with coins for the fees. */
    async newAccount() {
      const account = privateKeyToAccount(generatePrivateKey());
      await testClient.setBalance({ address: account.address, value: 10n ** 18n });
      return account;
    },
    walletFor: (account: Account) => walletOf(chain, anvil.url, account),
    stop: () => anvil.stop(),
  };
}

function walletOf<A extends Account>(chain: Chain, url: string, account: A) {
  return createWalletClient({ account, chain, transport: http(url), pollingInterval: 20 });
}

function contract(name: string): { abi: Abi; bytecode: Hex } {
  const found = COMPILED[name];
  if (found === undefined) throw new Error(`there is no contract ${name}`);
  return found;
}
