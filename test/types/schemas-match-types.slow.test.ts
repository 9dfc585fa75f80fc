import { describe, expect, it } from 'vitest';
import * as auth from '../../src/contract/auth.js';
import * as card from '../../src/contract/card.js';
import * as cardTokens from '../../src/contract/card-tokens.js';
import * as consent from '../../src/contract/consent.js';
import * as credit from '../../src/contract/credit-wallet.js';
import * as delegation from '../../src/contract/delegation.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import * as external from '../../src/contract/external-wallets.js';
import * as internal from '../../src/contract/internal-wallets.js';
import * as orders from '../../src/contract/orders.js';
import * as referral from '../../src/contract/referral.js';
import * as user from '../../src/contract/user.js';
import * as history from '../../src/contract/wallet-history.js';
import * as webhooks from '../../src/contract/webhooks.js';
import { differences, EndpointTypes, type Shape, shapeOfField } from './shape.js';

const modules = {
  ...auth,
  ...card,
  ...cardTokens,
  ...consent,
  ...credit,
  ...delegation,
  ...external,
  ...internal,
};
const more = { ...orders, ...referral, ...user, ...history, ...webhooks };
const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'repeat' in value;
const constants = Object.entries({ ...modules, ...more }).flatMap(([name, value]) =>
  isEndpoint(value) ? [{ name, endpoint: value, id: value.id, stability: value.stability }] : [],
);
const types = new EndpointTypes();

/** Fields that we add to what the service says. */
const OURS = ['faucetOutcome', 'resolvedByRetry'];
/** Answers that are one of several shapes, each with its own tests. */
const UNIONS = ['auth.login', 'referral.get'];

function without(shape: Shape, names: readonly string[]): Shape {
  if (shape === true) return true;
  return Object.fromEntries(Object.entries(shape).filter(([name]) => !names.includes(name)));
}

it('finds every endpoint', () => {
  expect(constants.map(({ id }) => id).sort()).toEqual(ENDPOINTS.map(({ id }) => id).sort());
});

describe('what a call takes', () => {
  it.each(constants)('$id', ({ name, endpoint }) => {
    expect(shapeOfField(endpoint.input).shape).toEqual(types.shapeOf(name, 0));
  });
});

describe('what an endpoint under contract gives', () => {
  const shown = constants.filter(
    ({ id, stability }) => stability === 'contract' && !UNIONS.includes(id),
  );
  it.each(shown)('$id', ({ name, endpoint }) => {
    const expected = without(types.shapeOf(name, 1), OURS);
    for (const { schema } of Object.values(endpoint.responses)) {
      expect(differences(shapeOfField(schema).shape, expected)).toEqual([]);
    }
  });
});
