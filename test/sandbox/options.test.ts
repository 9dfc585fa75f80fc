import { describe, expect, it } from 'vitest';
import { readOptions, USAGE } from '../../src/sandbox/options.js';
import { UsageError } from '../../src/sandbox/usage-error.js';
import { CHOICE_NAMES } from '../../src/testing/choices.js';

describe('the options of the sandbox', () => {
  it('name every choice in the usage text', () => {
    for (const name of CHOICE_NAMES) expect(USAGE).toContain(name);
  });

  it('choose what the contract leaves open, and where deliveries go', () => {
    const options = readOptions([
      ...['--choose', 'otpRequiredStatus=200', '--choose', 'pendingCard=not-found'],
      ...['--webhooks-to', 'http://127.0.0.1:3000/hooks'],
    ]);
    expect(options).toMatchObject({
      choices: { otpRequiredStatus: 200, pendingCard: 'not-found' },
      webhooksTo: 'http://127.0.0.1:3000/hooks',
    });
  });

  it('serve the observed calls only on request', () => {
    expect(readOptions(['--observed'])?.observed).toBe(true);
    expect(readOptions([])?.observed).toBe(false);
    expect(USAGE).toContain('--observed');
  });

  it.each([
    ['--choose', 'otpRequiredStatus=403'],
    ['--choose', 'otpRequiredStatus'],
    ['--choose', 'other=1'],
    ['--webhooks-to', 'https://hooks.example.com'],
    ['--webhooks-to', 'here'],
  ])('are refused when invalid: %s %s', (name, value) => {
    expect(() => readOptions([name, value])).toThrow(UsageError);
  });
});
