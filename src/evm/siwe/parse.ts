import { RequestValidationError, type ValidationIssue } from '../../errors/index.js';
import { isEvmAddress, toChecksumAddress } from '../address.js';
import { grammarIssues } from './fields.js';
import { readSiweText } from './text.js';
import type { SiweLeniency, SiweMessage } from './types.js';

/**
 * Reads a Sign-In with Ethereum message strictly by the grammar of EIP-4361: every line in its
 * place, nothing missing, nothing added.
 *
 * @throws RequestValidationError with the field of the first line that is not in its place, or
 * every field that breaks the grammar.
 *
 * @example
 * ```ts
 * import { parseSiweMessage } from 'card-platform-sdk/evm';
 *
 * function nonceOf(text: string): string {
 *   return parseSiweMessage(text).nonce;
 * }
 * ```
 */
export function parseSiweMessage(text: string, leniency: SiweLeniency = {}): SiweMessage {
  const { message, issues } = readSiweMessage(text, leniency);
  if (issues.length > 0) throw new RequestValidationError(issues);
  return message;
}

/** Reads the fields of a message, and every rule of the grammar that it breaks. */
export function readSiweMessage(
  text: unknown,
  leniency: SiweLeniency,
): { message: SiweMessage; issues: ValidationIssue[] } {
  const { lines, broken } = readSiweText(text);
  const { resources, chainId = '', ...fields } = lines;
  const message = {
    ...fields,
    chainId: /^\d+$/.test(chainId) ? Number(chainId) : Number.NaN,
    ...(resources === undefined ? {} : { resources: listOf(resources) }),
  } as SiweMessage;
  if (broken !== undefined) {
    return { message, issues: [{ path: broken, message: 'not in its place' }] };
  }
  const { allowUncheckedAddress, ...rest } = { ...leniency };
  const issues = grammarIssues(message, rest);
  const { address } = message;
  const isUnchecked = isEvmAddress(address) && toChecksumAddress(address) !== address;
  if (isUnchecked && allowUncheckedAddress !== true) {
    issues.push({ path: 'address', message: 'not in its EIP-55 form' });
  }
  return { message, issues };
}

/** Each line starts with "- " and ends with a break. */
function listOf(lines: string): string[] {
  return lines === '' ? [] : lines.slice(2, -1).split('\n- ');
}
