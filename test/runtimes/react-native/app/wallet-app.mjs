// The wallet and the chains as an app sees them: objects whose methods go over the network.
import { CardPlatformClient } from 'card-platform-sdk';
import { decodeValue, encodeValue } from './wire-values.mjs';

/** Calls a method of the wallet network. */
export async function callNetwork({ walletNetwork }, target, method, ...args) {
  const body = encodeValue({ target, method, args });
  const response = await fetch(`${walletNetwork}/call`, { method: 'POST', body });
  const { result, error } = decodeValue(await response.text());
  if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}

/** Returns an object with these methods. */
const remote = (options, target, methods) =>
  Object.fromEntries(
    methods.map((method) => [method, (...args) => callNetwork(options, target, method, ...args)]),
  );

const CONNECTION = [
  'getAccountInfo',
  'getMultipleAccountsInfo',
  'getLatestBlockhash',
  'getBlockHeight',
  'getEpochInfo',
  'sendRawTransaction',
  'getSignatureStatuses',
  'getTransaction',
  'getSignaturesForAddress',
];

/** Returns the options that both flows need, with the clock of the platform. */
export async function openWallets(options) {
  const scene = await callNetwork(options, 'scene', 'read');
  let { now } = scene;
  const runtime = {
    now: () => now,
    sleep: async (milliseconds) => {
      now = await callNetwork(options, 'clock', 'sleep', milliseconds);
    },
  };
  const client = new CardPlatformClient({
    baseUrl: `${options.walletNetwork}/platform`,
    clientKey: scene.clientKey,
    accessToken: scene.accessToken,
  });
  const shared = {
    client,
    runtime,
    currency: 'usdc',
    amount: '100.5',
    domain: 'app.example',
    uri: 'https://app.example',
  };
  const evmWallet = remote(options, 'evmWallet', ['request']);
  const evm = {
    ...shared,
    wallet: evmWallet,
    node: remote(options, 'linea', ['request']),
    network: 'linea',
    spender: 'chain-config',
    confirmSpender: () => true,
  };
  const solana = {
    ...shared,
    wallet: {
      address: scene.solanaAddress,
      ...remote(options, 'solanaWallet', ['signMessage', 'signTransaction']),
    },
    node: remote(options, 'solana', CONNECTION),
    spender: scene.delegate,
  };
  return { scene, evm, solana };
}
