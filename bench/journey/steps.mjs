// What every page of a journey sends: it logs in, reads the card, and withdraws.

export const USER = { email: 'ada@example.com', password: 'correct horse battery staple' };
export const AMOUNT = { amount: '1.5' };
export const PATHS = {
  login: '/v1/auth/login',
  card: '/v1/card/status',
  withdraw: '/v1/wallet/credit/withdraw',
};
