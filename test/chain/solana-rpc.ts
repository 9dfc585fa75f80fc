import { address, getTransactionDecoder } from '@solana/kit';
import { VersionedMessage } from '@solana/web3.js';
import bs58 from 'bs58';
import { FailedTransactionMetadata } from 'litesvm';
import type { ExecutedOnVm, LocalVm } from './local-vm.js';
import { describeFailure } from './solana-transaction-errors.js';

/** A JSON-RPC request to a node. */
export type RpcRequest = { id: unknown; method: string; params?: unknown[] };

/** A JSON-RPC response, without its envelope. */
export type RpcReply =
  | { result: unknown }
  | { error: { code: number; message: string; data?: unknown } };

type Config = { minContextSlot?: number; skipPreflight?: boolean; limit?: number };
type Method = (vm: LocalVm, params: never) => unknown;

/** An error that a method responds with. */
class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The methods of a node that the flow and @solana/web3.js use, with the texts of the Agave node. */
const METHODS: Readonly<Record<string, Method>> = {
  getSlot: (vm) => vm.slot,
  getBlockHeight: (vm) => vm.height,
  getEpochInfo: (vm) => ({
    absoluteSlot: vm.slot,
    blockHeight: vm.height,
    epoch: 0,
    slotIndex: vm.slot,
    slotsInEpoch: 432_000,
    transactionCount: 0,
  }),
  getLatestBlockhash: (vm) => withContext(vm, vm.latestBlockhash()),
  getAccountInfo: (vm, [account]: string[]) => withContext(vm, accountOf(vm, account ?? '')),
  getMultipleAccounts: (vm, [accounts]: string[][]) =>
    withContext(
      vm,
      (accounts ?? []).map((account) => accountOf(vm, account)),
    ),
  getSignatureStatuses: (vm, [ids]: string[][]) =>
    withContext(
      vm,
      (ids ?? []).map((id) => statusOf(vm.findSent(id))),
    ),
  getTransaction: (vm, [id]: string[]) => transactionOf(vm.findSent(id ?? '')),
  getSignaturesForAddress: (vm, [account, config]: [string, Config]) =>
    vm
      .history(account)
      .slice(0, config.limit ?? 1_000)
      .map(historyEntryOf),
  sendTransaction: (vm, [bytes, config]: [string, Config]) =>
    sendTransaction(vm, Uint8Array.from(Buffer.from(bytes, 'base64')), config),
  simulateTransaction: (vm, [bytes]: [string]) =>
    withContext(vm, simulateTransaction(vm, Uint8Array.from(Buffer.from(bytes, 'base64')))),
};

/** Responds to a request as a node with the state of the VM does. */
export function respond(vm: LocalVm, { method, params = [] }: RpcRequest): RpcReply {
  const run = METHODS[method];
  if (run === undefined) return { error: { code: -32601, message: 'Method not found' } };
  try {
    requireSlot(vm, params);
    return { result: run(vm, params as never) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message, data } = error;
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

function requireSlot(vm: LocalVm, params: unknown[]): void {
  const { minContextSlot = 0 } = Object(params.at(-1)) as Config;
  if (minContextSlot <= vm.slot) return;
  const data = { contextSlot: vm.slot };
  throw new RpcError(-32016, 'Minimum context slot has not been reached', data);
}

function withContext(vm: LocalVm, value: unknown) {
  return { context: { apiVersion: '2.2.0', slot: vm.slot }, value };
}

function accountOf(vm: LocalVm, account: string) {
  const found = vm.svm.getAccount(address(account));
  if (!found.exists) return null;
  return {
    data: [Buffer.from(found.data).toString('base64'), 'base64'],
    executable: found.executable,
    lamports: Number(found.lamports),
    owner: found.programAddress,
    rentEpoch: 0,
    space: found.data.length,
  };
}

function statusOf(sent: ExecutedOnVm | undefined) {
  if (sent === undefined) return null;
  const { slot, err } = sent;
  return { slot, confirmations: 1, err, status: { Ok: null }, confirmationStatus: 'confirmed' };
}

function historyEntryOf({ signature, slot, err, blockTime }: ExecutedOnVm) {
  return { signature, slot, err, memo: null, blockTime, confirmationStatus: 'confirmed' };
}

function transactionOf(sent: ExecutedOnVm | undefined) {
  if (sent === undefined) return null;
  const message = VersionedMessage.deserialize(sent.message);
  const { header, staticAccountKeys, compiledInstructions, recentBlockhash } = message;
  const meta = { err: sent.err, fee: 5_000, preBalances: [], postBalances: [], logMessages: [] };
  return {
    slot: sent.slot,
    blockTime: sent.blockTime,
    version: message.version,
    meta: { ...meta, loadedAddresses: sent.loadedAddresses },
    transaction: {
      signatures: [sent.signature],
      message: {
        header,
        accountKeys: staticAccountKeys.map((key) => key.toBase58()),
        recentBlockhash,
        instructions: compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
          programIdIndex,
          accounts: accountKeyIndexes,
          data: bs58.encode(data),
        })),
        addressTableLookups: message.addressTableLookups.map((lookup) => ({
          accountKey: lookup.accountKey.toBase58(),
          writableIndexes: lookup.writableIndexes,
          readonlyIndexes: lookup.readonlyIndexes,
        })),
      },
    },
  };
}

function sendTransaction(vm: LocalVm, bytes: Uint8Array, { skipPreflight }: Config): string {
  const transaction = getTransactionDecoder().decode(bytes);
  const simulated = vm.svm.simulateTransaction(transaction);
  if (skipPreflight !== true && simulated instanceof FailedTransactionMetadata) {
    const { err, text } = describeFailure(simulated);
    const logs = simulated.meta().logs();
    const data = { accounts: null, err, innerInstructions: null, logs, returnData: null };
    throw new RpcError(-32002, `Transaction simulation failed: ${text}`, data);
  }
  return vm.execute(bytes);
}

/** Simulates without the signatures, as a node does with `sigVerify: false`. */
function simulateTransaction(vm: LocalVm, bytes: Uint8Array) {
  const simulated = vm.simulateUnsigned(bytes);
  const isFailed = simulated instanceof FailedTransactionMetadata;
  return {
    err: isFailed ? describeFailure(simulated).err : null,
    logs: simulated.meta().logs(),
    accounts: null,
    returnData: null,
    unitsConsumed: Number(simulated.meta().computeUnitsConsumed()),
  };
}
