import type { NodeFailure } from './failing-node.js';

const PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** The data of a failed simulation, as the Agave node writes it. */
const simulated = (err: unknown, logs: readonly string[] = []) => ({
  accounts: null,
  err,
  innerInstructions: null,
  logs,
  replacementBlockhash: null,
  returnData: null,
  unitsConsumed: 0,
});

const preflight = (text: string, err: unknown, logs?: readonly string[]) => ({
  code: -32002,
  message: `Transaction simulation failed: ${text}`,
  data: simulated(err, logs),
});

const tokenError = (code: number) =>
  preflight(
    `Error processing Instruction 0: custom program error: 0x${code.toString(16)}`,
    { InstructionError: [0, { Custom: code }] },
    [
      `Program ${PROGRAM} invoke [1]`,
      'Program log: Instruction: ApproveChecked',
      `Program ${PROGRAM} consumed 1000 of 200000 compute units`,
      `Program ${PROGRAM} failed: custom program error: 0x${code.toString(16)}`,
    ],
  );

/**
 * How a node can respond to `sendTransaction`. Codes and texts are those of Agave
 * (rpc-client-api/src/custom_error.rs, rpc/src/rpc.rs), of JSON-RPC 2.0, and of providers that limit
 * rates.
 *
 * `forwards: 'never'`: `sendTransaction` of Agave returns this before it forwards the transaction, and
 * no node will execute it. `forwards: 'maybe'`: nothing is known, or the same transaction can pass on
 * the next try.
 */
export const SOLANA_FAILURES: readonly NodeFailure[] = [
  {
    name: 'simulation: no SOL',
    forwards: 'never',
    code: 'insufficient_funds',
    error: preflight(
      'Attempt to debit an account but found no record of a prior credit.',
      'AccountNotFound',
    ),
  },
  {
    name: 'simulation: too little SOL',
    forwards: 'never',
    code: 'insufficient_funds',
    error: preflight('Insufficient funds for fee', 'InsufficientFundsForFee'),
  },
  {
    name: 'simulation: too little SOL for rent',
    forwards: 'never',
    code: 'insufficient_funds',
    error: preflight('Transaction results in an account (0) with insufficient funds for rent.', {
      InsufficientFundsForRent: { account_index: 0 },
    }),
  },
  {
    name: 'simulation: frozen account',
    forwards: 'never',
    code: 'token_account_unusable',
    error: tokenError(0x11),
  },
  {
    name: 'simulation: wrong owner',
    forwards: 'never',
    code: 'token_account_unusable',
    error: tokenError(0x4),
  },
  {
    name: 'simulation: another program error',
    forwards: 'never',
    code: 'transaction_refused',
    error: tokenError(0x63),
  },
  {
    name: 'simulation: blockhash not known yet',
    forwards: 'maybe',
    error: preflight('Blockhash not found', 'BlockhashNotFound'),
  },
  {
    name: 'simulation: already executed',
    forwards: 'maybe',
    error: preflight('This transaction has already been processed', 'AlreadyProcessed'),
  },
  {
    name: 'signature not valid',
    forwards: 'never',
    code: 'transaction_refused',
    error: { code: -32003, message: 'Transaction signature verification failure' },
  },
  ...(
    [
      [-32001, 'Block 1 cleaned up, does not exist on node. First available block: 2'],
      [-32004, 'Block not available for slot 1'],
      [-32005, 'Node is behind by 42 slots', { numSlotsBehind: 42 }],
      [-32005, 'Node is unhealthy', { numSlotsBehind: null }],
      [-32006, 'Transaction precompile verification failure InvalidAccountIndex'],
      [-32007, 'Slot 1 was skipped, or missing due to ledger jump to recent snapshot'],
      [-32008, 'No snapshot'],
      [-32009, 'Slot 1 was skipped, or missing in long-term storage'],
      [-32010, 'Key excluded from account secondary indexes'],
      [-32011, 'Transaction history is not available from this node'],
      [-32012, 'scan aborted'],
      [-32013, 'Transaction signature length mismatch'],
      [-32014, 'Block status not yet available for slot 1'],
      [-32015, 'Transaction version (0) is not supported by the requesting client'],
      [-32016, 'Minimum context slot has not been reached', { contextSlot: 1 }],
      [-32017, 'Epoch rewards period still active at slot 1'],
      [-32018, 'Rewards cannot be found because slot 1 is not the epoch boundary'],
      [-32019, 'Failed to query long-term storage; please try again'],
      [-32020, 'Filter transaction not found'],
      [-32429, 'rate limited'],
      [429, 'Too many requests for a specific RPC call'],
      [-32000, 'Server error'],
      [-32002, 'Request timed out'],
      [-32600, 'Invalid request'],
      [-32601, 'Method not found'],
      [-32602, 'Invalid params'],
      [-32603, 'Internal error'],
      [-32603, 'Transaction simulation failed to be forwarded'],
      [-32700, 'Parse error'],
    ] as const
  ).map(
    ([code, message, data]): NodeFailure => ({
      name: `${code} ${message}`,
      forwards: 'maybe',
      error: { code, message, ...(data === undefined ? {} : { data }) },
    }),
  ),
  { name: 'HTTP 429', forwards: 'maybe', status: 429 },
  { name: 'HTTP 500', forwards: 'maybe', status: 500 },
  { name: 'HTTP 502', forwards: 'maybe', status: 502 },
  { name: 'HTTP 503', forwards: 'maybe', status: 503 },
  { name: 'the connection breaks', forwards: 'maybe', breaks: true },
];
