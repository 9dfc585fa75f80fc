import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CardPlatformClient, isCardPlatformError } from '../../src/index.js';
import type { MockUser } from '../../src/testing/index.js';
import { SAMPLE_CALLS } from '../support/calls.js';
import { CONTRACT_ROWS, type ContractRow } from '../support/contract-rows.js';
import { DOORS, type Door } from './doors.js';

const UUID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
const HEADERS = { clientKey: 'x-client-key', clientId: 'x-client-id' } as const;
const ROWS = CONTRACT_ROWS.filter(({ contract }) => contract);

const keyOf = ({ auth }: ContractRow) =>
  auth.find((name) => name === 'clientKey' || name === 'clientId');
const takesToken = ({ auth }: ContractRow) => auth.includes('bearer');

/** A method that no endpoint takes at the path of a row. */
function untaken({ path }: ContractRow): string {
  const taken = CONTRACT_ROWS.filter((row) => row.path === path).map(({ method }) => method);
  const free = ['PUT', 'PATCH', 'DELETE'].find((method) => !taken.includes(method));
  if (free === undefined) throw new Error(`every method is taken at ${path}`);
  return free;
}

/** A refusal in one of the forms that the contract shows. */
const REFUSAL = expect.toSatisfy(
  (body: Record<string, unknown>) =>
    typeof body['message'] === 'string' || typeof body['error'] === 'string',
);

describe.each(DOORS)('through %s', (_, open) => {
  let door: Door;
  let ada: MockUser;
  beforeAll(async () => {
    door = await open();
    // msw tells the developer of a request that no endpoint takes.
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await door.close();
  });
  beforeEach(() => {
    door.platform.reset();
    ada = door.platform.users.add({ card: 'ACTIVE' });
  });

  function headersOf(row: ContractRow): Record<string, string> {
    const { credentials } = door.platform;
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    const key = keyOf(row);
    if (key !== undefined) headers[HEADERS[key]] = credentials[key];
    if (row.auth.includes('secretKey')) headers['x-secret-key'] = credentials.secretKey;
    if (takesToken(row)) headers['authorization'] = `Bearer ${door.platform.accessTokenFor(ada)}`;
    return headers;
  }

  /** A request of a row, written by hand rather than by the client. */
  function requestOf(row: ContractRow, headers: Record<string, string>, method = row.method) {
    const path = row.path.replace(/\{[A-Za-z]+\}/g, UUID);
    const hasBody = row.body && method !== 'GET';
    const init = { method, headers, ...(hasBody && { body: '{}' }) };
    return new Request(`${door.platform.baseUrl}${path}`, init);
  }

  const send = (row: ContractRow, headers = headersOf(row)) => door.send(requestOf(row, headers));

  async function expectRefusal(answer: Response, status: number): Promise<void> {
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual(REFUSAL);
  }

  describe.each(ROWS)('$id', (row) => {
    const key = keyOf(row);

    it('answers with a status of the contract, and JSON', async () => {
      const answer = await send(row);
      expect([...row.ok, ...row.errors, 400, 404, 422]).toContain(answer.status);
      const text = await answer.text();
      if (text !== '') expect(JSON.parse(text)).toBeTypeOf('object');
      if (answer.status >= 400) expect(JSON.parse(text)).toEqual(REFUSAL);
      expect(Date.parse(answer.headers.get('date') ?? '')).not.toBeNaN();
    });

    if (key !== undefined) {
      it('answers 499 without a key', async () => {
        const { [HEADERS[key]]: _key, ...headers } = headersOf(row);
        await expectRefusal(await send(row, headers), 499);
      });

      it('answers 498 with another key', async () => {
        const headers = { ...headersOf(row), [HEADERS[key]]: 'other' };
        await expectRefusal(await send(row, headers), 498);
      });
    }

    if (takesToken(row)) {
      it('answers 401 without a token', async () => {
        const { authorization: _token, ...headers } = headersOf(row);
        await expectRefusal(await send(row, headers), 401);
      });

      it.each([
        'Bearer other',
        'Basic YTpi',
        'Bearer ',
      ])('answers 401 with the token "%s"', async (authorization) => {
        await expectRefusal(await send(row, { ...headersOf(row), authorization }), 401);
      });

      it('answers 401 with a token of more than six hours', async () => {
        const headers = headersOf(row);
        door.platform.advance('6 hours');
        await expectRefusal(await send(row, headers), 401);
      });
    }

    if (row.auth.includes('secretKey')) {
      it('answers 401 without the secret key', async () => {
        const { 'x-secret-key': _secret, ...headers } = headersOf(row);
        await expectRefusal(await send(row, headers), 401);
      });
    }

    it.each([
      ...new Set([...row.errors, 498, 499, 500]),
    ])('fails with %d on demand', async (status) => {
      const failure = { status, isUndocumented: true } as const;
      door.platform.fail(row.id, failure, { body: { message: 'as planned' } });
      const answer = await send(row);
      expect(answer.status).toBe(status);
      expect(await answer.json()).toEqual({ message: 'as planned' });
      expect((await send(row)).status).not.toBe(0);
    });

    it.each([
      'before-processing',
      'after-processing',
      'refused',
    ] as const)('breaks off on demand: %s', async (moment) => {
      door.platform.drop(row.id, moment);
      await expect(send(row)).rejects.toThrow(TypeError);
      expect((await send(row)).status).toBeGreaterThanOrEqual(200);
    });

    it('takes no other method', async () => {
      const words = await unhandled(requestOf(row, headersOf(row), untaken(row)));
      expect(words).toMatch(/no endpoint for [A-Z]+ .*The nearest is [A-Z]+ \/v\d\//);
    });

    it('is counted with what was answered', async () => {
      const { status } = await send(row);
      const [counted] = door.platform.requests;
      expect(counted).toMatchObject({ operation: row.id, method: row.method, status });
    });
  });

  /** What a request says that no endpoint takes: an error, or an answer that names it. */
  async function unhandled(request: Request): Promise<string> {
    try {
      const answer = await door.send(request);
      expect(answer.status).toBeGreaterThanOrEqual(500);
      return await answer.text();
    } catch (error) {
      return String(error);
    }
  }

  it('prints no body of a request that no endpoint takes', async () => {
    const url = `${door.platform.baseUrl}/v1/nothing`;
    const words = await unhandled(new Request(url, { method: 'POST', body: 'a secret body' }));
    expect(words).toContain('no endpoint');
    expect(words).not.toContain('a secret body');
  });

  it.each(SAMPLE_CALLS)('the client understands every answer of $id', async ({ id, invoke }) => {
    const { platform } = door;
    const drifted: unknown[] = [];
    const client = new CardPlatformClient({
      baseUrl: platform.baseUrl,
      fetch: (url, init) => door.send(new Request(url, init)),
      ...platform.credentials,
      accessToken: platform.accessTokenFor(ada),
      retry: false,
      onDrift: (report) => void drifted.push(report),
    });
    const error: unknown = await Promise.resolve(invoke(client)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    // The sample is of another user or token: a refusal is in order, an unreadable answer is not.
    if (error !== undefined) {
      const isRefusal = isCardPlatformError(error) && error.outcome === 'rejected';
      expect(isRefusal, String(error)).toBe(true);
    }
    expect(drifted).toEqual([]);
    expect(platform.requests.map(({ operation }) => operation)).toEqual([id]);
  });
});
