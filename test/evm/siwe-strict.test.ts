import { describe, expect, it } from 'vitest';
import { readSignedMessage } from '../../src/contract/formats/signed-message.js';
import { RequestValidationError } from '../../src/errors/index.js';
import {
  buildSiweMessage,
  checkSiweMessage,
  parseSiweMessage,
  type SiweMessage,
} from '../../src/evm/index.js';
import {
  changingOnSecondRead,
  MESSAGE_FIELDS,
  signedMessage,
  WALLET,
} from '../support/signed-message.js';

const HTTP = { domain: 'localhost:5173', uri: 'http://localhost:5173/card' };
const { issuedAt } = MESSAGE_FIELDS;

function issuesOf(build: () => unknown): string[] {
  try {
    build();
  } catch (error) {
    expect(error).toBeInstanceOf(RequestValidationError);
    expect(error).toMatchObject({ code: 'request_invalid', outcome: 'not_sent', attempts: 0 });
    return (error as RequestValidationError).issues.map(({ path }) => path);
  }
  return [];
}

describe('a message that no wallet should sign', () => {
  const cases: [path: string, fields: Partial<SiweMessage>][] = [
    ['uri', { uri: 'javascript:alert(1)' }],
    ['uri', { uri: 'JavaScript://app.example.com/%0aalert(1)' }],
    ['uri', { uri: 'data:text/html,x' }],
    ['uri', { uri: 'ftp://app.example.com' }],
    ['uri', { uri: 'myapp://app.example.com' }],
    ['uri', { uri: 'http://app.example.com' }],
    ['uri', { uri: 'https:app.example.com' }],
    ['uri', { uri: 'https:///app.example.com' }],
    ['uri', { uri: 'https://evil.example' }],
    ['uri', { uri: 'https://app.example.com.evil.example' }],
    ['uri', { uri: 'https://app.example.com@evil.example' }],
    ['uri', { uri: 'https://user@app.example.com' }],
    ['uri', { uri: 'https://app.example.com:8443' }],
    ['uri', { uri: 'https://app.example.com:80' }],
    ['uri', { uri: 'https://app.example.com:0' }],
    ['uri', { uri: 'https://app.example.com:65979' }],
    ['uri', { uri: 'https://app%2Eexample.com' }],
    ['uri', { domain: 'localhost:5173', uri: 'http://localhost:5174' }],
    ['uri', { domain: 'app.example.com', uri: 'http://localhost' }],
    ['uri', { domain: 'localhost.evil.example', uri: 'http://localhost.evil.example' }],
    ['domain', { domain: 'user@app.example.com' }],
    ['domain', { domain: 'user:pw@app.example.com' }],
    ['domain', { domain: 'app.example.com:' }],
    ['domain', { domain: 'app.example.com:0' }],
    ['domain', { domain: 'app.example.com:65536' }],
    ['domain', { domain: 'app.example.com:999999' }],
    ['domain', { domain: 'app%2Eexample.com' }],
    ['scheme', { scheme: 'javascript' }],
    ['scheme', { scheme: 'http' }],
    ['chainId', { chainId: 0 }],
    ['statement', { statement: ' ' }],
    ['expirationTime', { expirationTime: issuedAt }],
    ['expirationTime', { expirationTime: '2026-01-31T09:30:00+01:00' }],
    ['notBefore', { notBefore: '2026-01-31T09:02:00.000Z' }],
    ['notBefore', { notBefore: '2027-01-31T09:02:00.000Z' }],
    ['resources', { resources: ['https://a.example', 'javascript:alert(1)'] }],
    ['resources', { resources: ['DATA:text/html,x'] }],
  ];

  it.each(cases)('is refused with an error that names %s: %j', (path, fields) => {
    expect(issuesOf(() => signedMessage(fields))).toEqual([path]);
  });

  it.each(
    cases,
  )("is built with rules: 'eip-4361' where the grammar allows it: %s %j", (_, fields) => {
    const message = { ...MESSAGE_FIELDS, ...fields };
    const text = buildSiweMessage(message, { rules: 'eip-4361' });
    expect(parseSiweMessage(text)).toEqual(message);
  });

  it('is refused with all of its fields at once, those that break the grammar included', () => {
    const fields = {
      domain: 'a@b',
      uri: 'javascript:x',
      chainId: 0,
      nonce: '',
      expirationTime: 'x',
    };
    const paths = issuesOf(() => signedMessage(fields));
    expect([...paths].sort()).toEqual(['chainId', 'domain', 'expirationTime', 'nonce', 'uri']);
  });

  it('is refused with an unknown value of rules', () => {
    const rules = 'none' as 'strict';
    const fields = { ...MESSAGE_FIELDS, chainId: 0 };
    expect(issuesOf(() => buildSiweMessage(fields, { rules }))).toEqual(['chainId']);
  });

  it('is refused when it is longer than one that can be parsed', () => {
    expect(issuesOf(() => signedMessage({ statement: 'x'.repeat(20_000) }))).toEqual(['']);
  });
});

it.each([
  { uri: 'https://APP.example.com/card?a=b#c' },
  { uri: 'https://app.example.com:443' },
  { domain: 'app.example.com:443' },
  { domain: 'app.example.com:8443', uri: 'https://app.example.com:8443/' },
  { scheme: 'https' },
  HTTP,
  { ...HTTP, scheme: 'http' },
  { domain: 'localhost:80', uri: 'http://localhost' },
  { domain: '127.0.0.1:3000', uri: 'http://127.0.0.1:3000' },
  { domain: '[::1]:3000', uri: 'http://[::1]:3000' },
  { notBefore: issuedAt },
  { resources: ['ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/'] },
  { resources: ['https://other.example/claim.json'] },
])('the strict rules accept %j', (fields) => {
  const message = { ...MESSAGE_FIELDS, ...fields };
  expect(parseSiweMessage(signedMessage(fields))).toEqual(message);
});

describe('the fields of a message', () => {
  it.each([
    null,
    undefined,
    5,
    'text',
    [],
  ])('are refused by a typed error when they are %j', (fields) => {
    expect(issuesOf(() => buildSiweMessage(fields as never))).toContain('domain');
    expect(checkSiweMessage(signedMessage(), fields as never).ok).toBe(false);
  });

  it.each([null, Symbol('x'), 5, {}, [], true])('are refused by name when each is %s', (value) => {
    for (const name of Object.keys(MESSAGE_FIELDS)) {
      const fields = { ...MESSAGE_FIELDS, [name]: value } as SiweMessage;
      if (name === 'chainId' && value === 5) continue;
      expect(issuesOf(() => buildSiweMessage(fields))).toContain(name);
    }
  });

  it('are read once, so the checked value is the one in the text', () => {
    const evil = { domain: 'evil.example', uri: 'javascript:x', nonce: 'x\nURI: y', chainId: 0 };
    expect(buildSiweMessage(changingOnSecondRead(MESSAGE_FIELDS, evil))).toBe(signedMessage());
  });

  it('include the elements of resources, which are read once too', () => {
    const resources = changingOnSecondRead(['https://a.example'], ['javascript:x'] as never);
    const text = buildSiweMessage({ ...MESSAGE_FIELDS, resources });
    expect(text).toContain('- https://a.example');
    expect(text).not.toContain('javascript');
  });
});

describe('a long message', () => {
  /** A message of this length, by the length of its resource. */
  function messageOf(length: number): string {
    const withResource = (extra: number) => ({
      resources: [`https://app.example.com/${'a'.repeat(extra)}`],
    });
    return signedMessage(withResource(length - signedMessage(withResource(0)).length));
  }

  it('is read with a chain id of at most 16 digits', () => {
    const read = (chainId: string) =>
      readSignedMessage(signedMessage().replace('Chain ID: 59144', `Chain ID: ${chainId}`));
    expect(read('9007199254740991')).toEqual({ address: WALLET, chainId: 9007199254740991 });
    expect(read('90071992547409910')).toBeUndefined();
  });

  it('has at most 16,384 characters', () => {
    const longest = messageOf(16_384);
    expect(longest).toHaveLength(16_384);
    expect(parseSiweMessage(longest)).toMatchObject(MESSAGE_FIELDS);
    expect(readSignedMessage(longest)).toEqual({ address: WALLET, chainId: 59144 });
    expect(issuesOf(() => messageOf(16_385))).toEqual(['']);
    const longer = `${longest}a`;
    expect(issuesOf(() => parseSiweMessage(longer))).not.toEqual([]);
    expect(readSignedMessage(longer)).toBeUndefined();
  });
});
