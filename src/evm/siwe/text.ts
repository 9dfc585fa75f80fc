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
export type SiweText = {
  readonly lines: { readonly [Name in LineName]?: string };
  readonly broken?: string;
};

/**
 * Reads the lines of an EIP-4361 message: every line in its place, nothing missing, nothing added.
 * The contents of the lines are not checked.
 */
export function readSiweText(text: unknown): SiweText {
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
