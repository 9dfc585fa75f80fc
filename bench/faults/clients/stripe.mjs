import Stripe from 'stripe';

export function connect({ baseUrl, timeout, secrets }) {
  const { hostname, port, protocol } = new URL(baseUrl);
  const address = { host: hostname, port, protocol: protocol.slice(0, -1) };
  const client = new Stripe(secrets.key, { ...address, timeout });
  const transfer = { amount: 2500, currency: 'usd', destination: 'acct_1' };
  const credentials = { email: 'ada@example.com', password: secrets.password };
  return {
    money: () => client.transfers.create(transfer),
    read: () => client.balance.retrieve(),
    login: () => client.rawRequest('POST', '/v1/login', credentials),
  };
}

export const isTyped = (error) => error instanceof Stripe.errors.StripeError;
