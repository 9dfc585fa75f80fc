import Lithic, { LithicError } from 'lithic';

const TRANSFER = {
  amount: 2500,
  category: 'TRANSFER',
  type: 'CARD_TO_CARD',
  subtype: 'TRANSFER',
  from_financial_account_token: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  to_financial_account_token: '5717c963-f66a-4562-b3fc-2c3fa85f64af',
};

export function connect({ baseUrl, timeout, secrets }) {
  const client = new Lithic({ apiKey: secrets.key, baseURL: baseUrl, timeout });
  const credentials = { email: 'ada@example.com', password: secrets.password };
  return {
    money: () => client.bookTransfers.create(TRANSFER),
    read: () => client.cards.retrieve('7ef7d65c-9023-4da3-b113-3b8583fd7951'),
    login: () => client.post('/v1/login', { body: credentials }),
  };
}

export const isTyped = (error) => error instanceof LithicError;
