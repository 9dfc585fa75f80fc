import { afterEach, expect, it, vi } from 'vitest';
import { delegateEvm, type EvmDelegationOptions } from '../../src/evm/index.js';
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
