import type { StandardWallet } from 'card-platform-sdk/solana';
import { createMockWallet, type MockWallet } from 'card-platform-sdk/testing/wallets';
import type { DocsPlatform } from '../../../test/docs/docs-platform.js';
import { call, type PageSetup } from '../../../test/docs/page-setup.js';
import type { Exported } from '../../../test/docs/run-block.js';
import { loadedModule, loadModule } from './modules.js';

// Replaces the scenes of the tests, which need anvil and litesvm, with the mock wallet and mock
// chains of the testing kit.

/** The contract that the guides expect. */
const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';

type Module = Record<string, unknown>;
type Options = Record<string, unknown>;
type Flow = (options: Options) => unknown;

const peer = <T = Module>(name: string) => loadModule<T>(name);

/** The globals of a page. */
function inPage() {
  const kept = new Map<string, string>();
  const sessionStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  };
  return {
    location: new URL(`https://${location.host}/cards`),
    sessionStorage,
    document: { title: '' },
  };
}

/** An entry whose flows use the platform's clock, so that nobody waits for a block. */
async function withDefaults(entry: string, { chains }: MockWallet, names: readonly string[]) {
  const real = await peer(entry);
  const flows = names.map((name): [string, Flow] => [
    name,
    (options) => (real[name] as Flow)({ runtime: chains.runtime, ...options }),
  ]);
  return { ...real, ...Object.fromEntries(flows) };
}

/** The wagmi config of a page whose user has connected the wallet. */
export async function connectedConfig(provider: unknown): Promise<unknown[]> {
  const wagmi = await peer<typeof import('@wagmi/core')>('@wagmi/core');
  const { linea } = await peer<typeof import('viem/chains')>('viem/chains');
  const { custom } = await peer<typeof import('viem')>('viem');
  const target = () => ({ id: 'mock', name: 'Mock wallet', provider: provider as never });
  const config = wagmi.createConfig({
    chains: [linea],
    connectors: [wagmi.injected({ target, shimDisconnect: false })],
    transports: { [linea.id]: custom(provider as never) },
    storage: null,
    multiInjectedProviderDiscovery: false,
  });
  const [connector] = config.connectors;
  if (connector !== undefined) await wagmi.connect(config, { connector });
  return [config];
}

/**
 * The guides of EVM delegation. `walletOf` returns the argument that the page's function takes
 * after the client.
 */
export async function evmScene(
  { mock, ada, userClient }: DocsPlatform,
  walletOf: (provider: unknown, url: string) => unknown[] | Promise<unknown[]> = (it) => [it],
): Promise<PageSetup> {
  for (const chain of mock.state.chainConfig.networks ?? []) {
    if (chain.network === 'linea') Object.assign(chain, { delegationContract: SPENDER });
  }
  const wallet = await createMockWallet({ platform: mock, network: 'linea' });
  const chain = wallet.chains.evm('linea');
  const options = {
    client: userClient,
    wallet: wallet.evm,
    node: chain,
    network: 'linea',
    currency: 'usdc',
    amount: '100',
    spender: chain.spender,
    domain: location.host,
    uri: `https://${location.host}`,
    runtime: wallet.chains.runtime,
  };
  const inputs: Record<string, () => unknown[] | Promise<unknown[]>> = {
    delegate: async () => [userClient, ...(await walletOf(wallet.evm, 'https://node.example'))],
    confirmationPage: () => [options],
    clientForEveryNetwork: () => [
      mock.baseUrl,
      mock.credentials.clientKey,
      mock.accessTokenFor(ada),
    ],
    revoke: () => [options],
    bars: () => [userClient, chain, chain.spender],
    useLinea: () => [wallet.evm],
    delegateOrContinue: () => [options, { read: () => null, write: () => {} }],
  };
  const { custom, ...viem } = await peer<typeof import('viem')>('viem');
  const flows = ['createDelegation', 'delegateEvm', 'revokeEvmDelegation', 'previewEvmDelegation'];
  const ethers = async () => {
    const real = await peer<typeof import('ethers')>('ethers');
    class Node extends real.BrowserProvider {
      constructor() {
        super(chain, 59144);
      }
    }
    return { ...real, JsonRpcProvider: Node };
  };
  return {
    names: inPage(),
    modules: {
      viem: { ...viem, custom, http: () => custom(chain) },
      'card-platform-sdk/evm': await withDefaults('card-platform-sdk/evm', wallet, flows),
      ...(loadedModule('ethers') && { ethers: await ethers() }),
    },
    async use(exported) {
      if (!('createLimit' in exported && 'setLimit' in exported)) {
        return callFirst(exported, inputs);
      }
      const [ethereum, nodeUrl] = await walletOf(wallet.evm, 'https://node.example');
      return startLimit(exported, [userClient, nodeUrl], ethereum);
    },
  };
}

/** Creates the delegation of a guide, and sets the limit of a wallet. Other blocks only print. */
async function startLimit(
  { createLimit, setLimit }: Exported,
  input: unknown[],
  wallet: unknown,
): Promise<unknown> {
  if (setLimit === undefined) return undefined;
  return call(setLimit, await call(createLimit, ...input), wallet);
}

/** Calls the function that a block exports, with its input. */
async function callFirst(
  exported: Exported,
  inputs: Record<string, () => unknown[] | Promise<unknown[]>>,
): Promise<unknown> {
  const name = Object.keys(inputs).find((one) => one in exported);
  return name && call(exported[name], ...((await inputs[name]?.()) ?? []));
}

async function startSolana({ mock }: DocsPlatform) {
  const wallet = await createMockWallet({ platform: mock });
  const { solana } = wallet.chains;
  const entry = 'card-platform-sdk/solana';
  const flows = ['createDelegation', 'delegateSolana', 'previewSolanaDelegation'];
  const sdk = await withDefaults(entry, wallet, flows);
  const Connection = function connect() {
    return solana;
  };
  const web3 = loadedModule('@solana/web3.js');
  const replaced = { ...web3, Connection };
  return { wallet, solana, modules: { [entry]: sdk, '@solana/web3.js': replaced } };
}

/** The guide of the Solana delegation. */
export async function solanaScene(docs: DocsPlatform): Promise<PageSetup> {
  const { wallet, solana, modules } = await startSolana(docs);
  const inputs = {
    delegate: () => [docs.userClient, wallet.solana, solana.delegate],
    usdcOf: () => [docs.userClient],
    bars: () => [docs.userClient, solana, solana.delegate],
    revokeAll: () => [solana, wallet.solana.address],
  };
  return { names: inPage(), modules, use: (exported) => callFirst(exported, inputs) };
}

/** The guide of @solana/kit, with a signer of the kit's wallet and its chain as the RPC. */
export async function solanaKitScene(docs: DocsPlatform): Promise<PageSetup> {
  const { solana, modules } = await startSolana(docs);
  const entry = 'card-platform-sdk/solana/kit';
  const real = await peer(entry);
  const kit = await peer<typeof import('@solana/kit')>('@solana/kit');
  const signer = await kit.generateKeyPairSigner();
  await fund(solana, signer.address);
  const adapters = { ...real, connectionFromKitRpc: () => solana };
  return {
    modules: { ...modules, [entry]: adapters },
    names: inPage(),
    use: (exported) => startLimit(exported, [docs.userClient, solana.delegate], signer),
  };
}

async function fund(solana: MockWallet['chains']['solana'], address: string): Promise<void> {
  solana.setBalance(address, 1_000_000_000n);
  await solana.setTokenBalance('usdc', address, 500_000_000n);
}

/** The guide of the wallet adapters, with an adapter around the kit's wallet. */
export async function walletAdapterScene(docs: DocsPlatform): Promise<PageSetup> {
  const { wallet, solana, modules } = await startSolana(docs);
  const { PublicKey, Transaction, VersionedTransaction } =
    await peer<typeof import('@solana/web3.js')>('@solana/web3.js');
  const { features, accounts } = wallet.solana as unknown as StandardWallet;
  const sign = async (name: string, method: string, input: Uint8Array, key: string) => {
    const feature = features[`solana:${name}`] as Record<string, (it: object) => Promise<object[]>>;
    const account = accounts[0];
    const [signed] = (await feature[method]?.({ account, [key]: input })) ?? [];
    return signed as { signature: Uint8Array; signedTransaction: Uint8Array };
  };
  type Signable = InstanceType<typeof Transaction> | InstanceType<typeof VersionedTransaction>;
  const adapter = {
    publicKey: new PublicKey(wallet.solana.address),
    connected: true,
    signMessage: async (message: Uint8Array) =>
      (await sign('signMessage', 'signMessage', message, 'message')).signature,
    async signTransaction(transaction: Signable) {
      const bytes = transaction.serialize({ requireAllSignatures: false });
      const { signedTransaction } = await sign(
        'signTransaction',
        'signTransaction',
        bytes,
        'transaction',
      );
      return 'version' in transaction
        ? VersionedTransaction.deserialize(signedTransaction)
        : Transaction.from(signedTransaction);
    },
  };
  return {
    modules,
    names: inPage(),
    use: (exported) => startLimit(exported, [docs.userClient, solana.delegate], adapter),
  };
}
