import type { Keypair } from '@solana/web3.js';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  buildSolanaApproval,
  buildSolanaRevoke,
  readDelegation,
  type SolanaInstruction,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/solana/index.js';
import { toKitInstruction } from '../../src/solana/kit/index.js';
import { toWeb3Transaction } from '../../src/solana/web3/index.js';
import { type LocalMint, LocalVm, signerOf } from '../chain/local-vm.js';
import { mintOptions, someAddress } from './support/scene.js';

describe.each([
  ['SPL-Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
])('a local chain with a mint of the %s program', (_, program) => {
  let vm: LocalVm;
  let mint: LocalMint;
  let wallet: Keypair;
  let owner: string;
  let tokenAccount: string;

  beforeEach(async () => {
    vm = await LocalVm.start();
    mint = await vm.newMint(6, program);
    wallet = vm.newWallet();
    owner = wallet.publicKey.toBase58();
    tokenAccount = await vm.fund(owner, mint, 1_000_000n);
  });

  const execute = async (instruction: SolanaInstruction, signer = wallet) =>
    vm.send(await signerOf(signer), [toKitInstruction(instruction)]);
  const approve = (delegate: string, amount: bigint) =>
    execute(buildSolanaApproval({ ...mintOptions(mint), owner, spender: delegate, amount }));
  const read = () => readDelegation({ node: vm.connection, ...mintOptions(mint), owner });

  it('readDelegation finds the program of a mint by itself', async () => {
    const delegate = someAddress();
    await approve(delegate, 77n);
    const { connection } = vm;
    const found = await readDelegation({ node: connection, owner, mint: mint.address });
    expect(found).toMatchObject({ tokenAccount, delegate, delegatedAmount: 77n });
    const named = await readDelegation({
      node: connection,
      owner,
      mint: mint.address,
      tokenAccount,
    });
    expect(named).toEqual(found);
  });

  it('readDelegation does not say "nobody" about what it cannot have read', async () => {
    await approve(someAddress(), 77n);
    const { connection } = vm;
    const other = program === TOKEN_PROGRAM ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
    const asOther = { node: connection, owner, mint: mint.address, programAddress: other };
    await expect(readDelegation(asOther)).rejects.toMatchObject({ reason: 'wrong_program' });
    const unknown = { node: connection, owner, mint: someAddress() };
    await expect(readDelegation(unknown)).rejects.toMatchObject({ reason: 'mint_not_found' });
    const stranger = { node: connection, owner: someAddress(), mint: mint.address };
    expect(await readDelegation(stranger)).toBeUndefined();
  });

  it('executes an approval, and readDelegation returns the delegate and the amount', async () => {
    const delegate = someAddress();
    expect(await read()).toMatchObject({ delegate: null, delegatedAmount: 0n, isFrozen: false });
    await approve(delegate, 77n);
    expect(await read()).toEqual({
      tokenAccount,
      owner,
      mint: mint.address,
      balance: 1_000_000n,
      delegate,
      delegatedAmount: 77n,
      isFrozen: false,
    });
  });

  it('replaces one delegate with another and executes a revocation', async () => {
    await approve(someAddress(), 77n);
    const second = someAddress();
    await approve(second, 78n);
    expect(await read()).toMatchObject({ delegate: second, delegatedAmount: 78n });
    await execute(buildSolanaRevoke({ ...mintOptions(mint), owner }));
    expect(await read()).toMatchObject({ delegate: null, delegatedAmount: 0n });
  });

  it('reduces the delegated amount when the delegate spends', async () => {
    const spender = vm.newWallet();
    await approve(spender.publicKey.toBase58(), 100n);
    await vm.spend(spender, tokenAccount, mint, 30n);
    expect(await read()).toMatchObject({ delegatedAmount: 70n, balance: 999_970n });
    await vm.spend(spender, tokenAccount, mint, 70n);
    expect(await read()).toMatchObject({ delegate: null, delegatedAmount: 0n });
  });

  it('executes a transaction that was built for @solana/web3.js', async () => {
    const delegate = someAddress();
    const { blockhash, lastValidBlockHeight } = await vm.connection.getLatestBlockhash();
    const transaction = toWeb3Transaction({
      feePayer: owner,
      blockhash,
      lastValidBlockHeight,
      instructions: [
        buildSolanaApproval({ ...mintOptions(mint), owner, spender: delegate, amount: 5n }),
      ],
    });
    transaction.sign(wallet);
    await vm.connection.sendRawTransaction(Uint8Array.from(transaction.serialize()));
    expect(await read()).toMatchObject({ delegate, delegatedAmount: 5n });
  });

  it('refuses an approval whose decimals differ from the decimals of the mint', async () => {
    const wrong = { ...mintOptions(mint), decimals: 9, owner, spender: someAddress(), amount: 1n };
    await expect(execute(buildSolanaApproval(wrong))).rejects.toThrow(/custom|0x12|18/i);
    expect(await read()).toMatchObject({ delegate: null });
  });

  it('refuses an approval of a frozen account', async () => {
    await vm.freeze(tokenAccount, mint);
    await expect(approve(someAddress(), 1n)).rejects.toThrow(/custom|frozen|0x11/i);
    expect(await read()).toMatchObject({ isFrozen: true, delegate: null });
  });

  it('refuses an approval by somebody else', async () => {
    const other = vm.newWallet();
    const approvalByOther = buildSolanaApproval({
      ...mintOptions(mint),
      owner: other.publicKey.toBase58(),
      tokenAccount,
      spender: someAddress(),
      amount: 1n,
    });
    await expect(execute(approvalByOther, other)).rejects.toThrow(/custom|0x4|owner/i);
    expect(await read()).toMatchObject({ delegate: null });
  });

  it('has no delegation for an account that does not exist', async () => {
    const nobody = someAddress();
    expect(
      await readDelegation({ node: vm.connection, ...mintOptions(mint), owner: nobody }),
    ).toBeUndefined();
    const input = { node: vm.connection, ...mintOptions(mint), owner };
    expect(await readDelegation({ ...input, tokenAccount: mint.address })).toBeUndefined();
  });
});
