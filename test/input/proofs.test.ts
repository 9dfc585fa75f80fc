import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvmApprovalInput, SolanaApprovalInput } from '../../src/contract/delegation-proof.js';
import { CHAIN_IDS } from '../../src/contract/lists.js';
import { RequestValidationError } from '../../src/errors/index.js';
import { buildSiweMessage, EVM_NETWORKS } from '../../src/evm/index.js';
import { eventually } from '../properties/runs.js';
import { sampleCall } from '../support/calls.js';
import { clientFor, json, scriptedFetch } from '../support/clients.js';
import { MESSAGE_FIELDS, signedMessage, WALLET } from '../support/signed-message.js';

const OTHER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const TEXT = signedMessage();
const PROOF: EvmApprovalInput = {
  address: WALLET,
  network: 'linea',
  currency: 'usdc',
  amount: '100.5',
  txHash: `0x${'a'.repeat(64)}`,
  sigHash: `0x${'b'.repeat(130)}`,
  sigMessage: TEXT,
  token: 'del_4f6c',
};

/** Submits a proof; returns the paths of the error, or the body that was sent. */
async function submit(changes: object) {
  const { fetch, requests } = scriptedFetch(json({ success: true }));
  const additions = { evmNetworks: ['base', 'constructor'], delegationCurrencies: ['weth'] };
  const client = clientFor('https://api.example.com', { fetch, additions });
  const { error } = await client.delegation.submitEvmApproval({ ...PROOF, ...changes }).safe();
  if (error === null || error === undefined) {
    expect(requests).toHaveLength(1);
    return { paths: [], body: JSON.parse(String(requests[0]?.init?.body ?? '{}')) };
  }
  expect(requests).toHaveLength(0);
  expect(error).toBeInstanceOf(RequestValidationError);
  expect(error).toMatchObject({ outcome: 'not_sent', attempts: 0 });
  expect(JSON.stringify(error)).not.toContain('Prove address');
  return { paths: (error as RequestValidationError).issues.map(({ path }) => path) };
}

describe('submitEvmApproval refuses before anything is sent', () => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['an empty text', ''],
    ['white space', '   \n  '],
    ['any text', 'app.example.com wants you to sign in'],
    ['the message for another address', signedMessage({ address: OTHER })],
    ['the message for another chain', signedMessage({ chainId: 1 })],
    ['the message for chain 0', TEXT.replace('Chain ID: 59144', 'Chain ID: 0')],
    ['the message for a chain in hex', TEXT.replace('59144', '0xe708')],
    ['a message without a nonce line', TEXT.replace(/^Nonce: .*\n/m, '')],
    ['a message with an empty nonce', TEXT.replace(/^Nonce: .*$/m, 'Nonce: ')],
    ['a message with a blank nonce', TEXT.replace(/^Nonce: .*$/m, 'Nonce:   ')],
    ['a message of another version', TEXT.replace('Version: 1', 'Version: 2')],
    ['a message without a URI', TEXT.replace(/^URI: .*\n/m, '')],
    ['a message without a time', TEXT.replace(/^Issued At: .*\n/m, '')],
    ['a message with its lines in another order', TEXT.replace(/(URI.*)\n(Version.*)/, '$2\n$1')],
    ['a line after the message', `${TEXT}\nTransfer: everything`],
    ['an empty line after the message', `${TEXT}\n`],
    ['a line before the message', `hello\n${TEXT}`],
    ['a blank before the message', ` ${TEXT}`],
    ['CRLF line breaks', TEXT.replaceAll('\n', '\r\n')],
    ['a control character', TEXT.replace('Prove', 'Pro\u0007ve')],
    ['a bidirectional override', TEXT.replace('Prove', '\u202eProve')],
    ['a text of one megabyte', TEXT.replace('Prove', 'x'.repeat(1_000_000))],
    ['two statements', TEXT.replace('Prove', 'one\ntwo')],
    ['a message for the Solana account', TEXT.replace('Ethereum', 'Solana')],
  ])('a sigMessage that is %s', async (_, sigMessage) => {
    expect(new Set((await submit({ sigMessage })).paths)).toEqual(new Set(['sigMessage']));
  });

  it.each(['0', '0.00', '1.1234567', '1.0000000'])('the amount %s', async (amount) => {
    expect(await submit({ amount })).toEqual({ paths: ['amount'] });
    expect(await submit({ amount, checkMessage: false })).toEqual({ paths: ['amount'] });
  });

  it.each(['false', 0, null])('checkMessage that is %j', async (checkMessage) => {
    expect((await submit({ checkMessage })).paths).toContain('checkMessage');
  });
});

describe('submitEvmApproval sends', () => {
  it.each<[string, object]>([
    ['an address in another case', { address: WALLET.toLowerCase() }],
    ['a message without a statement', { sigMessage: signedMessage({ statement: undefined }) }],
    ['a base64 nonce', { sigMessage: TEXT.replace(/^Nonce: .*$/m, 'Nonce: q83vEjRWeJA/+w==') }],
    ['an expired message', { sigMessage: signedMessage({ issuedAt: '2020-01-01T00:00:00Z' }) }],
    ['ethereum', { network: 'ethereum', sigMessage: signedMessage({ chainId: 1 }) }],
    ['an added network', { network: 'base', sigMessage: signedMessage({ chainId: 8453 }) }],
    ['a network with the name of a property', { network: 'constructor' }],
    ['decimals of an added network', { network: 'base', amount: '1.1234567' }],
    ['decimals of an added currency', { currency: 'weth', amount: '0.000000000000000001' }],
    ['six decimals', { amount: '0.000001' }],
  ])('%s', async (_, changes) => {
    expect((await submit(changes)).paths).toEqual([]);
  });

  it('any message with checkMessage: false, which itself is never sent', async () => {
    const { body, paths } = await submit({ sigMessage: 'any text', checkMessage: false });
    expect(paths).toEqual([]);
    expect(body).toMatchObject({ sigMessage: 'any text' });
    expect(body).not.toHaveProperty('checkMessage');
  });
});

describe('submitSolanaApproval', () => {
  async function submitSolana(changes: object) {
    const { fetch, requests } = scriptedFetch(json({ success: true }));
    const additions = { solanaNetworks: ['eclipse'] };
    const client = clientFor('https://api.example.com', { fetch, additions });
    const proof = sampleCall('delegation.submitSolanaApproval').input as SolanaApprovalInput;
    const { error } = await client.delegation.submitSolanaApproval({ ...proof, ...changes }).safe();
    const paths =
      error instanceof RequestValidationError ? error.issues.map((one) => one.path) : [];
    return { paths, requests: requests.length };
  }

  it.each(['0', '1.1234567', '1.0000000'])('refuses the amount %s', async (amount) => {
    expect(await submitSolana({ amount })).toEqual({ paths: ['amount'], requests: 0 });
  });

  it.each([
    ['six decimals', { amount: '0.000001' }],
    ['decimals of an added network', { network: 'eclipse', amount: '1.1234567' }],
  ])('sends %s', async (_, changes) => {
    expect(await submitSolana(changes)).toEqual({ paths: [], requests: 1 });
  });
});

describe('a message that buildSiweMessage builds', () => {
  const fields = fc.record(
    {
      nonce: fc.stringMatching(/^[A-Za-z0-9]{8,40}$/),
      statement: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 .,:!?()-]{0,60}$/),
      notBefore: fc.constant('2026-01-31T09:00:00.000Z'),
      requestId: fc.stringMatching(/^[A-Za-z0-9._~-]{0,20}$/),
      resources: fc.array(fc.webUrl({ validSchemes: ['https', 'ipfs'] }), { maxLength: 4 }),
      domain: fc.constantFrom('other.example', 'user@host', '[::cafe]:1'),
    },
    { requiredKeys: [] },
  );
  const build = (changes: object) =>
    buildSiweMessage({ ...MESSAGE_FIELDS, ...changes }, { rules: 'eip-4361' });

  it('passes the check for its address and chain', async () => {
    await eventually([fields], async (changes) => {
      expect((await submit({ sigMessage: build(changes) })).paths).toEqual([]);
    });
  });

  it('fails the check after any change of its address or chain, or without its nonce', async () => {
    const change = fc.constantFrom<[RegExp, string]>(
      [/^0x.*$/m, OTHER],
      [/^0x5/m, '0x6'],
      [/^Chain ID: 5/m, 'Chain ID: 6'],
      [/^Chain ID: /m, 'Chain ID: 1'],
      [/^Chain ID: .*\n/m, ''],
      [/^Nonce: .*$/m, 'Nonce: '],
      [/^Nonce: .*\n/m, ''],
    );
    await eventually([fields, change], async (changes, [pattern, replacement]) => {
      const sigMessage = build(changes).replace(pattern, replacement);
      expect((await submit({ sigMessage })).paths).toEqual(['sigMessage']);
    });
  });
});

it('the contract and /evm know the same chain ids', () => {
  const ids = Object.entries(EVM_NETWORKS).map(([name, { chainId }]) => [name, chainId]);
  expect(CHAIN_IDS).toEqual(Object.fromEntries(ids));
});
