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

  it('can be used once by two requests at the same time', async () => {
    const { client } = setUp();
    const { token, nonce } = await client.delegation.getToken();
    const submit = (amount: string) =>
      codeOf(client.delegation.submitEvmApproval({ ...proof(token, nonce), amount }));
    const codes = await Promise.all(['5', '9'].map(submit));
    expect(codes.sort()).toEqual(['ok', 'validation_failed']);
    expect(await client.wallets.external.list()).toHaveLength(1);
  });

  it.each([
    ['replaces-limit', ['ok', 'ok']],
    ['refused', ['ok', 'wallet_already_approved']],
  ] as const)('of a wallet that another request registers meanwhile counts as a second approval (%s)', async (secondApproval, expected) => {
    const { client } = setUp({}, { choices: { secondApproval } });
    const tokens = [await client.delegation.getToken(), await client.delegation.getToken()];
    const codes = await Promise.all(
      tokens.map(({ token, nonce }) =>
        codeOf(client.delegation.submitEvmApproval(proof(token, nonce))),
      ),
    );
    expect(codes.sort()).toEqual(expected);
    expect(await client.wallets.external.list()).toHaveLength(1);
  });

  it('registers a wallet for each network and currency, whatever the case of its address', async () => {
    const { client } = setUp();
    const { delegation } = client;
    const submit = async (changes: object) => {
      const { token, nonce } = await delegation.getToken();
      const given = { ...proof(token, nonce), ...changes };
      await delegation.submitEvmApproval({ ...given, checkMessage: false });
    };
    await submit({});
    await submit({ currency: 'usdt', amount: '1' });
    await submit({ network: 'ethereum', amount: '2' });
    await submit({ address: ADDRESS.toLowerCase(), amount: '3' });
    const facts = (await client.wallets.external.list()).map(
      ({ network, currency, allowance }) => `${network} ${currency} ${allowance}`,
    );
    expect(facts).toEqual(['linea usdc 3', 'linea usdt 1', 'ethereum usdc 2']);
  });

  it('registers Solana addresses that differ in case as two wallets', async () => {
    const { client } = setUp();
    const { delegation } = client;
    const submit = async (address: string) => {
      const { token } = await delegation.getToken();
      await delegation.submitSolanaApproval({
        ...{ address, network: 'solana', currency: 'usdc', amount: '1', token },
        ...{ txHash: '3'.repeat(88), sigHash: '2'.repeat(88), sigMessage: 'Prove ownership' },
      });
    };
    // Both are base58 of 32 bytes.
    await submit('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
    await submit('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWwM');
    expect(await client.wallets.external.list()).toHaveLength(2);
  });

  it('is refused for a registered wallet when the platform chooses so', async () => {
    const { client } = setUp({}, { choices: { secondApproval: 'refused' } });
    const first = await client.delegation.getToken();
    await client.delegation.submitEvmApproval(proof(first.token, first.nonce));
    const again = await client.delegation.getToken();
    const second = client.delegation.submitEvmApproval(proof(again.token, again.nonce));
    expect(await codeOf(second)).toBe('wallet_already_approved');
  });

  it('works for ten minutes', async () => {
    const { mock, client } = setUp();
    const old = await client.delegation.getToken();
    mock.advance(1);
    const { token, nonce } = await client.delegation.getToken();
    mock.advance(10 * 60_000 - 1);
    const { error } = await client.delegation.submitEvmApproval(proof(old.token, old.nonce)).safe();
    expect(error).toMatchObject({
      fieldErrors: [{ field: 'token', message: 'Token has expired' }],
    });
    expect(await codeOf(client.delegation.submitEvmApproval(proof(token, nonce)))).toBe('ok');
  });

  it('is rejected when another user submits it', async () => {
    const { mock, platform: appClient, client } = setUp();
    const { token, nonce } = await client.delegation.getToken();
    const bob = appClient.withAccessToken(mock.accessTokenFor(mock.users.add()));
    expect(await codeOf(bob.delegation.submitEvmApproval(proof(token, nonce)))).toBe(
      'validation_failed',
    );
  });

  it.each([
    ['another nonce', (nonce: string) => signedMessage({ nonce: `x${nonce}` })],
    ['no nonce', (nonce: string) => signedMessage({ nonce }).replace(/^Nonce: .*\n/m, '')],
    ['another address', (nonce: string) => signedMessage({ nonce, address: OTHER_ADDRESS })],
    ['a text around it', (nonce: string) => `${signedMessage({ nonce })}\nand more`],
  ])('is not used up by a message with %s', async (_, change) => {
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

it.each([
  ['evm', 'linea', 'Invalid EVM address format'],
  ['solana', 'solana', 'Invalid Solana address format'],
] as const)('a refused proof on %s has the text of the contract for an address', async (chain, network, message) => {
  const { client } = setUp();
  const { token, nonce } = await client.delegation.getToken();
  const solana = { txHash: '2'.repeat(88), sigHash: '2'.repeat(88) };
  const body = {
    ...proof(token, nonce),
    ...(chain === 'solana' && solana),
    network,
    address: 'nowhere',
  };
  const sent = client.request('POST', `/v1/delegation/${chain}/post-approval`, { body });
  expect((await sent.safe()).error).toMatchObject({
    status: 422,
    serverMessage: message,
    fieldErrors: [{ field: 'address', message }],
  });
});

it('the mock platform accepts an address with a wrong checksum, which only the client refuses', async () => {
  const { client } = setUp();
  const { token, nonce } = await client.delegation.getToken();
  const body = { ...proof(token, nonce), address: ADDRESS.replace('E', 'e') };
  await client.request('POST', '/v1/delegation/evm/post-approval', { body });
  expect(await client.wallets.external.list()).toHaveLength(1);
});

describe('the chain config of the mock platform', () => {
  it('has a chain id and a spender for every network, others in the US', async () => {
    const { mock, platform: appClient, client } = setUp();
    const there = mock.users.add({ environment: 'us' });
    const us = appClient.withAccessToken(mock.accessTokenFor(there));
    const here = await client.delegation.chainConfig();
    const american = await us.delegation.chainConfig({ region: 'us' });
    expect(here.networks).toHaveLength(3);
    for (const [index, network] of (here.networks ?? []).entries()) {
      const other = american.networks?.[index];
      expect(Number(network.chainId)).toBeGreaterThan(0);
      expect(other).toMatchObject({ network: network.network, chainId: network.chainId });
      expect(other?.delegationContract).toMatch(/\w{32}/);
      expect(other?.delegationContract).not.toBe(network.delegationContract);
    }
  });

  it('is narrowed to one network by the query', async () => {
    const { client } = setUp();
    const config = (name: string) =>
      client.request('GET', '/v1/delegation/chain/config', { query: { network: name } });
    expect(await config('Solana')).toMatchObject({ count: 1, networks: [{ network: 'solana' }] });
    expect(await config('other')).toMatchObject({ count: 0, networks: [] });
  });

  it('is the one of the options, in the US as well unless that has its own', async () => {
    const chainConfig = { networks: [{ network: 'linea', delegationContract: '0x1' }] };
    const usChainConfig = { networks: [{ network: 'linea', delegationContract: '0x2' }] };
    const spenderIn = async (options: Parameters<typeof setUp>[1]) => {
      const { client } = setUp({ environment: 'us' }, options);
      const { networks } = await client.delegation.chainConfig({ region: 'us' });
      return networks?.[0]?.delegationContract;
    };
    expect(await spenderIn({ chainConfig })).toBe('0x1');
    expect(await spenderIn({ chainConfig, usChainConfig })).toBe('0x2');
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

  it.each([
    [FAUCET, /^0x[0-9a-f]{64}$/],
    [
      { faucet: true, network: 'solana', address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' },
      /^[1-9A-HJ-NP-Za-km-z]{87,88}$/,
    ],
  ] as const)('returns a hash in the form of the network: %j', async (input, form) => {
    const { client } = setUp();
    const { faucet } = await client.delegation.getToken(input);
    expect(faucet?.transactionHash).toMatch(form);
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

describe('a proof on the mock platform', () => {
  async function responseTo(path: string, changes: object): Promise<unknown> {
    const { mock, ada, client } = setUp();
    const { token, nonce } = await client.delegation.getToken();
    const solana = {
      ...{ address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', network: 'solana' },
      ...{ txHash: '3'.repeat(88), sigHash: '2'.repeat(88), sigMessage: 'ten chars.' },
    };
    const valid = { ...proof(token, nonce), ...(path === 'solana' && solana) };
    const response = await mock.fetch(`${mock.baseUrl}/v1/delegation/${path}/post-approval`, {
      method: 'POST',
      headers: {
        'x-client-key': mock.credentials.clientKey,
        authorization: `Bearer ${mock.accessTokenFor(ada)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ ...valid, ...changes }),
    });
    const body: unknown = await response.json();
    const { message = '', errors = [] } = body as {
      message?: string;
      errors?: { field: string }[];
    };
    return [response.status, message, errors.map(({ field }) => field)];
  }

  it.each([
    ['evm', {}, [200, '', []]],
    ['evm', { address: '0x12' }, [422, 'Invalid EVM address format', ['address']]],
    ['evm', { address: '0x12', txHash: '0x' }, [422, 'Validation failed', ['address', 'txHash']]],
    ['evm', { txHash: '0x' }, [422, 'Validation failed', ['txHash']]],
    ['solana', {}, [200, '', []]],
    ['solana', { address: '0x12' }, [422, 'Invalid Solana address format', ['address']]],
    ['solana', { sigMessage: 'ten chars' }, [422, 'Validation failed', ['sigMessage']]],
  ])('of %s with %j gets the response of the contract', async (path, changes, expected) => {
    expect(await responseTo(path, changes)).toEqual(expected);
  });
});
