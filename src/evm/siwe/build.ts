import { invalid } from '../../delegation/check-values.js';
import { RequestValidationError } from '../../errors/index.js';
import { toChecksumAddress } from '../address.js';
import { FIRST_LINE_END, LABELS, MAX_LENGTH } from './parse.js';
import { grammarIssues, type SiweLeniency, type SiweMessage, strictIssues } from './rules.js';

/** The options of `buildSiweMessage`. */
export type SiweBuildOptions = SiweLeniency & {
  /**
   * `'eip-4361'` builds every message that the grammar of EIP-4361 allows. Default `'strict'`, which
   * also refuses what no wallet should sign:
   *
   * - a `uri` that is not https, or http on a loopback host (`localhost`, `127.0.0.1`, `[::1]`), or
   *   that is on another host or port than `domain`; a `scheme` that differs from the `uri`
   * - a `domain` with a user name, an empty or impossible port, or anything but a host name or address
   * - a blank `statement`, chain id 0, an `expirationTime` that is not after `issuedAt`, a `notBefore`
   *   that is not before the `expirationTime`
   * - `resources` that are scripts: `javascript:`, `vbscript:`, `data:`. Other hosts and schemes are
   *   allowed there: resources say what the signature is about, not who asks for it.
   *
   * **Warning:** wallets compare domain and URI with the page to recognise phishing. A user who
   * learns to sign messages that differ will sign an attacker's messages too. Set `'eip-4361'` only
   * for a message whose fields no user, link or server response can influence, for example in an
   * app whose own scheme is the URI.
   */
  rules?: 'strict' | 'eip-4361' | undefined;
};

/**
 * Builds the text of a Sign-In with Ethereum message, byte for byte as EIP-4361 defines it. No
 * field can add a line break, a control character or another line, and each own field of the object
 * is read once.
 *
 * @throws RequestValidationError listing every field that breaks the grammar, or that no wallet
 *   should sign: see `rules` of {@link SiweBuildOptions}. Also for a message that is longer than 16,384
 *   characters.
 *
 * @example
 * ```ts
 * import { buildSiweMessage } from 'card-platform-sdk/evm';
 *
 * const text = buildSiweMessage({
 *   domain: 'app.example',
 *   address: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
 *   statement: 'Prove address ownership',
 *   uri: 'https://app.example',
 *   version: '1',
 *   chainId: 59144,
 *   nonce: '6f1a2b3c4d5e',
 *   issuedAt: '2026-01-31T09:00:00.000Z',
 * });
 * ```
 */
export function buildSiweMessage(fields: SiweMessage, options: SiweBuildOptions = {}): string {
  // Each field is read once: a getter could return one value to the check and another to the text.
  const copy = { ...fields };
  if (Array.isArray(copy.resources)) copy.resources = [...copy.resources];
  const { rules, ...leniency } = { ...options };
  const issues = grammarIssues(copy, leniency);
  const sound: Partial<SiweMessage> = { ...copy };
  for (const { path } of issues) delete sound[path as keyof SiweMessage];
  if (rules !== 'eip-4361') issues.push(...strictIssues(sound));
  if (issues.length > 0) throw new RequestValidationError(issues);
  const { scheme, domain, statement, resources } = copy;
  const text = [
    `${scheme === undefined ? '' : `${scheme}://`}${domain}${FIRST_LINE_END}`,
    toChecksumAddress(copy.address),
    '',
    ...(statement === undefined ? [''] : [statement, '']),
    ...Object.entries(LABELS).flatMap(([name, label]) => {
      const value = copy[name as keyof typeof LABELS];
      return value === undefined ? [] : [`${label}: ${value}`];
    }),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map((uri) => `- ${uri}`)]),
  ].join('\n');
  return text.length > MAX_LENGTH ? invalid('', 'too long') : text;
}
