import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cardStatus } from '../../src/contract/card.js';
import {
  hideSecrets,
  isSecretInError,
  isSecretInput,
  printWithoutSecrets,
  SecretValues,
  secretsUnder,
  textsIn,
} from '../../src/transport/response/redact.js';
import { secretsInside } from '../../src/transport/response/redact-error.js';

const redact = (secret: string, text: string) => new SecretValues([secret]).redact(text);

describe('a secret with a special character is found as programs spell it', () => {
  it.each([
    ['&', ['&', '\\&', '&amp;', '&#38;', '&#x26;', '&#X26;', '%26', '%2526', '\\u0026']],
    ['<', ['<', '&lt;', '&#60;', '&#x3c;', '&#x3C;', '%3c', '%3C', '\\u003c', '\\u003C']],
    ['>', ['>', '&gt;', '&#62;', '%3E', '\\u003e', '\\\\u003e']],
    ['"', ['"', '\\"', '\\\\\\"', '&quot;', '&#34;', '%22', '\\u0022']],
    ["'", ["'", '&apos;', '&#39;', '%27', '\\u0027']],
    [' ', [' ', '+', '%20', '&#32;', '\\u0020']],
    ['+', ['+', '%2B', '%2b', '&#43;', '\\u002b']],
    ['-', ['-', '%2D', '%2d', '&#45;']],
    ['.', ['.', '%2E', '%2e']],
    ['\n', ['\n', '\\n', '\\\\n', '\\u000a', '\\u000A', '%0A', '&#10;']],
    ['\t', ['\t', '\\t', '\\u0009', '%09', '&#9;']],
    ['\u007f', ['\u007f', '%7F', '\\u007f']],
    ['\u0080', ['\u0080', '%C2%80', '\\u0080']],
    ['é', ['é', '%C3%A9', '%c3%a9', '\\u00e9', '&#233;', '&#xe9;', '&#xE9;']],
    ['€', ['€', '%E2%82%AC', '\\u20ac', '&#8364;']],
    ['😀', ['😀', '%F0%9F%98%80', '\\ud83d\\ude00', '&#128512;', '&#x1f600;']],
    ['\ud800', ['\ud800', '\\ud800']],
  ])('%j', (character, spelled) => {
    for (const one of spelled) {
      expect(redact(`pass${character}word`, `x pass${one}word x`), one).toBe('x [redacted] x');
    }
  });

  it.each([
    ['/', '+'],
    ['/', '%20'],
    ['&', '&lt;'],
    ['-', ''],
    ['.', 'x'],
  ])('%j, and not as something else: %j', (character, other) => {
    expect(redact(`pass${character}word`, `pass${other}word`)).toBe(`pass${other}word`);
  });

  it('with both alphabets of base64', () => {
    const secret = '>>>???>>>???';
    const sent = btoa(secret);
    expect(sent).toMatch(/[+]/);
    expect(sent).toMatch(/[/]/);
    const forUrls = sent.replaceAll('+', '-').replaceAll('/', '_');
    for (const text of [sent, forUrls]) expect(redact(secret, text)).toBe('[redacted]');
  });
});

it('a secret that is repeated is replaced each time', () => {
  expect(redact('abcd', 'abcdabcd abcd')).toBe('[redacted][redacted] [redacted]');
});

it('only a scheme at the beginning of a header is left out', () => {
  const secret = 'my Bearer token-of-ada';
  expect(redact(secret, secret)).toBe('[redacted]');
});

it('a line for a log has one space for each run of control characters', () => {
  const secrets = new SecretValues(['abcd']);
  expect(secrets.clean(' one\r\n\u202e\ttwo\u0000abcd ', 30)).toBe('one two [redacted]');
  expect(secrets.clean('123456789', 5)).toBe('12345');
});

describe('secrets in JSON', () => {
  const inside = (levels: number, value: unknown) => {
    let json = value;
    for (let level = 0; level < levels; level++) json = { json };
    return json;
  };
  const isToken = (name: string) => name === 'token';

  it('are looked for in texts below 32 objects', () => {
    expect(textsIn(inside(32, 'text'))).toEqual(['text']);
    expect(textsIn(inside(33, 'text'))).toEqual([]);
    expect(textsIn(inside(3, [1, 'one', null, ['two']]))).toEqual(['one', 'two']);
  });

  it('are looked for under names below 31 objects', () => {
    expect(secretsUnder(inside(31, { token: ['a', { b: 'c' }] }), isToken)).toEqual(['a', 'c']);
    expect(secretsUnder(inside(32, { token: 'a' }), isToken)).toEqual([]);
    expect(secretsUnder({ name: 'a', token: null }, isToken)).toEqual([]);
  });

  it('are found after words and before them, where no pair of texts shows them', () => {
    const found = (text: string) => secretsInside(text, isToken);
    expect(found('failed: {"token":["token-of-ada"]} at once')).toEqual(['token-of-ada']);
    expect(found('failed: [{"token":{"is":"token-of-ada"}}].')).toEqual(['token-of-ada']);
    expect(found('} failed: {"token":"token-of-ada')).toEqual(['token-of-ada']);
    expect(found('{"name":"ada')).toEqual([]);
    expect(found('no JSON at all')).toEqual([]);
  });
});

describe('a field is secret', () => {
  const declared = { ...cardStatus, secretInputs: ['maiden'], secrets: ['a.b.code', 'user.*'] };
  const named = { ...declared, redactsNamed: true };

  it.each<[string, boolean, boolean, boolean]>([
    ['maiden', true, true, true],
    ['a.0.maiden', true, true, true],
    ['maiden.*', true, true, true],
    ['maiden.age', false, false, false],
    ['password', false, true, true],
    ['a.refresh_token', false, true, false],
    ['email', false, false, false],
  ])('by its name: %s', (name, ofInput, ofNamedInput, inError) => {
    expect(isSecretInput(declared)(name)).toBe(ofInput);
    expect(isSecretInput(named)(name)).toBe(ofNamedInput);
    if (!name.includes('.')) expect(isSecretInError(declared)(name)).toBe(inError);
  });

  it.each([
    ['code', true],
    ['user', true],
    ['b', false],
    ['*', false],
  ])('of an error by the last name of its path: %s', (name, isSecret) => {
    expect(isSecretInError(declared)(name)).toBe(isSecret);
  });

  it('of nothing, where an endpoint declares none', () => {
    const { secretInputs: _, ...plain } = { ...cardStatus, secrets: [] };
    expect(isSecretInput(plain)('anything')).toBe(false);
    expect(isSecretInError(plain)('maiden')).toBe(false);
  });
});

describe('the printout of a result', () => {
  const printed = (value: unknown) => inspect(value, { depth: 99 });
  const endpointWith = (more: object) => ({ ...cardStatus, secrets: ['a.token'], ...more });

  it('shows that a secret is missing', () => {
    const result = { a: { token: null } };
    expect(printed(hideSecrets(endpointWith({}), result))).toBe('{ a: { token: null } }');
    const empty = { a: { token: undefined } };
    expect(printed(hideSecrets(endpointWith({}), empty))).toBe('{ a: { token: undefined } }');
  });

  it('hides fields by their names only where the endpoint is not in the contract', () => {
    const result = () => ({ a: { token: 'abcd', name: 'x' }, list: [{ pin: '1234', name: 'y' }] });
    const plain = printed(hideSecrets(endpointWith({}), result()));
    expect(plain).toContain('1234');
    expect(plain).not.toContain('abcd');
    const all = printed(hideSecrets(endpointWith({ redactsNamed: true }), result()));
    expect(all).not.toMatch(/1234|abcd/);
    expect(all).toContain("name: 'x'");
    expect(all).toContain("name: 'y'");
  });

  it('hides fields 32 lists deep', () => {
    const inLists = (levels: number) => {
      let value: unknown = { token: 'abcd' };
      for (let level = 0; level < levels; level++) value = [value];
      return value;
    };
    expect(printed(printWithoutSecrets(inLists(31), ['token']))).not.toContain('abcd');
    expect(printed(printWithoutSecrets(inLists(32), ['token']))).toContain('abcd');
    const named = endpointWith({ secrets: [], redactsNamed: true });
    expect(printed(hideSecrets(named, inLists(31)))).not.toContain('abcd');
    expect(printed(hideSecrets(named, inLists(32)))).toContain('abcd');
  });

  it('hides bytes as a whole, or not at all', () => {
    const bytes = () => ({ image: new Uint8Array([7, 8]) });
    expect(printed(printWithoutSecrets(bytes(), ['image.*']))).toBe('{ image: [redacted] }');
    expect(printed(printWithoutSecrets(bytes(), ['image.x']))).toContain('7, 8');
    expect(printed(hideSecrets(endpointWith({ redactsNamed: true }), bytes()))).toContain('7, 8');
  });

  it.each([null, 5, 'text', undefined, { a: null }, { a: 'text' }])('leaves %j alone', (value) => {
    expect(hideSecrets(endpointWith({}), value)).toBe(value);
    expect(hideSecrets(endpointWith({ redactsNamed: true }), value)).toBe(value);
  });
});
