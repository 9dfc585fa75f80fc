import { describe, expect, it } from 'vitest';
import { SecretValues } from '../../src/transport/response/redact.js';

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
