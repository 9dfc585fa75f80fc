import type { ReadingContext } from '../../delegation/reading-context.js';
import { type SolanaInstruction, u64 } from '../instruction.js';
import type { SolanaPlan } from './plan.js';
import { readAccounts } from './read-chain.js';

/** The lamports of the wallet; `undefined` if the connection does not report them. */
export function lamportsOf(
  info: { lamports?: number | bigint | undefined } | null | undefined,
): bigint | undefined {
  if (info === null || info === undefined) return 0n;
  return info.lamports === undefined ? undefined : BigInt(info.lamports);
}

/** Whether the wallet can pay the fee of the approval. An unknown balance counts as enough. */
export async function hasGas(plan: SolanaPlan, context: ReadingContext): Promise<boolean> {
  const { node: connection } = plan.options;
  const read = () => readAccounts(connection, [plan.wallet.address], plan.commitment);
  const [info] = await context.read('the balance', read);
  const lamports = lamportsOf(info);
  return lamports === undefined || canPay(lamports, estimateFee(plan));
}

const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111';
const SET_COMPUTE_UNIT_LIMIT = 2;
const SET_COMPUTE_UNIT_PRICE = 3;
const U32_SIZE = 4;

/** The instructions that set what the transaction may cost, where the caller set it. */
export function computeBudget({ options }: SolanaPlan): SolanaInstruction[] {
  const { computeUnitLimit, computeUnitPrice } = options;
  const instruction = (type: number, value: Uint8Array): SolanaInstruction => ({
    programAddress: COMPUTE_BUDGET_PROGRAM,
    accounts: [],
    data: Uint8Array.from([type, ...value]),
  });
  return [
    ...(computeUnitLimit === undefined
      ? []
      : [instruction(SET_COMPUTE_UNIT_LIMIT, u64(BigInt(computeUnitLimit)).subarray(0, U32_SIZE))]),
    ...(computeUnitPrice === undefined
      ? []
      : [instruction(SET_COMPUTE_UNIT_PRICE, u64(BigInt(computeUnitPrice)))]),
  ];
}

/** What the network takes for one signature, in lamports. */
const SIGNATURE_FEE = 5_000n;
/** The rent-exempt minimum of a wallet's account, in lamports. */
const RENT_RESERVE = 890_880n;
const MICRO = 1_000_000n;
/** The network's default compute units: of an approval, and of an instruction that sets the fee. */
const DEFAULT_UNITS = 200_000n;
const BUDGET_UNITS = 3_000n;

/** The network fee of the approval with its priority fee, in lamports. A wallet may change it. */
export function estimateFee(plan: SolanaPlan): bigint {
  const { computeUnitLimit, computeUnitPrice = 0 } = plan.options;
  const units =
    computeUnitLimit === undefined
      ? DEFAULT_UNITS + BUDGET_UNITS * BigInt(computeBudget(plan).length)
      : BigInt(computeUnitLimit);
  const priority = (BigInt(computeUnitPrice) * units + MICRO - 1n) / MICRO;
  return SIGNATURE_FEE + priority;
}

/** Whether a wallet can pay a fee: the rest must be rent-exempt, or nothing at all. */
export function canPay(lamports: bigint, fee: bigint): boolean {
  const left = lamports - fee;
  return left === 0n || left >= RENT_RESERVE;
}
