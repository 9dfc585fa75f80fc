import { describe, expect, it } from 'vitest';
import { SecretValues } from '../../src/transport/response/redact.js';
import { secretsInside } from '../../src/transport/response/redact-error.js';

describe('the secrets of a call', () => {
  it.each([
    ['abc', false],
    ['abcd', true],
    ['1234', true],
    ['123', false],
  ])('of at least four characters are replaced: %s', (secret, isReplaced) => {
    const shown = new SecretValues([secret]).redact(`it said ${secret} twice: ${secret}`);
    expect(shown.includes(secret)).toBe(!isReplaced);
  });

  it.each([
    ['1234567', false],
    ['12345678', true],
  ])('of at least eight characters are found in base64: %s', (secret, isReplaced) => {
    for (const before of ['', 'a', 'ab']) {
      const sent = btoa(`${before}${secret}.`);
      const shown = new SecretValues([secret]).redact(sent);
      expect(shown.includes('[redacted]'), sent).toBe(isReplaced);
    }
  });

  const secretOf = (length: number) =>
    Array.from({ length }, (_, index) => `${index}/"`)
      .join('')
      .slice(0, length);

  it.each([
    ['as they are', (text: string) => text],
    ['in a URL', encodeURIComponent],
    ['in JSON inside JSON', (text: string) => JSON.stringify(JSON.stringify(text))],
    ['in base64', (text: string) => btoa(`a${text}`)],
  ])('of any length are found whole, %s', (_, spell) => {
    for (const length of [1_999, 2_000, 2_001, 4_096, 9_000]) {
      const secret = secretOf(length);
      const shown = new SecretValues([secret]).redact(spell(secret));
      expect(shown).toContain('[redacted]');
      // At the seams of its parts, base64 may leave a character.
      expect(shown.replaceAll('[redacted]', '').length, `${length}`).toBeLessThan(20);
    }
  });

  it('of more than 2,000 characters are found in parts, too', () => {
    const firstHalf = (length: number) => secretOf(length).slice(0, Math.ceil(length / 2));
    const shown = (length: number) =>
      new SecretValues([secretOf(length)]).redact(firstHalf(length));
    expect(shown(2_000)).toBe(firstHalf(2_000));
    expect(shown(2_001)).toBe('[redacted]');
  });

  it.each([
    ['seven backslashes', `pass${'\\'.repeat(7)}"word`, 'pass"word', true],
    ['eight backslashes', `pass${'\\'.repeat(8)}"word`, 'pass"word', false],
    ['a URL in three others', 'pass%2525252fword', 'pass/word', true],
    ['a URL in four others', 'pass%252525252fword', 'pass/word', false],
    ['four zeros in HTML', 'pass&#000047;word', 'pass/word', true],
    ['five zeros in HTML', 'pass&#0000047;word', 'pass/word', false],
    ['four zeros in hexadecimal', 'pass&#x00002f;word', 'pass/word', true],
    ['five zeros in hexadecimal', 'pass&#x000002f;word', 'pass/word', false],
  ])('are found as far as programs escape a character: %s', (_, sent, secret, isReplaced) => {
    expect(new SecretValues([secret]).redact(sent)).toBe(isReplaced ? '[redacted]' : sent);
  });

  it('may be 32 levels deep in JSON, below which everything is replaced', () => {
    const inside = (levels: number, value: unknown) => {
      let json = value;
      for (let level = 0; level < levels; level++) json = { json };
      return json;
    };
    const secrets = new SecretValues(['token-of-ada']);
    expect(secrets.redactJson(inside(31, { a: 'x token-of-ada', b: 1 }))).toEqual(
      inside(31, { a: 'x [redacted]', b: 1 }),
    );
    expect(secrets.redactJson(inside(32, { a: 'x' }))).toEqual(inside(32, '[redacted]'));
  });

  it('include the token of a header without its scheme', () => {
    const secrets = new SecretValues(['Bearer token-of-ada']);
    expect(secrets.redact('token-of-ada')).not.toContain('token-of-ada');
    expect(secrets.redact('Authorization: Bearer token-of-ada')).not.toContain('token-of-ada');
  });

  it('are replaced whole if one contains another', () => {
    const shown = new SecretValues(['token', 'token-of-ada']).redact('x token-of-ada x token x');
    expect(shown).not.toContain('ada');
    expect(shown).not.toContain('token');
  });
});

describe('secrets inside an error body', () => {
  const inTexts = (texts: number) => {
    let body: object = { token: 'token-of-ada' };
    for (let text = 0; text < texts; text++) body = { message: JSON.stringify(body) };
    return secretsInside(body, (name) => name === 'token');
  };

  it.each([0, 1, 2, 3])('are found in JSON in a text, %i texts deep', (texts) => {
    expect(inTexts(texts)).toContain('token-of-ada');
  });

  it('are not looked for in more texts inside each other than somebody writes', () => {
    expect(inTexts(4)).toEqual([]);
  });

  const SECRET = 'token-of-ada';
  const brokenOff = (name: string, space = '') => `{"${name}"${space}:${space}"${SECRET}`;

  it.each([
    ['under a name of 40 characters', brokenOff('a'.repeat(40)), [SECRET]],
    ['under a name of 41 characters', brokenOff('a'.repeat(41)), []],
    ['with 9 spaces on both sides of the colon', brokenOff('token', ' '.repeat(9)), [SECRET]],
    ['with 10 spaces on both sides of the colon', brokenOff('token', ' '.repeat(10)), []],
  ])('that breaks off are looked for %s', (_, body, found) => {
    expect(secretsInside(body, () => true)).toEqual(found);
  });
});
