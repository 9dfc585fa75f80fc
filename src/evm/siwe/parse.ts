import { RequestValidationError } from '../../errors/index.js';
import { toChecksumAddress } from '../address.js';
import { FIRST_LINE_END, fieldIssues, type SiweLeniency, type SiweMessage } from './message.js';

const MAX_LENGTH = 16_384;
const FIRST_LINE = new RegExp(`^(?:([^:/]+)://)?(.*)${FIRST_LINE_END}$`);

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
  if (typeof text !== 'string' || text.length > MAX_LENGTH) fail('', 'not a message');
  const lines = linesOf(text);
  const [, scheme, domain] = FIRST_LINE.exec(lines.next()) ?? fail('domain', 'no first line');
  const address = lines.next();
  if (lines.next() !== '') fail('statement', 'must follow an empty line');
  const statement = lines.next() || undefined;
  if (statement !== undefined && lines.next() !== '') fail('statement', 'more than one line');
  const message = present<SiweMessage>({
    scheme,
    domain: domain ?? '',
    address,
    statement,
    uri: lines.value('URI', 'uri'),
    version: lines.value('Version', 'version') as '1',
    chainId: digits(lines.value('Chain ID', 'chainId')),
    nonce: lines.value('Nonce', 'nonce'),
    issuedAt: lines.value('Issued At', 'issuedAt'),
    expirationTime: lines.optional('Expiration Time'),
    notBefore: lines.optional('Not Before'),
    requestId: lines.optional('Request ID'),
    resources: lines.resources(),
  });
  if (!lines.isAtEnd()) fail('', 'an unexpected line');
  checkFields(message, leniency);
  return message;
}

function checkFields(message: SiweMessage, leniency: SiweLeniency): void {
  const issues = fieldIssues(message, leniency);
  const isUnchecked = issues.every(({ path }) => path !== 'address') && !isChecksummed(message);
  if (isUnchecked && leniency.allowUncheckedAddress !== true) {
    issues.push({ path: 'address', message: 'not in its EIP-55 form' });
  }
  if (issues.length > 0) throw new RequestValidationError(issues);
}

function isChecksummed({ address }: SiweMessage): boolean {
  return toChecksumAddress(address) === address;
}

/** Reads a message line by line. */
function linesOf(text: string) {
  const lines = text.split('\n');
  let position = 0;
  const next = () => lines[position++] ?? fail('', 'ends too early');
  const optional = (name: string) => {
    const label = `${name}: `;
    return lines[position]?.startsWith(label) ? next().slice(label.length) : undefined;
  };
  const value = (name: string, path: string) =>
    optional(name) ?? fail(path, `no "${name}" line in its place`);
  const resources = () => {
    if (lines[position] !== 'Resources:') return undefined;
    const list = lines.slice(position + 1);
    position = lines.length;
    return list.map((line) =>
      line.startsWith('- ') ? line.slice(2) : fail('resources', 'must start with "- "'),
    );
  };
  return { next, optional, value, resources, isAtEnd: () => position >= lines.length };
}

function digits(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** The same object without undefined fields. */
function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function fail(path: string, message: string): never {
  throw new RequestValidationError([{ path, message }]);
}
