import { describe, expect, it } from 'vitest';
import { isSolanaAddress } from '../../src/contract/formats/base58.js';
import { EVM_NETWORKS } from '../../src/evm/index.js';
import { SOLANA_CURRENCIES } from '../../src/solana/index.js';
import { signedMessage } from '../support/signed-message.js';
import { codeOf, setUp } from './set-up.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const OTHER_ADDRESS = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const FAUCET = { faucet: true, address: ADDRESS, network: 'linea' } as const;

function proof(token: string, nonce: string) {
  return {
    address: ADDRESS,
    network: 'linea',
    currency: 'usdc',
    amount: '5000',
    txHash: `0x${'a'.repeat(64)}`,
    sigHash: `0x${'b'.repeat(130)}`,
    sigMessage: signedMessage({ address: ADDRESS, nonce }),
    token,
  } as const;
}

describe('the delegation token of the mock platform', () => {
  it('can be used once, and a new one replaces the limit of the same wallet', async () => {
    const { client } = setUp();
    const { token, nonce } = await client.delegation.getToken();
    expect(await client.delegation.submitEvmApproval(proof(token, nonce))).toEqual({
      success: true,
    });
    expect(await client.wallets.external.list()).toMatchObject([
      { address: ADDRESS, allowance: '5000' },
    ]);
    expect(await codeOf(client.delegation.submitEvmApproval(proof(token, nonce)))).toBe(
      'validation_failed',
    );
    const again = await client.delegation.getToken();
    const second = { ...proof(again.token, again.nonce), amount: '250.5' };
    expect(await codeOf(client.delegation.submitEvmApproval(second))).toBe('ok');
    expect(await client.wallets.external.list()).toMatchObject([
      { address: ADDRESS, allowance: '250.5' },
    ]);
  });

  it('is refused for a registered wallet when the platform chooses so', async () => {
    const { client } = setUp({}, { choices: { secondApproval: 'refused' } });
    const first = await client.delegation.getToken();
    await client.delegation.submitEvmApproval(proof(first.token, first.nonce));
    const again = await client.delegation.getToken();
    const second = client.delegation.submitEvmApproval(proof(again.token, again.nonce));
    expect(await codeOf(second)).toBe('wallet_already_approved');
  });

  it('expires after ten minutes', async () => {
    const { mock, client } = setUp();
    const { token, nonce } = await client.delegation.getToken();
    mock.advance('10 minutes');
    const { error } = await client.delegation.submitEvmApproval(proof(token, nonce)).safe();
    expect(error).toMatchObject({
      fieldErrors: [{ field: 'token', message: 'Token has expired' }],
    });
  });

  it('is rejected when another user submits it', async () => {
    const { mock, platform, client } = setUp();
    const { token, nonce } = await client.delegation.getToken();
    const bob = platform.withAccessToken(mock.accessTokenFor(mock.users.add()));
    expect(await codeOf(bob.delegation.submitEvmApproval(proof(token, nonce)))).toBe(
      'validation_failed',
    );
  });

  it.each([
    ['another nonce', (nonce: string) => signedMessage({ nonce: `x${nonce}` })],
    ['no nonce', (nonce: string) => signedMessage({ nonce }).replace(/^Nonce: .*\n/m, '')],
    ['another address', (nonce: string) => signedMessage({ nonce, address: OTHER_ADDRESS })],
    ['a text around it', (nonce: string) => `${signedMessage({ nonce })}\nand more`],
  ])('is not spent by a message with %s', async (_, change) => {
    const { client } = setUp();
    const { token, nonce } = await client.delegation.getToken();
    const submitted = client.delegation.submitEvmApproval({
      ...proof(token, nonce),
      ...{ sigMessage: change(nonce), checkMessage: false },
    });
    expect((await submitted.safe()).error).toMatchObject({
      fieldErrors: [{ field: 'sigMessage' }],
    });
    expect(await codeOf(client.delegation.submitEvmApproval(proof(token, nonce)))).toBe('ok');
  });

  it('is submitted to the verifier that the test passes', async () => {
    const nonces: string[] = [];
    const { client } = setUp(
      {},
      {
        verifyEvmProof: ({ txHash, nonce }) => {
          nonces.push(nonce);
          return { field: 'txHash', message: `${txHash} is not confirmed` };
        },
      },
    );
    const { token, nonce } = await client.delegation.getToken();
    const { error } = await client.delegation.submitEvmApproval(proof(token, nonce)).safe();
    expect(error).toMatchObject({ fieldErrors: [{ field: 'txHash' }] });
    expect(nonces).toEqual([nonce]);
  });
});

describe('the faucet of the mock platform', () => {
  it('pays each user once over all networks', async () => {
    const { client } = setUp();
    expect((await client.delegation.getToken(FAUCET)).faucetOutcome).toBe('succeeded');
    const second = await client.delegation.getToken({ ...FAUCET, network: 'base' });
    expect(second).toMatchObject({ faucetOutcome: 'failed', faucet: { status: 'declined' } });
    expect(second.token).not.toBe('');
  });

  it.each(['confirmed', 'pending'] as const)('can be set to %s', async (faucet) => {
    const { client } = setUp({ faucet });
    const { faucet: result } = await client.delegation.getToken(FAUCET);
    expect(result?.status).toBe(faucet);
    expect(result?.transactionHash !== undefined).toBe(faucet === 'confirmed');
  });

  it('returns a token when it declines, and can be used later', async () => {
    const { mock, ada, client } = setUp({ faucet: 'declined' });
    expect((await client.delegation.getToken(FAUCET)).faucetOutcome).toBe('failed');
    expect(mock.users.get(ada.id).isFaucetUsed).toBe(false);
  });
});

it('lists the networks of the mock platform', async () => {
  const { client } = setUp();
  const { networks, count } = await client.delegation.chainConfig();
  expect(networks?.map(({ network }) => network)).toEqual(['linea', 'ethereum', 'solana']);
  expect(count).toBe(3);
});

it('lists the same token addresses as the EVM and Solana flows', async () => {
  const { client } = setUp();
  const { networks } = await client.delegation.chainConfig();
  const [linea, ethereum, solana] = networks ?? [];
  for (const [network, ours] of [
    [linea, EVM_NETWORKS.linea],
    [ethereum, EVM_NETWORKS.ethereum],
  ] as const) {
    expect(Number(network?.chainId)).toBe(ours.chainId);
    const { usdc, usdt } = ours.tokens;
    expect(network?.tokens).toMatchObject({
      usdc: { address: usdc.address, decimals: usdc.decimals },
      usdt: { address: usdt.address, decimals: usdt.decimals },
    });
  }
  const { usdc, usdt } = SOLANA_CURRENCIES;
  expect(solana?.tokens).toMatchObject({
    USDC: { address: usdc.mint, decimals: usdc.decimals },
    USDT: { address: usdt.mint, decimals: usdt.decimals },
  });
  expect(isSolanaAddress(solana?.delegationContract ?? '')).toBe(true);
});
