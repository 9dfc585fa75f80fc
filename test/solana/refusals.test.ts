import { describe, expect, it } from 'vitest';
import { refusalOf, refusalOfSimulation } from '../../src/solana/flow/refusals.js';

const SIMULATED = 'Transaction simulation failed: Error processing Instruction 0';
const TOKEN = 'Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA failed: custom program error:';

describe('an error in which a node refuses a transaction', () => {
  it.each<[string, object]>([
    ['the text of a node with the logs of a simulation', { message: SIMULATED, logs: ['a'] }],
    ['the same, and no logs were written', { message: SIMULATED, logs: [] }],
    [
      'the same from an early web3.js',
      { message: `failed to send transaction: ${SIMULATED}`, logs: ['a'] },
    ],
    [
      'the node’s text apart from that of the library',
      { message: 'Simulation failed.', transactionMessage: SIMULATED, transactionLogs: ['a'] },
    ],
    [
      'the whole text of web3.js alone',
      { message: `Simulation failed. \nMessage: ${SIMULATED}. \nLogs: \n[\n  "a"\n].` },
    ],
    ['the code of a simulation with its logs', { message: 'x', __code: -32002, logs: ['a'] }],
    ['the code of a wrong signature', { message: 'x', __code: -32003 }],
    ['a wrong signature', { message: 'Transaction signature verification failure' }],
  ])('is %s', (_, error) => {
    expect(refusalOf(error)).toMatchObject({ code: 'transaction_refused' });
  });

  it.each<[string, object]>([
    ['a text without logs', { message: SIMULATED }],
    ['a text that only quotes that of a node', { message: `It said: ${SIMULATED}`, logs: ['a'] }],
    [
      'the library’s text beside another one of the node',
      { message: SIMULATED, transactionMessage: 'Node is overloaded', transactionLogs: ['a'] },
    ],
    ['the code of a simulation without logs', { message: 'x', __code: -32002 }],
    ['a node that is behind', { message: `${SIMULATED}: Node is behind by 9 slots`, logs: [] }],
    ['one that is unhealthy', { message: `${SIMULATED}: Node is unhealthy`, logs: [] }],
    [
      'a transaction that was processed before',
      { message: `${SIMULATED}: This transaction has already been processed`, logs: [] },
    ],
    ['the same as a code', { message: SIMULATED, logs: [], cause: { __code: 7_050_007 } }],
    [
      'an unknown blockhash as a code',
      { message: SIMULATED, logs: [], cause: { __code: 7_050_008 } },
    ],
    ['logs before the text', { message: `Logs: \n[ "a" ]\nMessage: ${SIMULATED}` }],
    ['logs without the text', { message: 'Message: it failed. \nLogs: \n["a"]' }],
    ['the text of web3.js without logs', { message: `Simulation failed.\nMessage: ${SIMULATED}` }],
    [
      'a signature that somebody else refused',
      { message: 'RPC: Transaction signature verification failure' },
    ],
    [
      'a blockhash that this node does not know',
      { message: `${SIMULATED}: Blockhash not found`, logs: [] },
    ],
  ])('is not %s', (_, error) => {
    expect(refusalOf(error)).toBeUndefined();
  });

  it.each([
    ['0x3', 'wrong_mint'],
    ['0x4', 'wrong_owner'],
    ['0x11', 'frozen'],
    ['0x12', 'wrong_decimals'],
  ])('names what the token program refuses: %s is %s', (number, reason) => {
    const error = { message: SIMULATED, logs: [`${TOKEN} ${number}`] };
    expect(refusalOf(error)).toMatchObject({ code: 'token_account_unusable', reason });
  });

  it('says that fee and rent cannot be paid', () => {
    const error = { message: `${SIMULATED}`, logs: ['Transfer: insufficient lamports 1, need 2'] };
    expect(refusalOf(error)).toMatchObject({ code: 'insufficient_funds' });
  });
});

it('the error of a simulation can hold large numbers', () => {
  const err = { InstructionError: [0n, { Custom: 17n }] };
  expect(refusalOfSimulation(err, [`${TOKEN} 0x11`])).toMatchObject({ reason: 'frozen' });
  expect(refusalOfSimulation('AccountNotFound', [])).toMatchObject({ code: 'insufficient_funds' });
});
