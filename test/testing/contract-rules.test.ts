import { describe, expect, it } from 'vitest';
import { CONSENT, createWebhook, setUp } from './set-up.js';

const UNCHECKED = '0x52908400098527886E0F7030069857D2E4169eE7';
const UUID = expect.stringMatching(/^[\da-f-]{36}$/);

type Sent = { query?: Record<string, string>; body?: unknown };

/** A platform that gets requests from a program without this SDK. */
async function rawScene() {
  const scene = setUp({ card: 'ACTIVE', wallets: [{ network: 'linea', balance: '50' }] });
  const { mock, ada, client } = scene;
  const { id } = await createWebhook(client, {
    name: 'n',
    url: 'https://hooks.example.com',
    eventTypes: ['card.*'],
  });
  const send = async (line: string, { query = {}, body }: Sent) => {
    const [method = '', path = ''] = line.split(' ');
    const { clientKey, clientId, secretKey } = mock.credentials;
    const search = new URLSearchParams(query).toString();
    const response = await mock.fetch(
      `${mock.baseUrl}${path.replace('{webhook}', id)}${search && `?${search}`}`,
      {
        method,
        headers: {
          authorization: `Bearer ${mock.accessTokenFor(ada)}`,
          'x-client-key': clientKey,
          'x-client-id': clientId,
          'x-secret-key': secretKey,
          'content-type': 'application/json',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
    );
    return { status: response.status, json: await response.json() };
  };
  return { ...scene, send };
}

const CONSENTS = 'POST /v2/consent/onboarding';
const HISTORY = 'GET /v1/wallet/history';
const TOKEN = 'GET /v1/delegation/token';
const WEBHOOK = 'PUT /v1/webhooks/{webhook}';
const SET_PIN = 'POST /v1/card/set-pin/token';

const faucet = { faucet: 'true', network: 'linea' };
const issued = { token: UUID, nonce: expect.any(String) };
const changed = (fields: object) => ({ success: true, data: expect.objectContaining(fields) });
const withMetadata = (metadata: object) => ({ ...CONSENT, metadata });
const withConsents = (...consents: object[]) => ({ ...CONSENT, consents });
const [first, ...others] = CONSENT.consents;

describe('a raw request that only the client refuses is accepted by the mock platform', () => {
  it.each<[string, string, Sent, number, unknown]>([
    [
      'a consent that is listed twice',
      CONSENTS,
      { body: withConsents(first, first, ...others) },
      201,
      expect.objectContaining({ consentSetId: UUID }),
    ],
    [
      'ids with blanks',
      CONSENTS,
      { body: { ...CONSENT, onboardingId: 'o 1', tenantId: 'Tenant One' } },
      201,
      expect.objectContaining({ onboardingId: 'o 1', tenantId: 'Tenant One' }),
    ],
    [
      'metadata of more than 64 KiB',
      CONSENTS,
      { body: withMetadata({ note: 'x'.repeat(70_000) }) },
      201,
      expect.objectContaining({ consentSetId: UUID }),
    ],
    [
      'a currency in upper case for the credit wallet',
      HISTORY,
      { query: { walletId: 'w', walletType: 'CREDIT', walletCurrency: 'USDC' } },
      200,
      [],
    ],
    [
      'a wallet id with a blank',
      HISTORY,
      { query: { walletId: 'my wallet', walletType: 'REWARD' } },
      200,
      [],
    ],
    ...['__proto__', 'constructor'].map((walletId): [string, string, Sent, number, unknown] => [
      `the wallet id ${walletId}`,
      HISTORY,
      { query: { walletId, walletType: 'REWARD' } },
      200,
      [],
    ]),
    [
      'an EVM address without a checksum',
      TOKEN,
      { query: { ...faucet, address: UNCHECKED } },
      200,
      { ...issued, faucet: expect.objectContaining({ success: true }) },
    ],
    ['the zero address', TOKEN, { query: { address: `0x${'0'.repeat(40)}` } }, 200, issued],
    ['an empty name of a webhook', WEBHOOK, { body: { name: '' } }, 200, changed({ name: '' })],
    [
      'a webhook URL with a user name',
      WEBHOOK,
      { body: { url: 'https://user:pw@host/' } },
      200,
      changed({ url: 'https://user:pw@host/' }),
    ],
    [
      'a webhook URL with an IPv6 address',
      WEBHOOK,
      { body: { url: 'https://[2001:db8::1]/' } },
      200,
      changed({ url: 'https://[2001:db8::1]/' }),
    ],
    [
      'an event type of 300 characters',
      WEBHOOK,
      { body: { event_types: ['x'.repeat(300)] } },
      200,
      changed({ eventTypes: ['x'.repeat(300)] }),
    ],
    [
      'a redirect URL without TLS',
      SET_PIN,
      { body: { redirectUrl: 'http://app.example.com/done' } },
      200,
      { token: UUID, hostedPageUrl: expect.any(String) },
    ],
    [
      'an empty list of wallets',
      'POST /v1/wallet/internal',
      { body: { wallets: [] } },
      201,
      { success: true },
    ],
  ])('%s', async (_title, line, sent, status, body) => {
    const { send } = await rawScene();
    expect(await send(line, sent)).toEqual({ status, json: body });
  });

  it('the id of a user with a blank', async () => {
    const { send, platform: appClient } = await rawScene();
    const { consentSetId } = await appClient.consent.createOnboarding(CONSENT);
    const line = `PATCH /v2/consent/onboarding/${consentSetId}`;
    const { status, json } = await send(line, { body: { userId: 'Ada Lovelace' } });
    expect({ status, userId: json.userId }).toEqual({ status: 200, userId: 'Ada Lovelace' });
    const audit = await send(new URL(json._links.audit.href).pathname.replace(/^/, 'GET '), {});
    expect(audit.json.auditRecords).toHaveLength(2);
  });

  it('a memo of 300 characters', async () => {
    const { send, ada } = await rawScene();
    const body = {
      amount: '1',
      currency: 'usdc',
      sourceAddress: ada.internalWallets[0]?.address,
      recipientAddrss: '0x52908400098527886E0F7030069857D2E4169EE7',
      recipientMemo: 'm'.repeat(300),
    };
    const { status } = await send('POST /v1/wallet/internal/withdraw', { body });
    expect({ status, balance: ada.internalWallets[0]?.balance }).toEqual({
      status: 200,
      balance: '49',
    });
  });
});

describe('a page of the wallet history of a raw request', () => {
  it.each([
    ['1000000000', 0],
    ['999999999999999', 0],
    ['1', 2],
    ['0', 10],
    // By the contract, an invalid page counts as left out.
    ['-1', 10],
    ['1.5', 10],
    ['first', 10],
  ])('%s has %i entries', async (page, count) => {
    const { mock, ada, send } = await rawScene();
    const walletId = ada.creditWallet.id;
    const date = '2026-01-01T00:00:00Z';
    const entry = { name: 'Top-up', amount: '1', currency: 'usdc', sign: 'credit', date } as const;
    mock.addTransactions(
      ada,
      walletId,
      Array.from({ length: 12 }, () => entry),
    );
    const { status, json } = await send(HISTORY, {
      query: { walletId, walletType: 'CREDIT', page },
    });
    expect({ status, count: json.length }).toEqual({ status: 200, count });
  });
});

const fieldError = (field: string, message: unknown = expect.any(String)) => ({
  message: 'Validation failed',
  errors: [{ field, message }],
});
const consentError = (...details: unknown[]) => ({ error: 'Validation failed', details });
const missing = expect.stringMatching(/^consents .*every consent/);

describe('a raw request that the contract refuses is refused by the mock platform', () => {
  it.each<[string, string, Sent, number, unknown]>([
    [
      'a consent that is missing',
      CONSENTS,
      { body: withConsents(...others) },
      400,
      consentError(missing),
    ],
    [
      'a consent that is missing, and another one twice',
      CONSENTS,
      { body: withConsents(...others, ...others) },
      400,
      consentError(missing),
    ],
    [
      'an unknown consent type',
      CONSENTS,
      { body: withConsents(...CONSENT.consents, { ...first, consentType: 'fax' }) },
      400,
      consentError(expect.stringMatching(/^consents\.4\.consentType /)),
    ],
    [
      'no consents',
      CONSENTS,
      { body: withConsents() },
      400,
      { error: expect.any(String), details: expect.arrayContaining([missing]) },
    ],
    [
      'an empty user id',
      'PATCH /v2/consent/onboarding/3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e',
      { body: { userId: '' } },
      400,
      consentError(expect.stringMatching(/^userId /)),
    ],
    [
      'an internal wallet without its currency',
      HISTORY,
      { query: { walletId: 'w', walletType: 'INTERNAL' } },
      422,
      fieldError('walletCurrency'),
    ],
    [
      'an address that is too short',
      TOKEN,
      { query: { ...faucet, address: '0x52908400098527886E0F' } },
      422,
      fieldError('address', 'must be an EVM or Solana address'),
    ],
    ['a faucet without an address', TOKEN, { query: faucet }, 422, fieldError('address')],
    ['an invalid region', TOKEN, { query: { region: 'eu' } }, 422, fieldError('region')],
    [
      'a name of a webhook with 256 characters',
      WEBHOOK,
      { body: { name: 'n'.repeat(256) } },
      400,
      { message: expect.stringMatching(/^name /) },
    ],
    ...['http://host/', 'https:host', 'https://a b/', 'host'].map(
      (url): [string, string, Sent, number, unknown] => [
        `the webhook URL ${url}`,
        WEBHOOK,
        { body: { url } },
        400,
        { message: 'url must be an HTTPS URL' },
      ],
    ),
    [
      'no event types',
      WEBHOOK,
      { body: { event_types: [] } },
      400,
      { message: expect.stringMatching(/^event_types /) },
    ],
    [
      'a card order without a type',
      'POST /v1/card/order',
      { body: {} },
      422,
      { message: 'type field is required' },
    ],
    [
      'a card order without a type among many unknown fields',
      'POST /v1/card/order',
      { body: Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`field${at}`, at])) },
      422,
      { message: 'type field is required' },
    ],
    [
      'a network that no wallet can be on',
      'POST /v1/wallet/internal',
      { body: { wallets: [{ network: 'Linea Mainnet', currency: 'usdc' }] } },
      422,
      { message: 'Invalid network or currency combination' },
    ],
    [
      'a currency of a withdrawal in upper case',
      'POST /v1/wallet/internal/withdraw',
      { body: { amount: '1', recipientAddrss: 'r', sourceAddress: 's', currency: 'USDC' } },
      422,
      fieldError('currency'),
    ],
    [
      'an amount of zero',
      'POST /v1/wallet/credit/withdraw',
      { body: { amount: '0' } },
      400,
      { message: 'amount must be a positive number' },
    ],
    [
      'a payment method that is not supported',
      'POST /v1/order',
      { body: { productId: 'My product', paymentMethod: 'CASH' } },
      422,
      fieldError('paymentMethod'),
    ],
    [
      'a login with an invalid e-mail address',
      'POST /v1/auth/login',
      { body: { email: 'ada', password: 'pass' } },
      422,
      { message: expect.stringMatching(/^email /) },
    ],
    [
      'a colour that is not in hex',
      'POST /v1/card/pin/token',
      { body: { customCss: { backgroundColor: 'red' } } },
      422,
      fieldError('customCss.backgroundColor'),
    ],
  ])('%s', async (_title, line, sent, status, body) => {
    const { send } = await rawScene();
    expect(await send(line, sent)).toEqual({ status, json: body });
  });
});

it.each([
  'constructor',
  '__proto__',
  'toString',
])('the policy %s, which every object seems to have, is refused', async (policyType) => {
  const { client, send } = await rawScene();
  const input = { ...CONSENT, policyType } as never;
  const error = await client.consent.createOnboarding(input).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'RequestValidationError' });
  expect(await send(CONSENTS, { body: { ...CONSENT, policyType } })).toMatchObject({ status: 400 });
});
