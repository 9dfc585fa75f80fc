import { BrowserProvider, type Eip1193Provider } from 'ethers';
import { providers } from 'ethers5';
import { createWalletClient, custom, type EIP1193RequestFn } from 'viem';
import { mainnet } from 'viem/chains';
import { describe, expect, it } from 'vitest';
import { hasDeviceRefused, isUserRejection } from '../../src/delegation/wallet-refusals.js';

const ACCOUNT = '0x52908400098527886E0F7030069857D2E4169EE7';

/** A provider that responds to everything before the prompt, and then fails as a wallet does. */
function createProvider(failure: unknown): { request: EIP1193RequestFn } {
  const responses: Record<string, unknown> = {
    eth_chainId: '0x1',
    eth_accounts: [ACCOUNT],
    eth_requestAccounts: [ACCOUNT],
    eth_blockNumber: '0x1',
    eth_estimateGas: '0x5208',
    eth_gasPrice: '0x1',
    eth_maxPriorityFeePerGas: '0x1',
    eth_getTransactionCount: '0x0',
    eth_getBlockByNumber: null,
  };
  const request = async ({ method }: { method: string }) => {
    if (method in responses) return responses[method];
    throw failure;
  };
  return { request: request as EIP1193RequestFn };
}

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

function ethers5Signer(failure: unknown): providers.JsonRpcSigner {
  return new providers.Web3Provider(createProvider(failure) as never).getSigner();
}

/** The error that a library throws after its wallet failed, for each way to use one. */
const LIBRARIES: Record<string, (failure: unknown) => Promise<unknown>> = {
  'viem, sending': (failure) =>
    errorOf(
      createWalletClient({
        chain: mainnet,
        transport: custom(createProvider(failure)),
      }).sendTransaction({ account: ACCOUNT, to: ACCOUNT }),
    ),
  'viem, signing': (failure) =>
    errorOf(
      createWalletClient({ transport: custom(createProvider(failure)) }).signMessage({
        account: ACCOUNT,
        message: 'text',
      }),
    ),
  'ethers 6, sending': async (failure) => {
    const provider = new BrowserProvider(createProvider(failure) as Eip1193Provider);
    return errorOf(
      provider.getSigner().then((signer) => signer.sendTransaction({ to: ACCOUNT, gasLimit: 1 })),
    );
  },
  'ethers 6, signing': async (failure) => {
    const provider = new BrowserProvider(createProvider(failure) as Eip1193Provider);
    return errorOf(provider.getSigner().then((signer) => signer.signMessage('text')));
  },
  'ethers 5, sending': (failure) =>
    errorOf(ethers5Signer(failure).sendTransaction({ to: ACCOUNT, gasLimit: 1 })),
  'ethers 5, sending unchecked': (failure) =>
    errorOf(ethers5Signer(failure).sendUncheckedTransaction({ to: ACCOUNT, gasLimit: 1 })),
  'ethers 5, signing': (failure) => errorOf(ethers5Signer(failure).signMessage('text')),
};

/** Errors with which wallets are known to reject, as JSON. */
const DECLINED = [
  { code: 4001, message: 'MetaMask Tx Signature: User denied transaction signature.' },
  { code: 5000, message: 'User rejected.' },
  { code: -32603, message: 'Internal JSON-RPC error.', data: { code: 4001, message: 'no' } },
  { code: -32603, message: 'Internal error', data: { originalError: { code: 4001 } } },
  { code: -32603, message: 'MetaMask Tx Signature: User denied transaction signature.' },
  { code: -32000, message: 'The transaction was rejected by the user' },
];
const NOT_DECLINED = [
  { code: 4900, message: 'Disconnected from all chains' },
  { code: -32002, message: 'Request of type eth_sendTransaction already pending' },
  { code: -32003, message: 'Transaction rejected' },
  { code: -32603, message: 'Internal JSON-RPC error.', data: { code: -32000 } },
  { code: -32000, message: 'nonce too low' },
];

describe.each(Object.entries(LIBRARIES))('an error of %s', (_, throwing) => {
  it.each(
    DECLINED,
  )('means that the user declined when the wallet responded with %j', async (reason) => {
    expect(isUserRejection(await throwing(reason))).toBe(true);
  });

  it.each(NOT_DECLINED)('does not mean that the user declined after %j', async (reason) => {
    expect(isUserRejection(await throwing(reason))).toBe(false);
  });
});

describe('an error of a wallet without a library', () => {
  it.each([
    ...DECLINED,
    ...[4001, 5000, '4001', '5000', 'ACTION_REJECTED'].map((code) => ({ code, message: 'no' })),
    { code: -32603, message: 'Rejected' },
    ...['User denied', 'rejected', 'Cancelled', 'canceled', 'Transaction was rejected.'],
    ...['Transaction cancelled', 'User canceled the request', 'Request declined'],
    'Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)',
    // Libraries add lines about the request.
    'Request declined\nURL: https://node.example',
  ])('means that the user declined when it is %j', (reason) => {
    expect(isUserRejection(typeof reason === 'string' ? new Error(reason) : reason)).toBe(true);
    // Some wallets throw a text.
    expect(isUserRejection(reason)).toBe(true);
  });

  it.each([
    ...[4000, 4002, 5001, '4', 'REJECTED'].map((code) => ({ code, message: 'no' })),
    ...NOT_DECLINED,
    ...[-32602, -32604].map((code) => ({ code, message: 'Rejected' })),
    { message: 'Transaction rejected: nonce too low' },
    { message: 'the connection was cancelled after 3 s' },
    { message: 'canceled', code: 'ERR_CANCELED' },
    { message: 'Cancelled', name: 'AbortError' },
    { message: '' },
    { message: 'HTTP request failed.\nRequest body: {"note":"rejected by the user"}' },
    '4001',
    null,
  ])('does not mean that the user declined when it is %j', (reason) => {
    expect(isUserRejection(reason)).toBe(false);
  });

  it.each([
    'User closed popup',
    'The user dismissed the request',
    'closed by user',
    'Popup closed',
    'The login popup window was closed.',
    'Modal dismissed',
  ])('means that the user declined only where the wallet has not sent: %j', (reason) => {
    expect(isUserRejection(new Error(reason))).toBe(true);
    expect(isUserRejection(new Error(reason), 'may-have-sent')).toBe(false);
    expect(isUserRejection({ code: 4001, message: reason }, 'may-have-sent')).toBe(true);
  });

  it('means that the user declined if a wallet adapter says that its window was closed', () => {
    const error = Object.assign(new Error('no'), { name: 'WalletWindowClosedError' });
    expect(isUserRejection(error)).toBe(true);
    expect(isUserRejection(error, 'may-have-sent')).toBe(false);
  });

  it.each([
    [24, true],
    [25, false],
  ])('is looked for in %i errors, each inside the one before: %s', (depth, isFound) => {
    let error: object = { code: 4001, message: 'no' };
    for (let outer = 1; outer < depth; outer++) error = { message: 'failed', cause: error };
    expect(isUserRejection(error)).toBe(isFound);
  });

  it('is read to the end when it contains itself', () => {
    const error = new Error('broken');
    error.cause = error;
    expect(isUserRejection(error)).toBe(false);
  });

  it.each([
    ['(0x6511)', true],
    ['(0x651)', false],
    ['(0x65111)', false],
    [`${'x'.repeat(120)}(0x6511)`, true],
    [`${'x'.repeat(121)}(0x6511)`, false],
    [`(${'x'.repeat(60)}0x6511)`, true],
    [`(${'x'.repeat(61)}0x6511)`, false],
    ['(a)(0x6511)', true],
    [`(a)${'x'.repeat(60)}(0x6511)`, true],
    [`(a)${'x'.repeat(61)}(0x6511)`, false],
  ])('reports a status word of a device in the text %j: %s', (text, isStatus) => {
    expect(hasDeviceRefused(new Error(`Ledger device: ${text}`))).toBe(isStatus);
  });
});
