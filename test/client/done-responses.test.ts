import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { successResponse } from '../../src/contract/fields.js';
import type { DriftReport } from '../../src/transport/response/drift.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { sampleCall } from '../support/calls.js';
import { clientReceiving, json, rejection } from '../support/clients.js';

/** Every success status of every endpoint whose only documented field is `success`. */
const COMMANDS = ENDPOINTS.filter(({ responses }) =>
  Object.values(responses).every(({ schema }) => schema === successResponse.schema),
).flatMap(({ id, responses }) => Object.keys(responses).map((status) => ({ id, status })));

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
  expect([...ids].sort()).toEqual([
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
  ]);
});

describe.each(COMMANDS)('$id with status $status', ({ id, status }) => {
  it.each(EMPTY)('counts as done when the response is %j, without drift', async (body) => {
    const drift: DriftReport[] = [];
    const options = { onDrift: (report: DriftReport) => drift.push(report) };
    expect(await receiving(id, body, status, options)).toEqual({ success: true });
    expect(drift).toEqual([]);
  });

  it.each(EMPTY)('counts as done in strict mode too when the response is %j', async (body) => {
    const strict = { responseValidation: 'strict' } as const;
    expect(await receiving(id, body, status, strict)).toEqual({ success: true });
  });

  it('counts as done when the response has only other fields, which is drift', async () => {
    const drift: DriftReport[] = [];
    const options = { onDrift: (report: DriftReport) => drift.push(report) };
    const result = await receiving(id, { requestId: 'r' }, status, options);
    expect(result).toEqual({ success: true, requestId: 'r' });
    expect(drift).toEqual([{ operation: id, path: 'success', message: expect.any(String) }]);
    const strict = { responseValidation: 'strict' } as const;
    const error = await rejection(receiving(id, { requestId: 'r' }, status, strict));
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'executed' });
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
  ])('is an error with outcome executed when success is %j', async (success) => {
    const error = await rejection(receiving(id, { success }, status));
    expect(error).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'executed',
      issues: [{ path: 'success' }],
    });
  });

  it.each([
    '[]',
    '[{"success":true}]',
    '"done"',
    'true',
    '1',
  ])('is an error with outcome executed when the response is %s', async (body) => {
    expect(await rejection(receiving(id, body, status))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'executed',
    });
  });

  it.each(['{', 'OK', '<html>'])('is an error when the response is %s, not JSON', async (body) => {
    expect(await rejection(receiving(id, body, status))).toMatchObject({
      name: 'ProtocolError',
      outcome: 'executed',
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
      expect(error).toMatchObject({ code: 'response_invalid', outcome: 'executed' });
    }
  });
});

describe('a changed webhook and a rotated key', () => {
  const data = { id: 'w', apiKey: 'whk_new' };

  it.each([
    'webhooks.update',
    'webhooks.rotateKey',
  ])('%s need no field success in a response with data', async (id) => {
    const drift: DriftReport[] = [];
    const options = { onDrift: (report: DriftReport) => drift.push(report) };
    expect(await receiving(id, { data }, 200, options)).toEqual({ success: true, data });
    expect(drift.map(({ path }) => path)).toEqual(['success']);
  });
});

describe('the linking of a consent set', () => {
  const { input } = sampleCall('consent.linkUser');
  const { consentSetId, userId } = input as { consentSetId: string; userId: string };
  const link = (body: unknown, options: Partial<ClientOptions> = {}) =>
    receiving('consent.linkUser', body, 200, options);

  it.each(
    EMPTY,
  )('counts as done when the response is %j, with the ids of the call', async (body) => {
    const drift: DriftReport[] = [];
    const onDrift = (report: DriftReport) => drift.push(report);
    expect(await link(body, { onDrift })).toEqual({ consentSetId, userId });
    expect(await link(body, { responseValidation: 'strict' })).toEqual({ consentSetId, userId });
    expect(drift).toEqual([]);
  });

  it.each([
    { completedAt: '2026-01-01T00:00:00Z' },
    { consentSetId: null, userId: null },
    { consentSetId: '', userId: '' },
    { consentSetId: 7, userId: {} },
  ])('counts as done when the response is %j, which is drift', async (body) => {
    const drift: DriftReport[] = [];
    const result = await link(body, { onDrift: (report) => drift.push(report) });
    expect(result).toEqual({ ...body, consentSetId, userId });
    expect(drift.map(({ path }) => path)).toContain('consentSetId');
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
    expect(error).toMatchObject({ name: 'ResponseValidationError', outcome: 'executed' });
  });
});
