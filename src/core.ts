// What every entry shares, as one file of the build: with copies of their own, `instanceof` would fail
// between entries, and each would carry the contract once more. Imported by nothing: see
// `tsup.config.ts`.
export * from './contract/auth.js';
export * from './contract/business-errors.js';
export * from './contract/card.js';
export * from './contract/card-tokens.js';
export * from './contract/check.js';
export * from './contract/common.js';
export * from './contract/consent.js';
export * from './contract/credit-wallet.js';
export * from './contract/delegation.js';
export * from './contract/endpoint.js';
export * from './contract/endpoints.js';
export * from './contract/external-wallets.js';
export * from './contract/field.js';
export * from './contract/fields.js';
export * from './contract/formats/base58.js';
export * from './contract/formats/decimal.js';
export * from './contract/formats/evm-address.js';
export * from './contract/formats/trailing.js';
export * from './contract/formats/url.js';
export * from './contract/internal-wallets.js';
export * from './contract/lists.js';
export * from './contract/orders.js';
export * from './contract/referral.js';
export * from './contract/repeat.js';
export * from './contract/schema.js';
export * from './contract/user.js';
export * from './contract/wallet-history.js';
export * from './contract/webhooks.js';
export * from './errors/index.js';
