import type { NodeFailure } from './failing-node.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/** A text with which a node refuses a transaction before it is in its pool. */
const refused = (text: string, node: string, code = -32000, expected = 'wallet_failed') =>
  ({
    name: `${node}: ${text}`,
    forwards: 'never',
    code: expected,
    error: { code, message: text },
  }) satisfies NodeFailure;

/** A response after which the transaction can be in a pool, now or after the next try. */
const unclear = (code: number, text: string, node = 'JSON-RPC') =>
  ({
    name: `${node}: ${code} ${text}`,
    forwards: 'maybe',
    error: { code, message: text },
  }) satisfies NodeFailure;

const FUNDS = 'insufficient_funds';

/**
 * How a node can respond to a signed transaction. The texts are those of go-ethereum (core/error.go,
 * core/txpool/errors.go, internal/ethapi), Erigon, Besu (JsonRpcError.java), Nethermind
 * (AcceptTxResult.cs), Reth, anvil, Arbitrum and zkSync; the codes those of EIP-1474, EIP-1193 and
 * JSON-RPC 2.0.
 *
 * `forwards: 'never'`: the node checked the transaction and did not take it. `forwards: 'maybe'`: it,
 * or the same transaction sent before, can be in a pool or a block.
 */
export const EVM_FAILURES: readonly NodeFailure[] = [
  refused(
    `max fee per gas less than block base fee: address ${ADDRESS}, maxFeePerGas: 1, baseFee: 7`,
    'geth',
  ),
  refused('fee cap less than block base fee', 'Erigon'),
  refused('Gas price below current base fee', 'Besu', -32009),
  refused(
    'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 7, MaxPriorityFeePerGas:1, Block number: 3',
    'Nethermind',
    -32010,
  ),
  refused('transaction underpriced', 'geth'),
  refused('transaction underpriced: gas tip cap 1, minimum needed 1000000', 'geth'),
  refused('replacement transaction underpriced', 'geth'),
  refused('Replacement transaction underpriced', 'Besu', -32000),
  refused('Gas price below configured minimum gas price', 'Besu', -32009),
  refused('FeeTooLowToCompete', 'Nethermind', -32010),
  refused('intrinsic gas too low: gas 20000, minimum needed 21000', 'geth'),
  refused('intrinsic gas too low', 'Erigon'),
  refused('Intrinsic gas exceeds gas limit', 'Besu', -32003),
  refused('tx fee (1.20 ether) exceeds the configured cap (1.00 ether)', 'geth'),
  refused('Transaction fee cap exceeded', 'Besu'),
  refused('exceeds block gas limit', 'geth'),
  refused('Transaction gas limit exceeds block gas limit', 'Besu', -32005),
  refused(
    'GasLimitExceeded, Gas limit: 30000000, gas limit of rejected tx: 40000000',
    'Nethermind',
    -32010,
  ),
  refused('max priority fee per gas higher than max fee per gas', 'geth'),
  refused('max fee per gas higher than 2^256-1', 'geth'),
  refused('oversized data: transaction size 140000, limit 131072', 'geth'),
  refused('invalid sender', 'geth'),
  refused('nonce has max value', 'geth'),
  refused('transaction type not supported', 'geth'),
  refused(
    'insufficient funds for gas * price + value: balance 0, tx cost 100',
    'geth',
    -32000,
    FUNDS,
  ),
  refused('insufficient funds for transfer', 'geth', -32000, FUNDS),
  refused('Upfront cost exceeds account balance', 'Besu', -32004, FUNDS),
  refused('Insufficient funds for gas * price + value', 'anvil', -32003, FUNDS),
  refused(
    'InsufficientFunds, Balance is 1 less than sending value + gas 2',
    'Nethermind',
    -32010,
    FUNDS,
  ),
  unclear(-32000, 'nonce too low: next nonce 5, tx nonce 4', 'geth'),
  unclear(-32001, 'Nonce too low', 'Besu'),
  unclear(-32010, 'OldNonce, Current nonce: 5, nonce of rejected tx: 4', 'Nethermind'),
  unclear(-32000, 'already known', 'geth'),
  unclear(-32000, 'Known transaction', 'Besu'),
  unclear(-32010, 'AlreadyKnown', 'Nethermind'),
  unclear(-32003, 'transaction already imported', 'anvil'),
  unclear(-32000, 'txpool is full', 'geth'),
  unclear(-32000, 'sequencer pending tx pool full, please try again', 'Arbitrum'),
  unclear(-32000, 'context deadline exceeded', 'geth'),
  unclear(-32000, 'Server error'),
  unclear(-32001, 'Resource not found'),
  unclear(-32002, 'Resource unavailable'),
  unclear(-32003, 'Transaction rejected'),
  unclear(-32005, 'Limit exceeded'),
  unclear(-32005, 'daily request count exceeded, request rate limited', 'a provider'),
  unclear(-32006, 'JSON-RPC version not supported'),
  unclear(-32008, 'Initial sync is still in progress', 'Besu'),
  unclear(-32015, 'VM execution error'),
  unclear(-32016, 'over rate limit', 'a provider'),
  unclear(-32429, 'rate limited', 'a provider'),
  unclear(429, 'Your app has exceeded its compute units per second capacity', 'a provider'),
  unclear(-32603, 'Internal error'),
  unclear(-32603, 'the transaction was sent, and the response of an upstream node was lost'),
  unclear(-32700, 'Parse error'),
  { name: 'HTTP 429', forwards: 'maybe', status: 429 },
  { name: 'HTTP 500', forwards: 'maybe', status: 500 },
  { name: 'HTTP 502', forwards: 'maybe', status: 502 },
  { name: 'HTTP 503', forwards: 'maybe', status: 503 },
  { name: 'the connection breaks', forwards: 'maybe', breaks: true },
];

/** The errors of wallets (EIP-1193, MetaMask, WalletConnect), which never reach a node. */
export const WALLET_FAILURES: readonly NodeFailure[] = [
  {
    name: '4001',
    forwards: 'never',
    code: 'user_rejected',
    error: { code: 4001, message: 'User rejected the request.' },
  },
  {
    name: '5000',
    forwards: 'never',
    code: 'user_rejected',
    error: { code: 5000, message: 'User rejected.' },
  },
  {
    name: 'popup closed',
    // The user can close it after the wallet has sent.
    forwards: 'maybe',
    error: { code: -32603, message: 'User closed popup' },
  },
  {
    name: 'modal closed',
    forwards: 'maybe',
    error: { code: -32603, message: 'Modal closed by user' },
  },
  {
    name: '4100',
    forwards: 'never',
    code: 'wallet_failed',
    error: {
      code: 4100,
      message: 'The requested account and/or method has not been authorized by the user.',
    },
  },
  {
    name: '4200',
    forwards: 'never',
    code: 'wallet_failed',
    error: {
      code: 4200,
      message: 'The requested method is not supported by this Ethereum provider.',
    },
  },
  {
    name: '-32601',
    forwards: 'never',
    code: 'wallet_failed',
    error: { code: -32601, message: 'The method does not exist / is not available.' },
  },
  {
    name: '-32602',
    forwards: 'never',
    code: 'wallet_failed',
    error: { code: -32602, message: 'Invalid params' },
  },
  {
    name: '4900',
    forwards: 'maybe',
    error: { code: 4900, message: 'The provider is disconnected from all chains.' },
  },
  {
    name: '4901',
    forwards: 'maybe',
    error: { code: 4901, message: 'The provider is disconnected from the specified chain.' },
  },
  {
    name: '-32002',
    forwards: 'maybe',
    error: {
      code: -32002,
      message: 'Request of type eth_sendTransaction already pending. Please wait.',
    },
  },
  {
    name: '-32603 without a reason',
    forwards: 'maybe',
    error: { code: -32603, message: 'Internal JSON-RPC error.' },
  },
  ...(
    [
      [0x5515, 'Locked device'],
      [0x6e00, 'CLA_NOT_SUPPORTED'],
      [0x6d00, 'INS_NOT_SUPPORTED'],
      [0x6511, 'UNKNOWN_ERROR'],
      [0x6a80, 'Invalid data received'],
    ] as const
  ).map(
    ([status, text]): NodeFailure => ({
      name: `a Ledger behind the wallet: 0x${status.toString(16)}`,
      forwards: 'never',
      code: 'wallet_failed',
      error: { code: -32603, message: `Ledger device: ${text} (0x${status.toString(16)})` },
    }),
  ),
];
