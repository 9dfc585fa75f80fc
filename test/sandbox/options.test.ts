import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../src/sandbox/command-line.js';
import { readOptions, USAGE } from '../../src/sandbox/options.js';
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

  it('have a port up to 65535', () => {
    expect(readOptions(['--port', '65535'])?.port).toBe(65_535);
    expect(readOptions(['--port', '0'])?.port).toBe(0);
    for (const port of ['65536', '-1', '1e3', '100000', '']) {
      expect(() => readOptions([`--port=${port}`])).toThrow(UsageError);
    }
  });

  it('serve the observed calls only on request', () => {
    expect(readOptions(['--observed'])?.observed).toBe(true);
    expect(readOptions([])?.observed).toBe(false);
    expect(USAGE).toContain('--observed');
  });

  it('add networks and currencies, and take the credentials of the app', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-options-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'keys.json');
    writeFileSync(file, '{"clientId":"id-of-file","secretKey":"secret"}');
    const options = readOptions([
      ...['--add', 'base', '--add', 'eurc'],
      ...['--credentials', file, '--credentials', 'clientKey=a=b', '--credentials', 'clientId=id'],
    ]);
    expect(options).toMatchObject({
      additions: ['base', 'eurc'],
      credentials: { clientKey: 'a=b', clientId: 'id', secretKey: 'secret' },
    });
    expect(readOptions([])).toMatchObject({ additions: [], credentials: {} });
    for (const contents of ['[]', '{', '{"clientKey":5}', '{"clientKye":"a"}']) {
      writeFileSync(file, contents);
      expect(() => readOptions(['--credentials', file])).toThrow(UsageError);
    }
  });

  it.each([
    ['--prot', '--port'],
    ['--api-key', '--credentials'],
    ['--apiKey', '--credentials'],
    ['--host', '--listen'],
    ['--webhook-url', '--webhooks-to'],
    ['--allow-origins', '--allow-origin'],
  ])('asks for the option that is meant by %s: %s', (wrong, meant) => {
    expect(() => readOptions([wrong, 'sesame'])).toThrow(
      `${wrong} is not a known option. Did you mean ${meant}?`,
    );
    expect(() => readOptions([`${wrong}=sesame`])).toThrow(/^(?!.*sesame).*is not a known option/);
  });

  it('names the credential that is meant, and never its value', () => {
    expect(() => readOptions(['--credentials', 'clientKye=sesame'])).toThrow(
      '--credentials: clientKye is not a known option. Did you mean clientKey?',
    );
    expect(() => readOptions(['--credentials', 'clientKey=open sesame'])).toThrow(
      /^--credentials: clientKey must be visible ASCII/,
    );
  });

  it('never quote a file of credentials that is not JSON', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-options-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'keys.json');
    writeFileSync(file, '{"secretKey":sesame}');
    expect(() => readOptions(['--credentials', file])).toThrow(
      /^(?!.*sesame)--credentials is not a JSON file/,
    );
  });

  it.each([
    ['--add', ''],
    ['--add', 'a b'],
    ['--credentials', 'sesame'],
    ['--credentials', 'clientKey='],
    ['--credentials', '/no/such/file.json'],
    ['--choose', 'otpRequiredStatus=403'],
    ['--choose', 'otpRequiredStatus'],
    ['--choose', 'other=1'],
    ['--webhooks-to', 'https://hooks.example.com'],
    ['--webhooks-to', 'here'],
  ])('are refused when invalid: %s %s', (name, value) => {
    expect(() => readOptions([name, value])).toThrow(UsageError);
  });

  it.each<[string, string, string]>([
    ['--add', 'x'.repeat(32), 'x'.repeat(33)],
    ['--add', 'x', '7x'],
    ['--add', 'x29', 'x.9'],
    ['--credentials', `clientKey=${'k'.repeat(1_000)}`, `clientKey=${'k'.repeat(1_001)}`],
    ['--credentials', 'clientKey=k', 'clientKey= '],
    ['--listen', '::1', 'localhost'],
    ['--listen', '::', 'fd00::1'],
    ['--public-url', 'http://[::1]:4010', 'http://[fd00::1]:4010'],
    ['--public-url', 'http://sandbox.test', 'http://sandbox..test'],
    ['--allow-host', 'fe80::1', 'fe80::1%eth0'],
  ])('%s: %s may be used, %s not', (name, right, wrong) => {
    expect(() => readOptions([name, right])).not.toThrow();
    expect(() => readOptions([name, wrong])).toThrow(UsageError);
  });

  it('say where clients reach a sandbox on an IPv6 address', () => {
    expect(() => readOptions(['--listen', 'fd00::1'])).toThrow(/^--listen .*--public-url/);
    const reached = ['--public-url', 'http://sandbox.test:4010'];
    expect(readOptions(['--listen', 'fd00::1', ...reached])).toMatchObject({ listen: 'fd00::1' });
    expect(() => readOptions(['--listen', 'fe80::1%eth0', ...reached])).toThrow(UsageError);
  });
});
