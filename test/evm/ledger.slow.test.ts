import ethModule from '@ledgerhq/hw-app-eth';
import {
  AbstractSigner,
  JsonRpcProvider,
  type Provider,
  Transaction,
  type TransactionRequest,
} from 'ethers';
import {
  createWalletClient,
  type Hex,
  http,
  serializeSignature,
  serializeTransaction,
  toHex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount, toAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { walletFromEthers } from '../../src/evm/ethers/index.js';
import { type AnyEvmWallet, type EvmWallet, next, say } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import {
  classOf,
  type DeviceState,
  ethereumApp,
  LedgerDevice,
} from '../delegation/support/ledger-device.js';
import { type HttpNode, startHttpNode } from './support/http-node.js';
import { setUpScene } from './support/scene.js';

const Eth = classOf(ethModule);
type Eth = InstanceType<typeof Eth>;

const PATH = "44'/60'/0'/0/0";

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

/** A device with an account of its own, and a node that counts what is sent to it. */
async function setUp() {
  const scene = await setUpScene(chain);
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  await chain.testClient.setBalance({ address, value: 10n ** 18n });
  const node = await startHttpNode(chain.url);
  onTestFinished(() => node.stop());
  const sent: unknown[] = [];
  node.fault = ({ method, params }) => {
    if (/^eth_send/.test(method)) sent.push(params);
    return undefined;
  };
  const transport = new LedgerDevice('Ethereum', ethereumApp(address, key));
  const { device } = transport;
  return { scene, address, node, sent, transport, device, ledger: new Eth(transport) };
}

type Account = { ledger: Eth; node: HttpNode };

async function signText(ledger: Eth, text: string | Uint8Array): Promise<Hex> {
  const { v, r, s } = await ledger.signPersonalMessage(PATH, Buffer.from(text).toString('hex'));
  return serializeSignature({ r: `0x${r}`, s: `0x${s}`, yParity: v - 27 });
}

/** A signature as the device returns it for a transaction with a type. */
async function signUnsigned(
  ledger: Eth,
  unsigned: string,
): Promise<{ r: Hex; s: Hex; yParity: 0 | 1 }> {
  const { v, r, s } = await ledger.signTransaction(PATH, unsigned.slice(2), null);
  return { r: `0x${r}`, s: `0x${s}`, yParity: v === '01' ? 1 : 0 };
}

async function viemClient({ ledger, node }: Account) {
  const { address } = await ledger.getAddress(PATH);
  const account = toAccount({
    address: address as Hex,
    signMessage: ({ message }) =>
      signText(
        ledger,
        typeof message === 'string' ? message : Buffer.from(toHex(message.raw).slice(2), 'hex'),
      ),
    signTransaction: async (transaction) => {
      const signature = await signUnsigned(ledger, await serializeTransaction(transaction));
      return serializeTransaction(transaction, signature);
    },
    signTypedData: () => Promise.reject(new Error('not used')),
  });
  return createWalletClient({ account, chain: chain.chain, transport: http(node.url) });
}

const viemWallet = (account: Account): Promise<AnyEvmWallet> => viemClient(account);

/** A wallet that signs and sends in one step, so that only its error says what has happened. */
async function sendingWallet(account: Account): Promise<EvmWallet> {
  const client = await viemClient(account);
  return {
    address: client.account.address,
    getChainId: () => client.getChainId(),
    signMessage: (message) => client.signMessage({ message }),
    sendTransaction: ({ to, data }) => client.sendTransaction({ to, data: data as Hex }),
  };
}

class LedgerSigner extends AbstractSigner {
  readonly #ledger: Eth;

  constructor(provider: Provider | null, ledger: Eth) {
    super(provider);
    this.#ledger = ledger;
  }

  connect(provider: Provider | null) {
    return new LedgerSigner(provider, this.#ledger);
  }

  getAddress = async () => (await this.#ledger.getAddress(PATH)).address;
  signMessage = (message: string | Uint8Array): Promise<string> => signText(this.#ledger, message);
  signTypedData = (): Promise<string> => Promise.reject(new Error('not used'));

  signTransaction = async ({ from: _, ...request }: TransactionRequest): Promise<string> => {
    const transaction = Transaction.from(request as Partial<Transaction>);
    transaction.signature = await signUnsigned(this.#ledger, transaction.unsignedSerialized);
    return transaction.serialized;
  };
}

async function ethersWallet({ ledger, node }: Account): Promise<AnyEvmWallet> {
  const provider = new JsonRpcProvider(node.url, chain.chainId, { staticNetwork: true });
  onTestFinished(() => provider.destroy());
  return walletFromEthers(new LedgerSigner(provider, ledger));
}

const READY: DeviceState = {
  isLocked: false,
  app: 'Ethereum',
  signsBlindly: true,
  isDeclining: false,
};

const FAILURES: [string, Partial<DeviceState>, string, string, string[]][] = [
  ['is locked', { isLocked: true }, '5515', 'wallet_failed', ['message', 'transaction']],
  ['has no app open', { app: undefined }, '6511', 'wallet_failed', ['message', 'transaction']],
  ['has another app open', { app: 'Bitcoin' }, '6e00', 'wallet_failed', ['message', 'transaction']],
  ['may not sign blindly', { signsBlindly: false }, '6a80', 'wallet_failed', ['transaction']],
  [
    'is declined by its user',
    { isDeclining: true },
    '6985',
    'user_rejected',
    ['message', 'transaction'],
  ],
];

describe.each([
  ['viem', viemWallet],
  ['ethers', ethersWallet],
  ['a wallet that sends by itself', sendingWallet],
])('a Ledger device with hw-app-eth and %s', (_, walletOf) => {
  it('delegates', async () => {
    const { scene, address, sent, transport, ...account } = await setUp();
    const result = await scene.delegate({ wallet: await walletOf(account) });
    expect(result).toMatchObject({ registration: 'accepted', address });
    expect(sent).toHaveLength(1);
    expect(transport.refusals()).toEqual([]);
  });

  const cells = FAILURES.flatMap(([name, state, word, code, moments]) =>
    moments.map((moment) => [name, moment, state, word, code] as const),
  );

  it.each(
    cells,
  )('that %s before it signs the %s has sent nothing', async (_, moment, state, word, code) => {
    const { scene, address, sent, transport, device, ...account } = await setUp();
    const wallet = await walletOf(account);
    if (moment === 'message') Object.assign(device, state);
    const { error, state: saved } = await scene.delegateAndCatch({
      wallet,
      onProgress: ({ step, status }) => {
        if (step === 'message-signed' && status === 'done') Object.assign(device, state);
      },
    });
    expect(error).toMatchObject({ code, outcome: 'not_sent' });
    expect(next(error)).toBe('retry');
    expect(say(error)).not.toContain('our side');
    expect(transport.refusals()).toEqual([word]);
    expect(saved?.approval).toBeUndefined();
    expect(sent).toEqual([]);
    expect(await chain.publicClient.getTransactionCount({ address })).toBe(0);
    Object.assign(device, READY);
    const result = await scene.delegate({ wallet, resume: saved });
    expect(result.registration).toBe('accepted');
    expect(sent).toHaveLength(1);
  });
});
