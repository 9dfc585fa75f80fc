import { describe, expect, it } from 'vitest';
import { BUSINESS_ERRORS, type BusinessErrorCode } from '../../src/contract/business-errors.js';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { ApiError, isApiError } from '../../src/errors/index.js';
import { sampleCall } from '../support/calls.js';
import { clientFor, clientReceiving, json, rejection, scriptedFetch } from '../support/clients.js';

async function refusal(id: string, body: unknown): Promise<ApiError> {
  const error = await rejection(sampleCall(id).invoke(clientReceiving(json(body, 418))));
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe('a documented refusal', () => {
  const capitalised = (text: string) => text.replace(/\b\w/g, (letter) => letter.toUpperCase());
  const matchedByPart = 'custodial_platform_required';
  const cells = Object.entries(BUSINESS_ERRORS).flatMap(([code, { messages }]) =>
    messages.map((text) => ({ code: code as BusinessErrorCode, text })),
  );

  it.each(cells)('$code is recognised by "$text", only on endpoints that document it', async ({
    code,
    text,
  }) => {
    const documents = ({ businessErrors }: Endpoint) =>
      businessErrors.some((documented) => documented.code === code);
    expect(ENDPOINTS.some(documents)).toBe(true);
    const capitalisedText = capitalised(text);
    for (const endpoint of ENDPOINTS) {
      for (const body of [
        { message: capitalisedText },
        { error: capitalisedText },
        capitalisedText,
        { message: `${capitalisedText}.` },
      ]) {
        const error = await refusal(endpoint.id, body);
        expect(error.code).toBe(documents(endpoint) ? code : 'api_error');
        expect(isApiError(error, code)).toBe(documents(endpoint));
      }
    }
  });

  it.each(
    cells.filter(({ code }) => code !== matchedByPart),
  )('$code is not recognised in a longer text that contains "$text"', async ({ text }) => {
    for (const { id } of ENDPOINTS) {
      for (const message of [`Executed, but: ${text}`, `${text}, yet it was done`]) {
        expect((await refusal(id, { message })).code).toBe('api_error');
      }
    }
  });

  it('with 503 is only probably a refusal and is not retried', async () => {
    const response = json(
      { message: 'Notification service is not configured for this environment' },
      503,
    );
    const { fetch, requests } = scriptedFetch(response);
    const error = await rejection(clientFor('https://api.example.com', { fetch }).webhooks.list());
    expect(error).toMatchObject({
      name: 'ServerError',
      code: 'notification_service_not_configured',
      outcome: 'unknown',
      probableOutcome: 'rejected',
    });
    expect(requests).toHaveLength(1);
  });
});
