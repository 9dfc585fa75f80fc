import { afterEach, describe, expect, it, vi } from 'vitest';
import { delegateEvm, type EvmDelegationOptions } from '../../src/evm/index.js';
import { delegateSolana, type SolanaDelegationOptions } from '../../src/solana/index.js';
import { setUpWallet } from '../testing/wallets/support.js';

afterEach(() => vi.unstubAllGlobals());

/** Runs a delegation with these options alone, and returns the first lines of what was signed. */
async function signedLines(site: Pick<EvmDelegationOptions, 'domain' | 'uri'>) {
  const { evmOptions, wallet } = await setUpWallet();
  const { domain: _, uri: __, ...options } = evmOptions;
  await delegateEvm({ ...options, ...site } as EvmDelegationOptions);
  const text = wallet.prompts.find(({ kind }) => kind === 'sign-message')?.text ?? '';
  return [text.split(' ')[0], /^URI: (.*)$/m.exec(text)?.[1]];
}

it('delegateEvm signs for the page by default', async () => {
  vi.stubGlobal('location', new URL('https://app.example:8443/cards?id=1'));
  expect(await signedLines({})).toEqual(['app.example:8443', 'https://app.example:8443']);
});

it.each([
  'evil.example:8443',
  'app.example',
  'app.example:8444',
])('a page cannot sign for %s, which is not its host, and nobody is asked', async (domain) => {
  vi.stubGlobal('location', new URL('https://app.example:8443/cards'));
  const { evmOptions, solanaOptions, wallet } = await setUpWallet();
  const refused = { code: 'request_invalid', issues: [{ path: 'domain' }] };
  await expect(delegateEvm({ ...evmOptions, domain })).rejects.toMatchObject(refused);
  await expect(delegateSolana({ ...solanaOptions, domain })).rejects.toMatchObject(refused);
  expect(wallet.prompts).toEqual([]);
});

it('delegateEvm signs for the domain that is passed where there is no page', async () => {
  expect(await signedLines({ domain: 'other.example' })).toEqual([
    'other.example',
    'https://other.example',
  ]);
});

it('delegateEvm asks for the domain where there is no page', async () => {
  const error = await signedLines({}).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'domain' }] });
});

describe.each([
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop/page.html',
  'moz-extension://0b1e3a2c-7c1e-4a3e-9a52-8f1f4c1d2e3f/page.html',
  'capacitor://localhost/index.html',
  'file:///home/ada/index.html',
])('at %s, which is no web page', (url) => {
  it('delegateEvm signs for the domain that is passed', async () => {
    vi.stubGlobal('location', new URL(url));
    expect(await signedLines({ domain: 'app.example' })).toEqual([
      'app.example',
      'https://app.example',
    ]);
  });

  it('delegateEvm and delegateSolana ask for the domain', async () => {
    vi.stubGlobal('location', new URL(url));
    const { evmOptions, solanaOptions } = await setUpWallet();
    const missing = { code: 'request_invalid', issues: [{ path: 'domain' }] };
    const { domain: _, uri: __, ...evm } = evmOptions;
    await expect(delegateEvm(evm as EvmDelegationOptions)).rejects.toMatchObject(missing);
    const { domain: ___, ...solana } = solanaOptions;
    await expect(delegateSolana(solana as SolanaDelegationOptions)).rejects.toMatchObject(missing);
  });
});
