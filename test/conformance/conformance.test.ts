import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CardPlatformClient, isCardPlatformError } from '../../src/index.js';
import type { MockUser } from '../../src/testing/index.js';
import { SAMPLE_CALLS } from '../support/calls.js';
import { CONTRACT_ROWS, type ContractRow } from '../support/contract-rows.js';
import { ACCESS_WAYS, type PlatformAccess } from './platform-access.js';

const UUID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
const HEADERS = { clientKey: 'x-client-key', clientId: 'x-client-id' } as const;
const ROWS = CONTRACT_ROWS.filter(({ contract }) => contract);

const keyOf = ({ auth }: ContractRow) =>
  auth.find((name) => name === 'clientKey' || name === 'clientId');
const takesToken = ({ auth }: ContractRow) => auth.includes('bearer');

/** Returns an HTTP method that no endpoint uses at the path of a row. */
function unusedMethod({ path }: ContractRow): string {
  const used = CONTRACT_ROWS.filter((row) => row.path === path).map(({ method }) => method);
  const unused = ['PUT', 'PATCH', 'DELETE'].find((method) => !used.includes(method));
  if (unused === undefined) throw new Error(`every method is used at ${path}`);
  return unused;
}

/** An error body in one of the documented forms. */
const ERROR_BODY = expect.toSatisfy(
  (body: Record<string, unknown>) =>
    typeof body['message'] === 'string' || typeof body['error'] === 'string',
);

describe.each(ACCESS_WAYS)('the mock platform through %s', (_, open) => {
  let access: PlatformAccess;
  let ada: MockUser;
  beforeAll(async () => {
    access = await open();
    // msw logs an error for a request to an unknown endpoint.
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await access.close();
  });
  beforeEach(() => {
    access.platform.reset();
    ada = access.platform.users.add({ card: 'ACTIVE' });
  });

  function headersOf(row: ContractRow): Record<string, string> {
    const { credentials } = access.platform;
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    const key = keyOf(row);
    if (key !== undefined) headers[HEADERS[key]] = credentials[key];
    if (row.auth.includes('secretKey')) headers['x-secret-key'] = credentials.secretKey;
    if (takesToken(row)) headers['authorization'] = `Bearer ${access.platform.accessTokenFor(ada)}`;
    return headers;
  }

  /** Builds the request of a row by hand, without the client. */
  function requestOf(row: ContractRow, headers: Record<string, string>, method = row.method) {
    const path = row.path.replace(/\{[A-Za-z]+\}/g, UUID);
    const hasBody = row.body && method !== 'GET';
    const type = { 'content-type': 'application/json' };
    const init = { method, headers: { ...headers, ...type }, ...(hasBody && { body: '{}' }) };
    return new Request(`${access.platform.baseUrl}${path}`, init);
  }

  const send = (row: ContractRow, headers = headersOf(row)) => access.send(requestOf(row, headers));

  async function expectError(response: Response, status: number): Promise<void> {
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(ERROR_BODY);
  }

  describe.each(ROWS)('$id', (row) => {
    const key = keyOf(row);

    it('responds with a documented status and JSON', async () => {
      const response = await send(row);
      expect([...row.ok, ...row.errors, 400, 404, 422]).toContain(response.status);
      const text = await response.text();
      if (text !== '') expect(JSON.parse(text)).toBeTypeOf('object');
      if (response.status >= 400) expect(JSON.parse(text)).toEqual(ERROR_BODY);
      expect(Date.parse(response.headers.get('date') ?? '')).not.toBeNaN();
    });

    if (key !== undefined) {
      it('responds 499 without a key', async () => {
        const { [HEADERS[key]]: _key, ...headers } = headersOf(row);
        await expectError(await send(row, headers), 499);
      });

      it('responds 498 to a wrong key', async () => {
        const headers = { ...headersOf(row), [HEADERS[key]]: 'other' };
        await expectError(await send(row, headers), 498);
      });
    }

    if (takesToken(row)) {
      it('responds 401 without an access token', async () => {
        const { authorization: _token, ...headers } = headersOf(row);
        await expectError(await send(row, headers), 401);
      });

      it.each([
        'Bearer other',
        'Basic YTpi',
        'Bearer ',
      ])('responds 401 to the authorization header "%s"', async (authorization) => {
        await expectError(await send(row, { ...headersOf(row), authorization }), 401);
      });

      it('responds 401 to an access token six hours after it was issued', async () => {
        const headers = headersOf(row);
        access.platform.advance('6 hours');
        await expectError(await send(row, headers), 401);
      });
    }

    if (row.auth.includes('secretKey')) {
      it('responds 401 without the secret key', async () => {
        const { 'x-secret-key': _secret, ...headers } = headersOf(row);
        await expectError(await send(row, headers), 401);
      });
    }

    it.each([
      ...new Set([...row.errors, 498, 499, 500]),
    ])('responds with a planned status %d', async (status) => {
      const failure = { status, isUndocumented: true } as const;
      access.platform.fail(row.id, failure, { body: { message: 'as planned' } });
      const response = await send(row);
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ message: 'as planned' });
      expect(await (await send(row)).text()).not.toContain('as planned');
    });

    it.each([
      'before-processing',
      'after-processing',
      'refused',
    ] as const)('breaks the connection as planned: %s', async (moment) => {
      access.platform.drop(row.id, moment);
      await expect(send(row)).rejects.toThrow(TypeError);
      expect((await send(row)).status).toBeGreaterThanOrEqual(200);
    });

    it('rejects another HTTP method and names the nearest endpoint', async () => {
      const message = await unknownEndpointMessage(
        requestOf(row, headersOf(row), unusedMethod(row)),
      );
      expect(message).toMatch(/no endpoint for [A-Z]+ .*The nearest is [A-Z]+ \/v\d\//);
    });

    it('is logged with the status of its response', async () => {
      const { status } = await send(row);
      const [counted] = access.platform.requests;
      expect(counted).toMatchObject({ operation: row.id, method: row.method, status });
    });
  });

  /** Returns the message for a request to an unknown endpoint: of the error, or of the response. */
  async function unknownEndpointMessage(request: Request): Promise<string> {
    try {
      const response = await access.send(request);
      expect(response.status).toBeGreaterThanOrEqual(500);
      return await response.text();
    } catch (error) {
      return String(error);
    }
  }

  it('does not echo the body of a request to an unknown endpoint', async () => {
    const url = `${access.platform.baseUrl}/v1/nothing`;
    const words = await unknownEndpointMessage(
      new Request(url, { method: 'POST', body: 'a secret body' }),
    );
    expect(words).toContain('no endpoint');
    expect(words).not.toContain('a secret body');
  });

  it.each(SAMPLE_CALLS)('responds to $id with a body that the client reads without drift', async ({
    id,
    invoke,
  }) => {
    const { platform } = access;
    const driftReports: unknown[] = [];
    const client = new CardPlatformClient({
      baseUrl: platform.baseUrl,
      fetch: (url, init) => access.send(new Request(url, init)),
      ...platform.credentials,
      accessToken: platform.accessTokenFor(ada),
      retry: false,
      onDrift: (report) => void driftReports.push(report),
    });
    const error: unknown = await Promise.resolve(invoke(client)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    // The sample names another user or token, so the service may reject it. The body must be readable.
    if (error !== undefined) {
      const isRejected = isCardPlatformError(error) && error.outcome === 'rejected';
      expect(isRejected, String(error)).toBe(true);
    }
    expect(driftReports).toEqual([]);
    expect(platform.requests.map(({ operation }) => operation)).toEqual([id]);
  });
});
