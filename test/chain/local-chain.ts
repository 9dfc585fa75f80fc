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
  type PublicClient,
  TransactionReceiptNotFoundError,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Anvil, BLOCK_TIME, startAnvil } from './anvil.js';

type CompiledContracts = Record<string, { abi: Abi; bytecode: Hex }>;

const COMPILED = JSON.parse(
  readFileSync(new URL('contracts/compiled.json', import.meta.url), 'utf8'),
) as CompiledContracts;

/** The first of anvil's well-known accounts. It deploys the contracts and mints tokens. */
const BANK = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
);

/** The platform's contract: the address that may spend in tests and examples. */
const PLATFORM_CONTRACT = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';

/** A contract on a local chain. */
export type LocalContract = { readonly address: `0x${string}`; readonly abi: Abi };

/** A local chain with two tokens on it. */
export type LocalChain = Awaited<ReturnType<typeof startLocalChain>>;

/** Returns the chain with another kind of token in place of its USDC and USDT. */
export function withToken(chain: LocalChain, { address, abi }: LocalContract, decimals = 6) {
  const token = { address, abi };
  const tokens = { usdc: { address, decimals }, usdt: { address, decimals } };
  const network = chain.chainId === 1 ? 'ethereum' : 'linea';
  const networks = { [network]: { chainId: chain.chainId, tokens } };
  return { ...chain, usdc: token, usdt: token, networks } as LocalChain;
}

/** Starts a chain and deploys a USDC-like and a USDT-like token. */
export async function startLocalChain(chainId: number) {
  const anvil = await startAnvil(chainId);
  try {
    return await deployTokens(anvil, chainId);
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

async function deployTokens(anvil: Anvil, chainId: number) {
  const chain = defineChain({
    id: chainId,
    name: `local ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.url] } },
  });
  const transport = http(anvil.url);
  const publicClient = createPublicClient({ chain, transport, pollingInterval: 20 });
  const testClient = createTestClient({ mode: 'anvil', chain, transport });
  const bank = createLocalWallet(chain, anvil.url, BANK);

  const deploy = async (name: string, args: unknown[] = []): Promise<LocalContract> => {
    const { abi, bytecode } = compiledContract(name);
    const hash = await bank.deployContract({ account: BANK, chain, abi, bytecode, args });
    const { contractAddress } = await receiptOf(publicClient, hash);
    if (!contractAddress) throw new Error(`${name} was not deployed`);
    return { address: contractAddress, abi };
  };
  const usdc = await deploy('StandardToken');
  const usdt = await deploy('TetherLikeToken');
  // The flow refuses a spender that is not a contract.
  await testClient.setCode({ address: PLATFORM_CONTRACT, bytecode: '0x00' });

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
    /** Creates an account with coins for the fees. */
    async newAccount() {
      const account = privateKeyToAccount(generatePrivateKey());
      await testClient.setBalance({ address: account.address, value: 10n ** 18n });
      return account;
    },
    /** Leaves transactions in the mempool until a test mines a block. */
    stopMining: () => testClient.setIntervalMining({ interval: 0 }),
    /** Mines each transaction at once again; with slow blocks, one block a second. */
    startMining: () =>
      BLOCK_TIME === undefined
        ? testClient.setAutomine(true)
        : testClient.setIntervalMining({ interval: 1 }),
    receiptOf: (hash: Hex) => receiptOf(publicClient, hash),
    walletFor: (account: Account) => createLocalWallet(chain, anvil.url, account),
    stop: () => anvil.stop(),
  };
}

/**
 * Waits for the receipt of a transaction. `waitForTransactionReceipt` looks again only after the next
 * block: if anvil mines while it looks, there is none, and on a busy machine that happens.
 */
async function receiptOf(client: PublicClient, hash: Hex) {
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

function createLocalWallet<A extends Account>(chain: Chain, url: string, account: A) {
  return createWalletClient({ account, chain, transport: http(url), pollingInterval: 20 });
}

/** A contract of `contracts/TestTokens.sol`. */
export function compiledContract(name: string): { abi: Abi; bytecode: Hex } {
  const found = COMPILED[name];
  if (found === undefined) throw new Error(`no compiled contract is named ${name}`);
  return found;
}
