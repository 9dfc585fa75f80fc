import { RequestValidationError, type ValidationIssue } from '../../errors/index.js';
import { isEvmAddress, toChecksumAddress } from '../address.js';
import { grammarIssues, type SiweLeniency, type SiweMessage } from './rules.js';

/** The end of the first line of an EIP-4361 message, after the domain. */
export const FIRST_LINE_END = ' wants you to sign in with your Ethereum account:';

/** The labelled lines in their order, by field. The first five are required. */
export const LABELS = {
  uri: 'URI',
  version: 'Version',
  chainId: 'Chain ID',
  nonce: 'Nonce',
  issuedAt: 'Issued At',
  expirationTime: 'Expiration Time',
  notBefore: 'Not Before',
  requestId: 'Request ID',
};

const REQUIRED = 5;
/** The longest message that is read and built. */
export const MAX_LENGTH = 16_384;

type LineName = 'scheme' | 'domain' | 'address' | 'statement' | keyof typeof LABELS | 'resources';

/** The texts of the lines by field, and the field whose line is missing or not in its place. */
type SiweText = {
  readonly lines: { readonly [Name in LineName]?: string };
  readonly broken?: string;
};

/**
 * Reads the lines of an EIP-4361 message: every line in its place, nothing missing, nothing added.
 * The contents of the lines are not checked.
 */
function readSiweText(text: unknown): SiweText {
  if (typeof text !== 'string' || text.length > MAX_LENGTH) return { lines: {}, broken: '' };
  const lines: Record<string, string> = {};
  let rest = `${text}\n`;
  for (const [name, source] of patterns()) {
    const [all, line] = new RegExp(`^${source}`).exec(rest) ?? [];
    if (all === undefined) return { lines, broken: name };
    if (line !== undefined) lines[name] = line;
    rest = rest.slice(all.length);
  }
  return { lines };
}

function patterns(): [name: string, source: string][] {
  return [
    ['scheme', '(?:([^:/\\n]+)://)?'],
    ['domain', `(.*)${FIRST_LINE_END}\\n`],
    ['address', '(.*)\\n'],
    ['statement', '\\n(?:(.+)\\n)?\\n'],
    ...Object.entries(LABELS).map(([name, label], index): [string, string] => {
      const line = `${label}: (.*)\\n`;
      return [name, index < REQUIRED ? line : `(?:${line})?`];
    }),
    ['resources', '(?:Resources:\\n((?:- .*\\n)*))?'],
    ['', '$'],
  ];
}

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
