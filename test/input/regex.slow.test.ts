import { checkSync } from 'recheck';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/contract/check.js';
import * as fields from '../../src/contract/fields.js';
import type { Schema } from '../../src/contract/schema.js';
import { parseSiweMessage } from '../../src/evm/siwe/parse.js';
import {
  FRAGMENT,
  isAuthority,
  isUri,
  REG_NAME,
  STATEMENT,
  USERINFO,
  whole,
} from '../../src/evm/siwe/rules.js';
import { requireExtraHeaders } from '../../src/transport/adapters/header-safety.js';
import { copyInput } from '../../src/transport/request/copy-input.js';
import { SecretValues } from '../../src/transport/response/redact.js';
import { requireBaseUrl } from '../../src/transport/settings/settings.js';
import { regexLiterals } from './regex-literals.js';

/**
 * Counted steps decide, not time: a limit of the analysis that is shorter than a pause of a loaded machine
 * makes it report a linear expression as vulnerable. Only an analysis that hangs reaches the last limit.
 */
const ANALYSIS = { attackTimeout: null, incubationTimeout: null, timeout: 600_000 };

const LITERALS = regexLiterals('src');
const LENGTH = 100_000;
/** CPU milliseconds: far more than linear matching takes, far less than quadratic matching. */
const LONGEST_MS = 500;

/** CPU time of this process. Unlike a clock, it stands still while another process works. */
function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Long texts that repeat the start of a match and end with an unexpected character. */
const HOSTILE = [
  ...[
    'a',
    '0',
    'A',
    'f',
    '/',
    '.',
    '-',
    '_',
    ' ',
    '\t',
    '\n',
    '@',
    ':',
    '%',
    '\\',
    '\u202e',
    '\ud800',
  ],
  ...[
    'a.',
    'a@',
    '0.',
    'a-',
    ' a',
    '0x',
    '..',
    './',
    '://',
    '\\u',
    'aA0',
    '\r\n',
    '\ud83d\ude00',
    '__proto__',
  ],
].flatMap((unit) => {
  const long = unit.repeat(Math.ceil(LENGTH / unit.length));
  return [long, `${long}!`, `${long}\n`, `0x${long}`, `https://${long}`, `a@${long}`, `#${long}`];
});

function slowest(work: (text: string) => unknown): number {
  let longest = 0;
  for (const text of HOSTILE) {
    const startedAt = cpuTimeMs();
    try {
      work(text);
    } catch {
      // A rejected text is fine too: only the time matters.
    }
    longest = Math.max(longest, cpuTimeMs() - startedAt);
  }
  return longest;
}

describe('every regular expression of the source', () => {
  it('is found by this test', () => {
    expect(LITERALS.length).toBeGreaterThan(60);
  });

  it.each(LITERALS)('at $location has a linear structure', ({ source, flags }) => {
    expect(checkSync(source, flags, ANALYSIS).status).toBe('safe');
  });

  it.each([
    USERINFO,
    REG_NAME,
    FRAGMENT,
    STATEMENT,
  ])('that is composed at run time has a linear structure: %s', (rule) => {
    const { source, flags } = whole(rule);
    expect(checkSync(source, flags, ANALYSIS).status).toBe('safe');
  });

  it.each(LITERALS)('at $location handles 100,000 hostile characters in time', ({
    source,
    flags,
  }) => {
    expect(slowest((text) => text.replace(new RegExp(source, flags), ''))).toBeLessThan(LONGEST_MS);
  });

  it.each(LITERALS)('at $location does not fold letters of other alphabets into ASCII', ({
    flags,
  }) => {
    expect(flags.includes('i') && flags.includes('u')).toBe(false);
  });
});

describe('100,000 hostile characters', () => {
  const schemas = Object.entries(fields).filter(
    (entry): entry is [string, Extract<(typeof entry)[1], Schema>] =>
      typeof entry[1] !== 'string' && '~standard' in entry[1],
  );
  const readers: [string, (text: string) => unknown][] = [
    ...schemas.map(([name, schema]): [string, (text: string) => unknown] => [
      `field ${name}`,
      (text) => check(schema, text),
    ]),
    ['baseUrl', requireBaseUrl],
    ['a header', (text) => requireExtraHeaders({ [text]: text })],
    ['an input', (text) => copyInput({ [text]: text })],
    ['the message of an error', (text) => new SecretValues([text.slice(0, 50)]).clean(text, 500)],
    ['a URI', isUri],
    ['an authority', isAuthority],
    ['a message to sign', parseSiweMessage],
  ];

  it.each(readers)('are handled in time by %s', (_, read) => {
    expect(slowest(read)).toBeLessThan(LONGEST_MS);
  });
});
