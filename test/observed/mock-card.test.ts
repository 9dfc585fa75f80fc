import { describe, expect, it } from 'vitest';
import { setUpObserved } from './support.js';

const STATEMENT = 'GET /v1/card/transactions/statement';
const PROVISION = 'POST /v1/card/wallet/provision';

describe('the statement of the mock platform', () => {
  async function withPayments() {
    const scene = await setUpObserved({
      card: 'ACTIVE',
      wallets: [{ balance: '90', isLinked: true }],
    });
    const { mock, ada } = scene;
    mock.cards.pay(ada, { amount: '3.50', merchant: 'Bakery, "Sun"' });
    mock.advance('5 days');
    mock.cards.pay(ada, { amount: '4', merchant: 'Café (Lisbon)' });
    // By then the first token has expired.
    return { ...scene, token: mock.accessTokenFor(ada) };
  }

  it('is CSV with a line for each transaction, the newest first', async () => {
    const { ada, send, token } = await withPayments();
    const { status, headers, body } = await send(STATEMENT, { token });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="statement.csv"');
    const [names, newest, oldest] = String(body['text']).split('\r\n');
    expect(names).toBe(
      'Timestamp,Merchant,Merchant Type,Original Currency,Original Amount,Transaction Currency,Transaction Amount,Funding Tokens,Funding Addresses',
    );
    const address = ada.internalWallets[0]?.address;
    expect(newest).toBe(
      `2026-01-06T00:00:00.000Z,Café (Lisbon),Restaurants,USD,4,USD,4,usdc,${address}`,
    );
    expect(oldest).toContain(',"Bakery, ""Sun""",');
  });

  it('is a PDF when that is requested', async () => {
    const { mock, token } = await withPayments();
    const response = await mock.fetch(`${mock.baseUrl}/v1/card/transactions/statement`, {
      headers: {
        accept: 'application/pdf, text/csv;q=0.5',
        'x-client-key': mock.credentials.clientKey,
        authorization: `Bearer ${token}`,
      },
    });
    expect(response.headers.get('content-type')).toBe('application/pdf');
    const text = new TextDecoder('latin1').decode(await response.arrayBuffer());
    expect(text).toMatch(/^%PDF-1\.4\n/);
    expect(text).toContain('Caf? \\(Lisbon\\)');
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    expect(text.slice(start, start + 5)).toBe('xref\n');
    const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) =>
      Number(at),
    );
    for (const [index, offset] of offsets.entries()) {
      expect(text.slice(offset, offset + 7)).toBe(`${index + 1} 0 obj`);
    }
  });

  it('has the transactions of a period, including its first and last day', async () => {
    const { send, token } = await withPayments();
    const query = { dateFrom: '2026-01-01', dateTo: '2026-01-05' };
    const { body, headers } = await send(STATEMENT, { token, query });
    expect(String(body['text']).split('\r\n')).toHaveLength(3);
    expect(headers.get('content-disposition')).toContain('statement-2026-01-01-2026-01-05.csv');
  });

  it.each([
    ['only the first day', { dateFrom: '2026-01-01' }, 'dateTo'],
    ['only the last day', { dateTo: '2026-01-01' }, 'dateFrom'],
    ['a day that does not exist', { dateFrom: '2026-02-30', dateTo: '2026-03-01' }, 'dateFrom'],
    ['a period that ends first', { dateFrom: '2026-02-02', dateTo: '2026-02-01' }, 'dateTo'],
  ])('refuses %s with 422', async (_, query: Record<string, string>, field) => {
    const { send, token } = await withPayments();
    const { status, body } = await send(STATEMENT, { token, query });
    expect(status).toBe(422);
    expect(body['errors']).toEqual([{ field, message: expect.any(String) }]);
  });

  it('needs a card', async () => {
    const { send, token } = await setUpObserved();
    expect((await send(STATEMENT, { token })).status).toBe(404);
  });
});

describe('adding the card to a phone on the mock platform', () => {
  const apple = {
    leafCertificate: '01',
    intermediateCertificate: '02',
    nonce: '03',
    nonceSignature: '04',
  };
  const DATA = {
    encryptedPassData: expect.any(String),
    activationData: expect.any(String),
    ephemeralPublicKey: expect.any(String),
  };

  it.each([
    ['top', DATA],
    ['data', { success: true, data: DATA }],
  ] as const)('responds with the data at the %s', async (provisioningBody, expected) => {
    const { send, token } = await setUpObserved(
      { card: 'ACTIVE' },
      { choices: { provisioningBody } },
    );
    const { status, body } = await send(`${PROVISION}/apple`, { token, body: apple });
    expect({ status, body }).toEqual({ status: 200, body: expected });
  });

  it('accepts a nonce once', async () => {
    const { send, token } = await setUpObserved({ card: 'ACTIVE' });
    await send(`${PROVISION}/apple`, { token, body: apple });
    expect((await send(`${PROVISION}/apple`, { token, body: apple })).status).toBe(400);
  });

  it.each(Object.keys(apple))('refuses a request without %s', async (name) => {
    const { send, token } = await setUpObserved({ card: 'ACTIVE' });
    const { [name]: _left, ...body }: Record<string, string> = apple;
    expect((await send(`${PROVISION}/apple`, { token, body })).status).toBe(422);
  });

  it('responds to the other kind of phone with an opaque card', async () => {
    const { send, token } = await setUpObserved({ card: 'ACTIVE' });
    expect((await send(`${PROVISION}/google`, { token, body: {} })).body).toEqual({
      success: true,
      data: { opaquePaymentCard: expect.any(String) },
    });
  });

  it.each([
    'PENDING',
    'FROZEN',
    'BLOCKED',
    'INACTIVE',
  ] as const)('refuses a card that is %s', async (card) => {
    const { send, token } = await setUpObserved({ card });
    for (const path of ['apple', 'google']) {
      const refused = await send(`${PROVISION}/${path}`, { token, body: apple });
      expect(refused).toMatchObject({
        status: 400,
        body: { message: `Card is ${card.toLowerCase()}` },
      });
    }
  });

  it('needs a card', async () => {
    const { send, token } = await setUpObserved();
    expect((await send(`${PROVISION}/google`, { token, body: {} })).status).toBe(404);
  });
});
