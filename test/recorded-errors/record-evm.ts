import { LockedDeviceError, TransportStatusError } from '@ledgerhq/errors';
import { connect, createConfig, injected, sendTransaction } from '@wagmi/core';
import {
  AbstractSigner,
  BrowserProvider,
  type Eip1193Provider,
  JsonRpcProvider,
  type Provider,
  type TransactionRequest,
  Wallet,
} from 'ethers';
import { providers as providers5, Wallet as Wallet5 } from 'ethers5';
import { createWalletClient, custom, type EIP1193RequestFn, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount, toAccount } from 'viem/accounts';
import { linea } from 'viem/chains';
import { type NodeFailure, startFailingNode } from './failing-node.js';
import { describeError, type RecordedError } from './recorded-error.js';
import { versionOf } from './version-of.js';

const KEY = generatePrivateKey();
const account = privateKeyToAccount(KEY);
const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const CALL = { to: TO, data: '0x095ea7b3', value: 0n } as const;
const FEES = { gas: 60_000n, nonce: 0, maxFeePerGas: 10n, maxPriorityFeePerGas: 1n } as const;

const RESULTS = {
  eth_chainId: '0xe708',
  net_version: '59144',
  eth_blockNumber: '0x10',
  eth_getTransactionCount: '0x0',
  eth_estimateGas: '0xea60',
  eth_gasPrice: '0x10',
  eth_maxPriorityFeePerGas: '0x1',
  eth_getBlockByNumber: {
    number: '0x10',
    hash: `0x${'1'.repeat(64)}`,
    parentHash: `0x${'2'.repeat(64)}`,
    timestamp: '0x65000000',
    baseFeePerGas: '0x7',
    gasLimit: '0x1c9c380',
    gasUsed: '0x0',
    miner: TO,
    difficulty: '0x0',
    extraData: '0x',
    nonce: '0x0000000000000000',
    transactions: [],
  },
  eth_accounts: [account.address],
  eth_requestAccounts: [account.address],
};

type Send = (url: string) => Promise<unknown>;
type Library = readonly [name: string, how: string, send: Send];

/** Accounts that sign by themselves: the transaction reaches the node as `eth_sendRawTransaction`. */
const SIGNING: readonly Library[] = [
  [
    'viem',
    'local account',
    (url) => viemClient(url).sendTransaction({ account, chain: linea, ...CALL, ...FEES }),
  ],
  [
    'viem',
    'sendRawTransaction',
    async (url) => {
      const serializedTransaction = await account.signTransaction({
        ...CALL,
        ...FEES,
        chainId: linea.id,
      });
      return viemClient(url).sendRawTransaction({ serializedTransaction });
    },
  ],
  [
    'ethers',
    'Wallet',
    async (url) =>
      within(new JsonRpcProvider(url, linea.id, { staticNetwork: true }), (provider) =>
        new Wallet(KEY, provider).sendTransaction(CALL),
      ),
  ],
  [
    'ethers',
    'provider.send',
    async (url) =>
      within(new JsonRpcProvider(url, linea.id, { staticNetwork: true }), (provider) =>
        provider.send('eth_sendRawTransaction', ['0x01']),
      ),
  ],
  [
    'ethers5',
    'Wallet',
    (url) => new Wallet5(KEY, new providers5.StaticJsonRpcProvider(url)).sendTransaction(CALL),
  ],
  [
    'ethers5',
    'provider.send',
    (url) => new providers5.StaticJsonRpcProvider(url).send('eth_sendRawTransaction', ['0x01']),
  ],
];

type Provided = (provider: { request: EIP1193RequestFn }) => Promise<unknown>;

/** Libraries in front of a browser wallet, which passes the error of its node on. */
const BROWSER: readonly (readonly [name: string, how: string, send: Provided])[] = [
  [
    'viem',
    'browser wallet',
    (provider) =>
      createWalletClient({
        chain: linea,
        transport: custom(provider, { retryCount: 0 }),
      }).sendTransaction({
        account: account.address,
        ...CALL,
      }),
  ],
  [
    'ethers',
    'JsonRpcSigner.sendUncheckedTransaction',
    async (provider) => {
      const signer = await new BrowserProvider(provider as Eip1193Provider, 'any').getSigner();
      return signer.sendUncheckedTransaction(CALL);
    },
  ],
  [
    'ethers5',
    'JsonRpcSigner.sendUncheckedTransaction',
    (provider) =>
      new providers5.Web3Provider(provider as never, 'any')
        .getSigner()
        .sendUncheckedTransaction(CALL),
  ],
  [
    '@wagmi/core',
    'sendTransaction',
    async (provider) => {
      // The injected connector looks for a window.
      Object.assign(globalThis, { window: globalThis });
      const target = { id: 'test', name: 'Test', provider: wagmiProvider(provider) as never };
      const config = createConfig({
        chains: [linea],
        storage: null,
        multiInjectedProviderDiscovery: false,
        transports: { [linea.id]: custom(provider, { retryCount: 0 }) },
      });
      await connect(config, { connector: injected({ target }) });
      return sendTransaction(config, CALL);
    },
  ],
  [
    'EIP-1193',
    'provider',
    (provider) => provider.request({ method: 'eth_sendTransaction', params: [{ to: TO }] }),
  ],
];

/** A device that responds to a signature request with a status word. */
const DEVICE: readonly (readonly [
  name: string,
  how: string,
  send: (url: string, error: Error) => Promise<unknown>,
])[] = [
  [
    'viem',
    'Ledger account',
    (url, error) => {
      const fail = () => Promise.reject(error);
      const ledger = toAccount({
        address: account.address,
        signMessage: fail,
        signTransaction: fail,
        signTypedData: fail,
      });
      return viemClient(url).sendTransaction({ account: ledger, chain: linea, ...CALL, ...FEES });
    },
  ],
  [
    'ethers',
    'Ledger signer',
    (url, error) =>
      within(new JsonRpcProvider(url, linea.id, { staticNetwork: true }), (provider) =>
        new LedgerSigner(provider, error).sendTransaction(CALL),
      ),
  ],
];

class LedgerSigner extends AbstractSigner {
  constructor(
    provider: Provider | null,
    readonly error: Error,
  ) {
    super(provider);
  }
  connect(provider: Provider | null) {
    return new LedgerSigner(provider, this.error);
  }
  getAddress = async () => account.address;
  signTransaction = (_: TransactionRequest): Promise<string> => Promise.reject(this.error);
  signMessage = (): Promise<string> => Promise.reject(this.error);
  signTypedData = (): Promise<string> => Promise.reject(this.error);
}

/** Status words of a Ledger device, and whether its user declined. */
const STATUS_WORDS: readonly (readonly [number, string, string])[] = [
  [0x5515, 'locked', 'wallet_failed'],
  [0x6e00, 'another app is open', 'wallet_failed'],
  [0x6d00, 'the app does not know the command', 'wallet_failed'],
  [0x6511, 'no app is open', 'wallet_failed'],
  [0x6a80, 'blind signing is off', 'wallet_failed'],
  [0x6985, 'declined', 'user_rejected'],
  [0x6faa, 'halted', 'wallet_failed'],
];

/** Sends a transaction with each library after each failure. */
export async function recordEvm(
  failures: readonly NodeFailure[],
  walletFailures: readonly NodeFailure[],
): Promise<RecordedError[]> {
  const node = await startFailingNode('eth_sendRawTransaction', RESULTS);
  const found: RecordedError[] = [];
  const record = async (
    name: string,
    how: string,
    failure: NodeFailure,
    work: () => Promise<unknown>,
  ) => {
    const error = await Promise.race([
      work().then(
        () => undefined,
        (reason: unknown) => describeError(reason),
      ),
      // ethers repeats a request after a 429 for minutes.
      new Promise<undefined>((resolve) => setTimeout(resolve, 1_500)),
    ]);
    const version = name === 'EIP-1193' ? '' : versionOf(name);
    found.push({ library: `${name} ${how}`, version, failure, error });
  };
  try {
    for (const failure of failures) {
      node.failure = failure;
      for (const [name, how, send] of SIGNING)
        await record(name, how, failure, () => send(node.url));
    }
    node.failure = undefined;
    for (const failure of [...failures, ...walletFailures]) {
      if (failure.error === undefined) continue;
      const provider = providerOf(failure.error);
      for (const [name, how, send] of BROWSER)
        await record(name, how, failure, () => send(provider));
    }
    for (const [status, name, code] of STATUS_WORDS) {
      const failure: NodeFailure = {
        name: `a Ledger device: 0x${status.toString(16)}, ${name}`,
        forwards: 'never',
        code,
      };
      const error =
        status === 0x5515 ? new LockedDeviceError('') : new TransportStatusError(status);
      for (const [library, how, send] of DEVICE) {
        await record(library, how, failure, () => send(node.url, error));
      }
    }
  } finally {
    await node.stop();
  }
  return found;
}

function viemClient(url: string) {
  return createWalletClient({ account, chain: linea, transport: http(url, { retryCount: 0 }) });
}

async function within<P extends { destroy(): void }>(
  provider: P,
  work: (provider: P) => Promise<unknown>,
) {
  try {
    return await work(provider);
  } finally {
    provider.destroy();
  }
}

/** A browser wallet whose request to send fails with an error of its node. */
function providerOf(error: { code: number; message: string }): { request: EIP1193RequestFn } {
  const results: Readonly<Record<string, unknown>> = RESULTS;
  const request = async ({ method }: { method: string }) => {
    if (method === 'eth_sendTransaction') {
      throw Object.assign(new Error(error.message), error);
    }
    if (method in results) return results[method];
    // viem tries `wallet_sendTransaction` after some errors, which few wallets know.
    throw Object.assign(new Error('The method does not exist.'), { code: -32601 });
  };
  return { request: request as EIP1193RequestFn };
}

function wagmiProvider(provider: object) {
  return Object.assign(provider, { on: () => undefined, removeListener: () => undefined });
}
