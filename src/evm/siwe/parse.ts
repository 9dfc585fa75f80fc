import { RequestValidationError, type ValidationIssue } from '../../errors/index.js';
import { toChecksumAddress } from '../address.js';
import { grammarIssues } from './fields.js';
import type { SiweLeniency, SiweMessage } from './message.js';
import { readSiweText } from './text.js';

/**
 * Reads a Sign-In with Ethereum message strictly by the grammar of EIP-4361: every line in its
 * place, nothing missing, nothing added.
 *
 * @throws RequestValidationError naming the first line, or every field, that breaks the grammar.
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
  const { lines = {}, broken } = readSiweText(text);
  const { resources, chainId = '', ...fields } = lines;
  const message = { ...fields, chainId: /^\d+$/.test(chainId) ? Number(chainId) : Number.NaN };
  if (resources !== undefined) {
    // Every line ends with a break and starts with "- ".
    const list = resources.split('\n').slice(0, -1);
    Object.assign(message, { resources: list.map((line) => line.slice(2)) });
  }
  return {
    message: message as SiweMessage,
    issues: issuesOf(message as SiweMessage, broken, { ...leniency }),
  };
}

function issuesOf(message: SiweMessage, broken: string | undefined, leniency: SiweLeniency) {
  if (broken !== undefined) return [{ path: broken, message: 'not in its place in the message' }];
  const issues = grammarIssues(message, leniency);
  const { address } = message;
  const isAddress = issues.every(({ path }) => path !== 'address');
  if (isAddress && !leniency.allowUncheckedAddress && toChecksumAddress(address) !== address) {
    issues.push({ path: 'address', message: 'not in its EIP-55 form' });
  }
  return issues;
}
