import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DriftReport } from '../../src/index.js';
import { sampleCall } from '../support/calls.js';
import { clientReceiving, json } from '../support/clients.js';
import { CONTRACT_ROWS, type DocumentedField } from '../support/contract-rows.js';

const UUID = { wrong: ['', 'not-a-uuid', '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3'] };
const TIME = { wrong: ['', 'yesterday', '31/01/2026', '2026-13-01T09:00:00Z', '2026-01-31'] };
const URL_ = { wrong: ['javascript:alert(1)', '/page'], isRefused: true, isEssential: true };
const MONEY = {
  wrong: ['1e3', '1,5', 'abc', '12.'],
  right: ['0', '12', '0.000001'],
  isMoney: true,
};
const CODE = { wrong: ['USDC', '', 'us dc'], right: ['usdc', 'xrp', 'sol'] };
const MASKED_KEY = { wrong: ['whk_0123456789abcdef'], right: ['wh****ef', 'w•••f'] };
const CONSENT_TYPES = [
  'eSignAct',
  'termsAndPrivacy',
  'marketingNotifications',
  'smsNotifications',
  'emailNotifications',
];
const SUCCESS = { success: { isEssential: true } };
/** A command that moves no money: an empty object is enough. */
const DONE = { success: { isEssential: true, mayBeAbsent: true } };
const WEBHOOK = {
  'data.id': { ...UUID },
  'data.tenant': {},
  'data.name': { wrong: ['x'.repeat(256)], right: ['x'.repeat(255)] },
  'data.url': { wrong: ['http://hooks.example.com', 'hooks'] },
  'data.eventTypes': {},
  'data.isActive': {},
  'data.metadata': {},
  'data.createdAt': TIME,
  'data.updatedAt': TIME,
};

/**
 * The fields of each response, transcribed from the tables and sentences of the contract, with `*` for
 * the items of a list. A field that is not described further is required and has the type that the
 * sample response of the contract has. A row of the contract as data may have its own.
 */
const DOCUMENTED: Readonly<Record<string, Readonly<Record<string, DocumentedField>>>> = {
  ...Object.fromEntries(CONTRACT_ROWS.flatMap(({ id, fields }) => (fields ? [[id, fields]] : []))),
  'auth.login': {
    accessToken: { isEssential: true },
    userId: UUID,
    isOtpRequired: {},
    phoneNumber: { mayBeAbsent: true },
    phase: { mayBeAbsent: true, mayBeNull: true },
    verificationState: { values: ['UNVERIFIED', 'PENDING', 'VERIFIED', 'REJECTED'] },
    isLinked: {},
  },
  'delegation.getToken': {
    token: {
      isEssential: true,
      wrong: ['abc', '3f0e9a52-6f3c-1d59-9d3e-0f6a5c1b2d3e'],
      right: ['us_3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e'],
    },
    nonce: { isEssential: true, right: ['dGVzdA==', '0123456789abcdef01234567'] },
  },
  'delegation.submitEvmApproval': SUCCESS,
  'delegation.submitSolanaApproval': SUCCESS,
  'card.order': SUCCESS,
  'card.status': {
    id: {},
    holderName: { wrong: ['Ada Lovelace'], right: ["O'NEILL-SMITH", 'ÅSA ÖBERG'] },
    expiryDate: {
      wrong: ['2028-05', '05/28', '2028/00', '2028/13', '2028/5'],
      right: ['2030/01', '2030/12'],
    },
    panLast4: { wrong: ['424242', '424', '42a2'], right: ['0000'] },
    status: { isEssential: true, values: ['ACTIVE', 'FROZEN', 'BLOCKED', 'PENDING'] },
    type: { values: ['VIRTUAL', 'PHYSICAL', 'METAL'] },
    orderedAt: TIME,
  },
  'card.freeze': DONE,
  'card.unfreeze': DONE,
  'card.createDetailsToken': { token: UUID, imageUrl: URL_ },
  'card.createPinToken': { token: UUID, imageUrl: URL_ },
  'card.createSetPinToken': { token: UUID, hostedPageUrl: URL_ },
  'wallets.credit.withdraw': { txHash: { isEssential: true, right: ['any'] } },
  'wallets.internal.withdraw': SUCCESS,
  'wallets.internal.list': {
    '*.id': {},
    '*.balance': MONEY,
    '*.currency': CODE,
    '*.address': {},
    '*.addressMemo': { mayBeNull: true, right: ['12345'] },
    '*.addressId': {},
    '*.type': { values: ['INTERNAL'] },
  },
  'wallets.internal.create': DONE,
  'wallets.internal.linkToCard': DONE,
  'wallets.history.list': {
    '*.name': {},
    '*.amount': MONEY,
    '*.currency': CODE,
    '*.sign': { values: ['debit', 'credit'] },
    '*.date': TIME,
  },
  'orders.create': {
    requestId: {},
    orderId: { isEssential: true },
    paymentConfig: { mayBeAbsent: true, isMoney: true },
    'paymentConfig.paymentAmount': { right: [1, 0.5], isMoney: true },
    'paymentConfig.paymentCurrency': {},
    'paymentConfig.destinationAddress': {},
    'paymentConfig.destinationChainId': {},
    'paymentConfig.destinationTokenSymbol': {},
    'paymentConfig.destinationTokenAddress': {},
  },
  'consent.createOnboarding': {
    consentSetId: { ...UUID, wrong: UUID.wrong.filter(Boolean), isEssential: true },
    onboardingId: {},
    tenantId: {},
    createdAt: TIME,
    _links: {},
    '_links.self': {},
    '_links.self.href': {},
    '_links.self.method': {},
  },
  'consent.linkUser': {
    consentSetId: { ...UUID, wrong: UUID.wrong.filter(Boolean), isEssential: true },
    userId: {},
    completedAt: TIME,
    consentSet: {},
    'consentSet.consentSetId': UUID,
    'consentSet.onboardingId': {},
    'consentSet.userId': { mayBeAbsent: true, mayBeNull: true },
    'consentSet.tenantId': {},
    'consentSet.policyType': { values: ['global', 'US'] },
    'consentSet.completedAt': { ...TIME, mayBeAbsent: true, mayBeNull: true },
    'consentSet.createdAt': TIME,
    'consentSet.updatedAt': TIME,
    'consentSet.consents': {},
    'consentSet.consents.*.consentId': {},
    'consentSet.consents.*.consentType': { values: CONSENT_TYPES },
    'consentSet.consents.*.consentStatus': { values: ['granted', 'denied'] },
    'consentSet.consents.*.metadata': {},
    'consentSet.consents.*.createdAt': TIME,
    'consentSet.consents.*.updatedAt': TIME,
    _links: {},
    '_links.self': {},
    '_links.self.href': {},
    '_links.self.method': {},
    '_links.audit': {},
    '_links.audit.href': {},
    '_links.audit.method': {},
  },
  'referral.get': { code: { isEssential: true }, cap: {}, used: {} },
  'user.startVerification': { sessionUrl: URL_ },
  'webhooks.update': {
    // `success: true` alone says that it was done.
    success: { isMoney: true },
    data: {},
    ...WEBHOOK,
    'data.apiKey': MASKED_KEY,
  },
  'webhooks.rotateKey': {
    success: { isMoney: true },
    data: { isEssential: true },
    ...WEBHOOK,
    'data.apiKey': { isEssential: true, wrong: ['wh****ef'] },
  },
  'webhooks.delete': DONE,
};

type Json = Record<string, unknown>;

/** A copy of JSON with another value at a path; `undefined` removes the field. */
function changed(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  if (name === '*') return (value as unknown[]).map((one) => changed(one, rest, to));
  const { [name]: old, ...others } = value as Json;
  const next = changed(old, rest, to);
  return next === undefined ? others : { ...others, [name]: next };
}

/** The value at a path. */
function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  const next = name === '*' ? (value as unknown[])[0] : (value as Json)[name];
  return valueAt(next, rest);
}

/** The paths of all objects in JSON. */
function objectsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (Array.isArray(value)) return value.flatMap((one) => objectsIn(one, [...path, '*']));
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, one]) => objectsIn(one, [...path, name]));
  return [[...path], ...inner];
}

const sampleOf = (id: string) => sampleCall(id).response;

type Settled = { result?: unknown; error?: unknown };

/** What a client makes of a response: in tolerant mode with its reports, and in strict mode. */
async function received(id: string, body: unknown) {
  const { invoke } = sampleCall(id);
  const { status } = sampleOf(id);
  const drift: DriftReport[] = [];
  const onDrift = (report: DriftReport) => drift.push(report);
  const settled = async (options: object) => {
    const call = invoke(clientReceiving(json(body, status), options));
    return await Promise.resolve(call).then(
      (result): Settled => ({ result }),
      (error: unknown): Settled => ({ error }),
    );
  };
  return {
    drift,
    silent: await settled({}),
    tolerant: await settled({ onDrift }),
    strict: await settled({ responseValidation: 'strict' }),
  };
}

/** Requires that a change is reported under its path, refused in strict mode, and survived otherwise. */
async function expectDrift(id: string, body: unknown, path: string, kind: DriftReport['kind']) {
  const { drift, silent, tolerant, strict } = await received(id, body);
  expect(drift).toEqual([{ operation: id, path, kind, message: expect.any(String) }]);
  expect(strict.error).toMatchObject({ name: 'ResponseValidationError', outcome: 'executed' });
  expect(silent.error).toBeUndefined();
  expect(tolerant).toEqual(silent);
}

/** Requires that a response is an error in every mode. */
async function expectRefusal(id: string, body: unknown) {
  const { silent, tolerant, strict } = await received(id, body);
  for (const { error } of [silent, tolerant, strict]) expect(error).toBeDefined();
}

async function expectNoDrift(id: string, body: unknown) {
  const { drift, silent, strict } = await received(id, body);
  expect(drift).toEqual([]);
  expect([silent.error, strict.error]).toEqual([undefined, undefined]);
}

const DOCUMENTED_IDS = CONTRACT_ROWS.filter(({ contract }) => contract).map(({ id }) => id);
const FIELDS = Object.entries(DOCUMENTED).flatMap(([id, fields]) =>
  Object.entries(fields).map(([path, field]) => ({ id, path, field, at: path.split('.') })),
);

describe('the promise of the contract', () => {
  it('is transcribed here for every documented endpoint', () => {
    expect(Object.keys(DOCUMENTED).sort()).toEqual([...DOCUMENTED_IDS].sort());
  });

  it.each(
    DOCUMENTED_IDS,
  )('%s: every field of the sample is documented, and the sample is no drift', async (id) => {
    const { body } = sampleOf(id);
    const paths = objectsIn(body).flatMap((at) =>
      Object.keys(Object(valueAt(body, at))).map((name) => [...at, name].join('.')),
    );
    const known = Object.keys(DOCUMENTED[id] ?? {});
    const isFree = (path: string) =>
      known.some((one) => /metadata$/.test(one) && path.startsWith(`${one}.`));
    expect(paths.filter((path) => !known.includes(path) && !isFree(path))).toEqual([]);
    await expectNoDrift(id, body);
  });

  it.each(
    DOCUMENTED_IDS,
  )('%s: a new field of any object is reported, refused by strict, and kept', async (id) => {
    const { body, status } = sampleOf(id);
    // The contract does not show the rest of this response.
    if (status === 207) return;
    for (const at of objectsIn(body).filter((one) => one.at(-1) !== 'metadata')) {
      const path = [...at, 'brandNew'];
      await expectDrift(id, changed(body, path, { deep: 1 }), path.join('.'), 'unknown-field');
      const { silent } = await received(id, changed(body, path, 'kept'));
      if (silent.error === undefined)
        expect(JSON.stringify(silent.result)).toContain('"brandNew":"kept"');
    }
  });

  it.each(FIELDS)('$id: $path is absent', async ({ id, at, path, field }) => {
    const body = changed(sampleOf(id).body, at, undefined);
    if (field.mayBeAbsent) return expectNoDrift(id, body);
    if (field.isEssential) return expectRefusal(id, body);
    await expectDrift(id, body, path, 'missing-field');
  });

  it.each(FIELDS)('$id: $path is null', async ({ id, at, path, field }) => {
    const body = changed(sampleOf(id).body, at, null);
    if (field.isEssential || (path === 'success' && field.isMoney)) return expectRefusal(id, body);
    if (field.mayBeNull) return expectNoDrift(id, body);
    await expectDrift(id, body, path, 'other-type');
  });

  it.each(FIELDS)('$id: $path is of another type', async ({ id, at, path, field }) => {
    const { body } = sampleOf(id);
    const value = valueAt(body, at);
    const wrong = typeof value === 'object' && value !== null ? 'text' : [['x']];
    const given = changed(body, at, wrong);
    if (field.isEssential || field.isMoney) return expectRefusal(id, given);
    await expectDrift(id, given, path, 'other-type');
  });

  it.each(
    FIELDS.filter(({ field }) => field.values),
  )('$id: $path has another value than the listed ones', async ({ id, at, path, field }) => {
    const { body } = sampleOf(id);
    for (const value of field.values ?? []) await expectNoDrift(id, changed(body, at, value));
    const other = fc.asyncProperty(fc.stringMatching(/^[A-Za-z_]{1,12}$/), async (value) => {
      fc.pre(field.values?.includes(value) !== true);
      await expectDrift(id, changed(body, at, value), path, 'other-value');
    });
    await fc.assert(other, { numRuns: 10 });
  });

  it.each(
    FIELDS.filter(({ field }) => field.wrong ?? field.right),
  )('$id: $path has another format', async ({ id, at, path, field }) => {
    const { body } = sampleOf(id);
    for (const right of field.right ?? []) await expectNoDrift(id, changed(body, at, right));
    for (const wrong of field.wrong ?? []) {
      const given = changed(body, at, wrong);
      if (field.isRefused) await expectRefusal(id, given);
      else await expectDrift(id, given, path, 'other-format');
    }
  });

  it('reports the phase and the phone number of a login', async () => {
    const { body } = sampleOf('auth.login');
    const phases = ['ACCOUNT', 'PHONE_NUMBER', 'PERSONAL_INFORMATION', 'PHYSICAL_ADDRESS'];
    for (const phase of [...phases, 'MAILING_ADDRESS', null]) {
      await expectNoDrift('auth.login', changed(body, ['phase'], phase));
    }
    await expectDrift('auth.login', changed(body, ['phase'], 'VIDEO_CALL'), 'phase', 'other-value');
    const unmasked = changed(body, ['phoneNumber'], '+4915112345678');
    await expectDrift('auth.login', unmasked, 'phoneNumber', 'other-format');
    await expectNoDrift('auth.login', changed(body, ['phoneNumber'], '***5678'));
  });

  it('reports the faucet of a delegation token', async () => {
    const token = { ...(sampleOf('delegation.getToken').body as object) };
    const faucet = { success: true, network: 'linea', status: 'confirmed', transactionHash: '0x1' };
    const drift: DriftReport[] = [];
    const receive = async (given: object) => {
      drift.length = 0;
      const response = json({ ...token, faucet: given });
      const onDrift = (report: DriftReport) => drift.push(report);
      await clientReceiving(response, { onDrift }).delegation.getToken();
      return drift.map(({ kind, path }) => `${kind} ${path}`);
    };
    expect(await receive(faucet)).toEqual([]);
    expect(await receive({ ...faucet, status: 'queued' })).toEqual(['other-value faucet.status']);
    expect(await receive({ success: true, status: 'pending' })).toEqual([
      'missing-field faucet.network',
    ]);
    expect(await receive({ ...faucet, gas: 1 })).toEqual(['unknown-field faucet.gas']);
  });

  it('promises an empty object where no referral campaign is active', async () => {
    await expectNoDrift('referral.get', {});
  });
});

describe('a report of drift', () => {
  it('is made once for each path and kind, of every item of a list', async () => {
    const [item] = sampleOf('wallets.history.list').body as Json[];
    const drift: string[] = [];
    const items = [
      { ...item, sign: 'refund' },
      { ...item, sign: 'refund', date: 'x' },
      { ...item, sign: 7, more: 1 },
    ];
    const client = clientReceiving(json(items), {
      onDrift: ({ kind, path }) => drift.push(`${kind} ${path}`),
    });
    const page = { walletId: 'w', walletType: 'CREDIT' } as const;
    await client.wallets.history.list(page);
    await client.wallets.history.list(page);
    expect(drift.sort()).toEqual([
      'other-format *.date',
      'other-type *.sign',
      'other-value *.sign',
      'unknown-field *.more',
    ]);
  });

  it('never holds a value, nor a field name that may be one', async () => {
    const body = Object(sampleOf('card.status').body);
    const secret = 'ada.lovelace@example.com';
    const { drift, strict } = await received('card.status', {
      ...body,
      holderName: secret,
      panLast4: '4242424242424242',
      status: 'ada lovelace',
      [secret]: 1,
      '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e': 1,
      key4242424242424242: 1,
    });
    expect(drift.map(({ path }) => path).sort()).toEqual(['?', 'holderName', 'panLast4', 'status']);
    for (const text of [JSON.stringify(drift), String(strict.error)]) {
      expect(text).not.toMatch(/ada|lovelace|4242|3f0e9a52/i);
    }
  });

  it('is not made of a preview, of which the contract promises nothing', async () => {
    const { drift, strict } = await received('orders.get', { orderId: 5, status: 'LOST', more: 1 });
    expect([drift, strict.error]).toEqual([[], undefined]);
  });

  it('is made of a success: true beside absent fields', async () => {
    const { drift } = await received('consent.linkUser', { success: true });
    expect(drift.map(({ kind }) => kind)).toContain('missing-field');
  });
});
