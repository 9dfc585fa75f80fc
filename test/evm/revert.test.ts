import { describe, expect, it } from 'vitest';
import { isRevert } from '../../src/evm/chain/revert.js';

describe('an error of a node means that the contract refused the call', () => {
  it.each<[string, object]>([
    ['by the code of JSON-RPC, whatever the text', { code: 3, message: 'no' }],
    ['by the name of the class of viem', { name: 'ExecutionRevertedError', message: 'no' }],
    ['by the text of geth', { code: -32000, message: 'execution reverted: paused' }],
    ['by the text of OpenEthereum', { code: -32015, message: 'VM execution error.' }],
    [
      'by the text of Hardhat',
      { code: -32603, message: "VM Exception: reverted with reason string 'paused'" },
    ],
    ['by an opcode that does not exist', { code: -32000, message: 'invalid opcode: INVALID' }],
    ['inside the error of a library', { message: 'failed', cause: { code: 3, message: 'no' } }],
  ])('%s', (_, error) => {
    expect(isRevert(error)).toBe(true);
  });

  it.each<[string, object]>([
    ['has another code and another text', { code: 4, message: 'no' }],
    ['says that the account lacks coins', { code: -32000, message: 'insufficient funds' }],
    ['is a rate limit that quotes one', { code: 429, message: 'too many: execution reverted' }],
    ['is a limit of the node that quotes one', { code: -32005, message: 'execution reverted' }],
    ['only has the word in it', { code: -32000, message: 'the block was reverted' }],
  ])('but not if it %s', (_, error) => {
    expect(isRevert(error)).toBe(false);
  });
});
