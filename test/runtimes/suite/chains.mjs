import { CardPlatformClient, RequestValidationError } from 'card-platform-sdk';
import {
  buildApprovalCalls,
  buildSiweMessage,
  ChainError,
  delegateEvm,
} from 'card-platform-sdk/evm';
import { buildSolanaApproval, SOLANA_CURRENCIES } from 'card-platform-sdk/solana';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { encodeFunctionData, erc20Abi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { expectError, expectSame, failureOf } from './expect.mjs';

const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const LINEA_USDC = '0x176211869cA2b568f2A7D4EE941E073a821EE1ff';

/** The first example of ERC-4361. */
const FIELDS = {
  domain: 'example.com',
  address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  statement: 'I accept the ExampleOrg Terms of Service: https://example.com/tos',
  uri: 'https://example.com/login',
  version: '1',
  chainId: 1,
  nonce: '32891756',
  issuedAt: '2021-09-30T16:25:24.000Z',
  resources: ['https://example.com/my-web2-claim.json'],
};
const MESSAGE = [
  'example.com wants you to sign in with your Ethereum account:',
  FIELDS.address,
  '',
  FIELDS.statement,
  '',
  'URI: https://example.com/login',
  'Version: 1',
  'Chain ID: 1',
  'Nonce: 32891756',
  'Issued At: 2021-09-30T16:25:24.000Z',
  'Resources:',
  '- https://example.com/my-web2-claim.json',
].join('\n');

const word = (number) => `0x${number.toString(16).padStart(64, '0')}`;
const DECIMALS = '0x313ce567';
const APPROVE = '0x095ea7b3';
/** Responses of a Linea node where nothing has been approved yet. */
const RPC_RESULTS = {
  eth_chainId: '0xe708',
  eth_blockNumber: '0x10',
  eth_getTransactionCount: '0x0',
};
const CONTRACTS = [LINEA_USDC, SPENDER].map((address) => address.toLowerCase());
const CODE = '0x6080';
/** A node that only runs calls of contracts, so that the flow makes every read separately. */
const NODE = {
  async request({ method, params }) {
    if (method === 'eth_getCode') return CONTRACTS.includes(params[0].toLowerCase()) ? CODE : '0x';
    if (method !== 'eth_call') return RPC_RESULTS[method];
    const [{ to, data }, , overrides] = params;
    if (to === undefined || overrides !== undefined) throw new Error('invalid params');
    if (data.startsWith(APPROVE)) return word(1);
    return word(data === DECIMALS ? 6 : 0);
  },
};

const isPage = globalThis.location?.protocol === 'http:';
/** On a web page, the flow compares these with its host. */
const SITE = isPage
  ? { domain: location.host, uri: location.origin }
  : { domain: 'app.example', uri: 'https://app.example' };

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Checks of the two chain entries. */
export const chains = {
  'builds the sign-in message of EIP-4361': () => {
    expectSame(buildSiweMessage(FIELDS), MESSAGE);
    expectSame(createSiweMessage({ ...FIELDS, issuedAt: new Date(FIELDS.issuedAt) }), MESSAGE);
  },

  'builds the approval calls of an ERC-20 token': () => {
    const data =
      '0x095ea7b3' +
      '0000000000000000000000009d85ca56217d2bb651b00f15e694eb7e713637d4' +
      '0000000000000000000000000000000000000000000000000000000005fd8220';
    const asset = { network: 'linea', currency: 'usdc', spender: SPENDER };
    const calls = buildApprovalCalls({ ...asset, amount: '100.5' });
    expectSame(calls, [{ to: LINEA_USDC, data, value: 0n, chainId: 59144 }]);
    const args = [SPENDER, 100_500_000n];
    expectSame(encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }), data);
    const reset = buildApprovalCalls({
      ...asset,
      network: 'ethereum',
      currency: 'usdt',
      amount: '1',
    });
    expectSame(reset.length, 2, 'calls for a token whose allowance must be reset');
  },

  'builds the ApproveChecked instruction of SPL-Token': () => {
    // The bytes are those of @solana-program/token 0.16.1.
    const owner = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
    const delegate = '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp';
    const { usdc } = SOLANA_CURRENCIES;
    const built = buildSolanaApproval({ ...usdc, owner, spender: delegate, amount: 100_500_000n });
    expectSame(built.programAddress, 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
    expectSame(hex(built.data), '0d2082fd050000000006');
    expectSame(
      built.accounts.map(({ address, role }) => [address, role]),
      [
        ['FGETo8T8wMcN2wCjav8VK6eh3dLk63evNDPxzLSJra8B', 1],
        ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 0],
        [delegate, 0],
        [owner, 2],
      ],
    );
  },

  'has one copy of each error class in all entries': async () => {
    expectError(await failureOf(() => buildSiweMessage({})), RequestValidationError, {});
    expectError(await failureOf(() => buildSolanaApproval({})), RequestValidationError, {});
  },

  'runs the delegation flow up to a wallet that declines': async () => {
    const mock = createMockPlatform({ startsAt: Date.now() });
    const client = new CardPlatformClient({
      baseUrl: mock.baseUrl,
      fetch: mock.fetch,
      clientKey: mock.credentials.clientKey,
      accessToken: mock.accessTokenFor(mock.users.add()),
    });
    const signer = privateKeyToAccount(`0x${'11'.repeat(32)}`);
    const wallet = {
      address: signer.address,
      getChainId: async () => 59144,
      signMessage: (message) => signer.signMessage({ message }),
      sendTransaction: () => Promise.reject(Object.assign(new Error('no'), { code: 4001 })),
    };
    const asset = { network: 'linea', currency: 'usdc', amount: '1', spender: SPENDER };
    const call = delegateEvm({ client, wallet, node: NODE, ...asset, ...SITE });
    expectError(await failureOf(call), ChainError, { code: 'user_rejected', outcome: 'not_sent' });
  },
};
