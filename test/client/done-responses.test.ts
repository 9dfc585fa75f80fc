import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { successResponse } from '../../src/contract/response.js';
import type { DriftReport } from '../../src/transport/response/drift.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { sampleCall } from '../support/calls.js';
import { clientReceiving, json, rejection } from '../support/clients.js';

/** Every success status of every endpoint whose only documented field is `success`. */
const COMMANDS = ENDPOINTS.filter(({ responses }) =>
  Object.values(responses).every(({ promise }) => promise === successResponse.promise),
).flatMap(({ id, responses }) => Object.keys(responses).map((status) => ({ id, status })));

/** The ones that move money, or order something: an empty response does not say that they did. */
const MONEY = [
  'card.order',
  'delegation.submitEvmApproval',
  'delegation.submitSolanaApproval',
  'wallets.internal.withdraw',
];

const EMPTY = ['', ' \r\n\t', '{}', ' { } '];

function receiving(
  id: string,
  body: unknown,
  status: unknown,
  options: Partial<ClientOptions> = {},
) {
  return sampleCall(id).invoke(clientReceiving(json(body, Number(status)), options));
}

it('finds every command in the endpoint declarations', () => {
  const ids = new Set(COMMANDS.map(({ id }) => id));
  const known = [
    'auth.sendLoginOtp',
    'card.freeze',
    'card.order',
    'card.unfreeze',
    'delegation.submitEvmApproval',
    'delegation.submitSolanaApproval',
    'wallets.internal.create',
    'wallets.internal.linkToCard',
    'wallets.internal.unlinkFromCard',
    'wallets.internal.withdraw',
    'webhooks.delete',
  ];
  expect([...ids]).toEqual(expect.arrayContaining(known));
});

describe.each(COMMANDS)('$id with status $status', ({ id, status }) => {
  const isMoney = MONEY.includes(id);

  it.each(
    EMPTY,
  )('when the response is %j is done without drift, or unknown if money moves', async (body) => {
    const drift: DriftReport[] = [];
    const onDrift = (report: DriftReport) => drift.push(report);
    for (const options of [{ onDrift }, { responseValidation: 'strict' } as const]) {
      const call = receiving(id, body, status, options);
      if (isMoney) {
        const outcomes = { outcome: 'unknown', probableOutcome: 'executed' };
        expect(await rejection(call)).toMatchObject(outcomes);
      } else expect(await call).toEqual({});
    }
    expect(drift).toEqual([]);
  });

  it('is not done when the response has only other fields', async () => {
    const error = await rejection(receiving(id, { requestId: 'r' }, status));
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'unknown' });
  });

  it.each([
    'true',
    'false',
    'yes',
    '',
    0,
    1,
    null,
    [],
    {},
  ])('is an error with outcome unknown when success is %j', async (success) => {
    const error = await rejection(receiving(id, { success }, status));
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      issues: [{ path: 'success' }],
    });
  });

  it.each([
    '[]',
    '[{"success":true}]',
    '"done"',
    'true',
    '1',
  ])('is an error with outcome unknown when the response is %s', async (body) => {
    expect(await rejection(receiving(id, body, status))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
    });
  });

  it.each(['{', 'OK', '<html>'])('is an error when the response is %s, not JSON', async (body) => {
    expect(await rejection(receiving(id, body, status))).toMatchObject({
      name: 'ProtocolError',
      outcome: 'unknown',
    });
  });

  it('is refused when success is false', async () => {
    expect(await rejection(receiving(id, { success: false }, status))).toMatchObject({
      name: 'OperationRejectedError',
      outcome: 'rejected',
    });
  });
});

describe('an endpoint with a field that its caller needs', () => {
  const others = ENDPOINTS.filter(
    ({ stability, responses }) =>
      stability === 'contract' &&
      Object.values(responses).some(({ mayBeEmpty }) => mayBeEmpty !== true),
  ).map(({ id }) => ({ id }));

  it.each(others)('$id does not accept an empty response as its result', async ({ id }) => {
    for (const body of ['', ' \n', 'null']) {
      const error = await rejection(receiving(id, body, 200));
      expect(error).toMatchObject({ code: 'response_invalid', outcome: 'unknown' });
    }
  });
});

describe('a changed webhook and a rotated key', () => {
  it.each([
    'webhooks.update',
    'webhooks.rotateKey',
  ])('%s need no field success in a response with data', async (id) => {
    const drift: DriftReport[] = [];
    const options = { onDrift: (report: DriftReport) => drift.push(report) };
    const { data } = sampleCall(id).response.body as { data: object };
    expect(await receiving(id, { data }, 200, options)).toEqual({ data });
    expect(drift.map(({ path }) => path)).toEqual(['success']);
  });
});

describe('the linking of a consent set', () => {
  const { input } = sampleCall('consent.linkUser');
  const { consentSetId } = input as { consentSetId: string };
  const link = (body: unknown, options: Partial<ClientOptions> = {}) =>
    receiving('consent.linkUser', body, 200, options);

  it.each(EMPTY)('counts as done when the response is %j, and names no id', async (body) => {
    const drift: DriftReport[] = [];
    const onDrift = (report: DriftReport) => drift.push(report);
    expect(await link(body, { onDrift })).toEqual({});
    expect(await link(body, { responseValidation: 'strict' })).toEqual({});
    expect(drift).toEqual([]);
  });

  it('counts as done with success: true, which is drift', async () => {
    const drift: DriftReport[] = [];
    const result = await link({ success: true }, { onDrift: (report) => drift.push(report) });
    expect(result).toEqual({ success: true });
    expect(drift.map(({ path }) => path)).toContain('consentSetId');
  });

  it.each([
    { completedAt: '2026-01-01T00:00:00Z' },
    { consentSetId: null, userId: null },
    { consentSetId: '', userId: '' },
    { consentSetId: 7, userId: {} },
  ])('is unknown when the response is %j, without the set', async (body) => {
    expect(await rejection(link(body))).toMatchObject({ outcome: 'unknown' });
  });

  it('keeps the ids of the response', async () => {
    expect(await link({ consentSetId: 'other', userId: 'u2' })).toEqual({
      consentSetId: 'other',
      userId: 'u2',
    });
  });

  it.each([
    [{ success: false, message: 'no' }, 'rejected'],
    [{ success: false, consentSetId }, 'unknown'],
  ])('is refused by %j with outcome %s', async (body, outcome) => {
    const error = await rejection(link(body));
    expect(error).toMatchObject({ name: 'OperationRejectedError', outcome });
  });

  it.each(['[]', '"linked"', 'true'])('is an error when the response is %s', async (body) => {
    const error = await rejection(link(body));
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'unknown' });
  });
});
