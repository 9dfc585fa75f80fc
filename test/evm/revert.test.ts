import { describe, expect, it } from 'vitest';
import { isRevert, revertReason } from '../../src/evm/chain/revert.js';

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

describe('the reason of a contract', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0');
  /** `Error(string)` with a text, as Solidity writes it. */
  const withText = (text: string) => {
    const hex = Buffer.from(text, 'latin1').toString('hex');
    return { data: `0x08c379a0${word(32n)}${word(BigInt(text.length))}${hex.padEnd(64, '0')}` };
  };
  const panic = (code: bigint) => ({ data: `0x4e487b71${word(code)}` });

  it.each<[unknown, string | undefined]>([
    [withText('paused'), '"paused"'],
    [withText('x'.repeat(120)), `"${'x'.repeat(120)}"`],
    // Whoever wrote the token wrote the text: one that is longer than a sentence is not shown.
    [withText('x'.repeat(121)), 'error 0x08c379a0'],
    [withText(''), 'error 0x08c379a0'],
    [withText('two\nlines'), 'error 0x08c379a0'],
    [withText('caf\u00e9'), 'error 0x08c379a0'],
    [panic(17n), 'panic 0x11'],
    [{ data: `${panic(17n).data}00` }, 'error 0x4e487b71'],
    [{ data: '0xAABBCCDD' }, 'error 0xaabbccdd'],
    [{ data: 'Reverted 0xaabbccdd' }, 'error 0xaabbccdd'],
    [{ cause: { data: '0xaabbccdd' } }, 'error 0xaabbccdd'],
    [{ data: '0xaabbcc' }, undefined],
    [{ data: '0xaabbccd' }, undefined],
    [{ data: 7 }, undefined],
    [undefined, undefined],
  ])('%#: %j', (error, reason) => {
    expect(revertReason(error)).toBe(reason);
  });
});
