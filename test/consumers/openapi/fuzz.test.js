import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMockPlatform } from 'card-platform-sdk/testing';
import fc from 'fast-check';
import { arbitraryOf } from './arbitrary.js';
import { differencesOf } from './checked.js';
import { operations } from './document.js';
import { credentialHeaders, send } from './requests.js';

const RUNS = Number(process.env.FUZZ_RUNS ?? 80);
const SEED = Number(process.env.FUZZ_SEED ?? 20261122);

const UUID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';

/** A platform whose user has one of everything, in one of the states that a user can be in. */
function platformOf(situation) {
  const platform = createMockPlatform();
  const { card, verified, otpEnabled, faucet, isLinked } = situation;
  const wallets = [{ network: 'linea', currency: 'usdc', balance: '50', isLinked }];
  const user = platform.users.add({
    card,
    verified,
    otpEnabled,
    faucet,
    wallets,
    email: 'ada@example.com',
  });
  user.hasCreditWallet = situation.hasCreditWallet;
  user.creditWallet.isWithdrawable = situation.isWithdrawable;
  user.externalWallets.push({
    address: ADDRESS,
    currency: 'usdc',
    network: 'linea',
    balance: '0',
    allowance: '1',
  });
  const { state } = platform;
  state.isCustodial = situation.isCustodial;
  state.isNotificationServiceConfigured = situation.hasNotifications;
  state.isReferralActive = situation.isReferralActive;
  return { platform, user };
}

const ADDRESS = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const byId = (id) => operations.find((one) => one.id === id);

/**
 * Makes the platform create the objects that other requests name, from the examples of the
 * description.
 */
async function prepare({ platform, user }, hasConsent) {
  for (const id of [
    'webhooks.create',
    'consent.createOnboarding',
    'delegation.getToken',
    'orders.create',
  ]) {
    if (id.startsWith('consent.') && !hasConsent) continue;
    const operation = byId(id);
    const headers = credentialHeaders(operation, platform, user);
    const body = operation.body && JSON.stringify(operation.body.example);
    await send(platform, operation, { headers, values: {}, body });
  }
}

const situation = fc.record({
  card: fc.constantFrom(undefined, 'ACTIVE', 'FROZEN', 'BLOCKED', 'PENDING'),
  faucet: fc.constantFrom('confirmed', 'pending', 'declined'),
  ...Object.fromEntries(
    [
      'verified',
      'otpEnabled',
      'isLinked',
      'isWithdrawable',
      'isReferralActive',
      'hasCreditWallet',
      'hasConsent',
    ].map((name) => [name, fc.boolean()]),
  ),
  // Rare, because then every other request is refused.
  isCustodial: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  hasNotifications: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
});

/** Values of the platform's state that requests must name so that they are not all refused. */
function knownValues({ platform, user }, { id: operation }) {
  const [wallet] = user.internalWallets;
  const { webhooks, consentSets, delegationTokens, products } = platform.state;
  const issued = delegationTokens.findLast(({ isUsed }) => !isUsed);
  const sigMessage = byId('delegation.submitEvmApproval').body.example.sigMessage;
  return {
    userId: user.id,
    email: user.email,
    password: user.password,
    walletId: wallet.id,
    addressId: wallet.addressId,
    sourceAddress: wallet.address,
    productId: products[0].id,
    orderId: user.orders[0]?.orderId,
    consentSetId: consentSets[0]?.consentSetId ?? UUID,
    id: (operation.startsWith('consent.') ? consentSets[0]?.consentSetId : webhooks[0]?.id) ?? UUID,
    token: issued?.token,
    sigMessage: sigMessage.replace(/^Nonce: .*$/m, `Nonce: ${issued?.nonce}`),
    code: user.referral.code,
  };
}

function withKnown(values, known, names) {
  const isNamed = (name) => names.includes(name) && known[name] !== undefined;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isNamed(name) ? known[name] : value]),
  );
}

const KNOWN = [
  'userId',
  'email',
  'password',
  'walletId',
  'addressId',
  'sourceAddress',
  'productId',
  'orderId',
  'consentSetId',
  'id',
  'token',
  'sigMessage',
  'code',
];

/** A request as the description allows it. Sometimes a field of its body is damaged. */
function requestOf({ parameters, body, isBodyRequired }) {
  const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  const required = parameters.filter((one) => one.required === true).map(({ name }) => name);
  const values = Object.fromEntries(
    parameters.map(({ name, schema }) => [name, arbitraryOf(schema)]),
  );
  const whole = body === undefined ? fc.constant(undefined) : arbitraryOf(body.schema);
  const example = Object.fromEntries(parameters.map((one) => [one.name, one.example]));
  return fc.record({
    values: fc.oneof(
      fc.record(values, { requiredKeys: [...inPath, ...required] }),
      fc.constant(
        Object.fromEntries(Object.entries(example).filter(([, value]) => value !== undefined)),
      ),
    ),
    body: fc.oneof(whole, fc.constant(body?.example)),
    isEmpty: fc.boolean().map((yes) => yes && !isBodyRequired),
    damage: fc.oneof(
      { weight: 3, arbitrary: fc.constant(null) },
      {
        weight: 1,
        arbitrary: fc.record({
          at: fc.nat(),
          value: fc.option(fc.jsonValue(), { nil: undefined }),
        }),
      },
    ),
    known: fc.oneof(
      { weight: 3, arbitrary: fc.constant(KNOWN) },
      { weight: 1, arbitrary: fc.subarray(KNOWN) },
    ),
  });
}

function bodyText({ body, isEmpty, damage }, known, names) {
  if (body === undefined || isEmpty) return undefined;
  const whole = withKnown(body, known, names);
  const keys = Object.keys(whole);
  if (damage !== null && keys.length > 0) whole[keys[damage.at % keys.length]] = damage.value;
  return JSON.stringify(whole);
}

const REQUESTS = operations.map((operation) =>
  fc.record({ operation: fc.constant(operation), request: requestOf(operation) }),
);
const sequence = fc.array(fc.oneof(...REQUESTS), { minLength: 1, maxLength: 25, size: 'max' });

test('every response to a request that the description allows, or nearly allows, is one that it describes', async () => {
  const met = new Set();
  await fc.assert(
    fc.asyncProperty(situation, sequence, async (facts, steps) => {
      const scene = platformOf(facts);
      const { platform, user } = scene;
      await prepare(scene, facts.hasConsent);
      for (const { operation, request } of steps) {
        const known = knownValues(scene, operation);
        const values = withKnown(request.values, known, request.known);
        const body = bodyText(request, known, request.known);
        const headers = credentialHeaders(operation, platform, user);
        const response = await send(platform, operation, { headers, values, body });
        met.add(`${operation.id} ${response.status}`);
        const differences = differencesOf(operation, response);
        assert.deepEqual(
          differences,
          [],
          `${operation.id} ${JSON.stringify(values)} ${body}: ${response.text}`,
        );
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
  const succeeded = operations.filter(({ id }) =>
    [...met].some((one) => one.startsWith(`${id} 2`)),
  );
  const missed = operations.filter((one) => !succeeded.includes(one)).map(({ id }) => id);
  console.log(`# ${met.size} combinations of operation and status; never successful: ${missed}`);
  assert.ok(succeeded.length >= operations.length, `requests that never succeed: ${missed}`);
});

for (const operation of operations) {
  test(`${operation.id} documents the refusal of each missing or wrong credential`, async () => {
    const platform = createMockPlatform();
    const user = platform.users.add({ card: 'ACTIVE' });
    const values = Object.fromEntries(
      operation.parameters.map(({ name, example }) => [name, example]),
    );
    const body = operation.body && JSON.stringify(operation.body.example);
    const all = credentialHeaders(operation, platform, user);
    for (const name of Object.keys(all)) {
      for (const wrong of [undefined, '', 'other', 'Bearer other']) {
        const { [name]: _, ...others } = all;
        const headers = wrong === undefined ? others : { ...others, [name]: wrong };
        const response = await send(platform, operation, { headers, values, body });
        assert.ok([401, 498, 499].includes(response.status), `${name}: ${response.status}`);
        assert.deepEqual(differencesOf(operation, response), []);
      }
    }
  });
}
