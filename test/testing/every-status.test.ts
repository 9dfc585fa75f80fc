import { describe, expect, it } from 'vitest';
import { isApiError } from '../../src/index.js';
import type { EndpointId, ErrorStatus } from '../../src/testing/index.js';
import { SAMPLE_CALLS } from '../support/calls.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';
import { setUp } from './set-up.js';

const STATUSES = CONTRACT_ROWS.flatMap(({ id, errors }) =>
  errors.map((status) => [id as EndpointId, status as ErrorStatus] as const),
);

/** The documented forms of an error body. */
function shapeOf(id: EndpointId, status: number): unknown {
  if (id.startsWith('consent.')) {
    return { error: expect.any(String), details: expect.arrayContaining([expect.any(String)]) };
  }
  const { refusals = [] } = CONTRACT_ROWS.find((row) => row.id === id) ?? {};
  // A documented refusal has a message of its own, in place of fields.
  const isRefusal = refusals.some((refusal) => refusal.status === 422);
  const fields = [{ field: expect.any(String), message: expect.any(String) }];
  const hasFields = status === 422 && !isRefusal && id !== 'auth.login' && id !== 'card.order';
  return { message: expect.any(String), ...(hasFields && { errors: fields }) };
}

/** Returns the error of a call with a planned failure. */
async function refused(id: EndpointId, status: ErrorStatus): Promise<unknown> {
  const { mock, client } = setUp({ card: 'ACTIVE' });
  mock.fail(id, status);
  const call = SAMPLE_CALLS.find((sample) => sample.id === id);
  return call?.invoke(client).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('every documented error status of the mock platform', () => {
  it.each(STATUSES)('%s responds %i with a body of the documented form', async (id, status) => {
    const error = await refused(id, status);
    expect(isApiError(error)).toBe(true);
    expect(error).toMatchObject({ status, body: shapeOf(id, status) });
  });

  it.each([
    ['card.freeze', 400, 'card_already_frozen'],
    ['card.unfreeze', 400, 'card_not_frozen'],
    ['card.order', 400, 'user_already_has_card'],
    ['card.order', 422, 'card_type_required'],
    ['card.status', 404, 'card_not_found'],
    ['webhooks.update', 400, 'webhook_url_not_https'],
    ['webhooks.delete', 404, 'webhook_not_found'],
    ['webhooks.rotateKey', 503, 'notification_service_not_configured'],
    ['wallets.credit.withdraw', 400, 'insufficient_balance'],
    ['wallets.history.list', 401, 'not_authenticated'],
    ['wallets.history.list', 403, 'not_authorized'],
    ['wallets.internal.linkToCard', 400, 'max_linked_wallets'],
  ] as const)('%s responds %i with the documented message of %s', async (id, status, code) => {
    expect(await refused(id, status)).toMatchObject({ code });
  });
});
