import type { SolanaInstruction } from '../instruction.js';
import { u64 } from '../little-endian.js';
import type { SolanaPlan } from './plan.js';

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
