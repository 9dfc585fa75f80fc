import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  prepareScene,
  SAMPLES,
  type Scene,
} from '../../scripts/generate/openapi/observed/samples.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { OBSERVED_IDS } from '../../src/testing/endpoint-ids.js';
import { ROWS } from '../../src/testing/observed/rows.js';
import { ACCESS_WAYS, type PlatformAccess } from '../conformance/platform-access.js';
import { OBSERVED_ROWS, type ObservedRow } from './observed-rows.js';

const CREDENTIALS = { clientKey: 'clientKey', bearer: 'accessToken', loginBearer: 'accessToken' };
/** The browser page takes no credential. */
const CALLS = OBSERVED_ROWS.filter(({ auth }) => !auth.includes('none'));

const takesToken = ({ auth }: ObservedRow) =>
  auth.includes('bearer') || auth.includes('loginBearer');

describe('the observed calls of the mock platform', () => {
  it('have the observed methods, paths, credentials and routing', () => {
    const declared = new Map(ROWS.map(({ endpoint }) => [endpoint.id, endpoint]));
    // The form of the browser page is sent back to it.
    const pageForm = ROWS.find(
      ({ endpoint }) => endpoint.method === 'POST' && endpoint.id.endsWith('authorizeUrl'),
    );
    expect(ROWS.length - (pageForm === undefined ? 0 : 1)).toBe(OBSERVED_ROWS.length);
    for (const { id, method, path, auth, us } of OBSERVED_ROWS) {
      const credentials = auth.flatMap((name) => (name === 'none' ? [] : CREDENTIALS[name]));
      const found = ROWS.find(({ endpoint }) => endpoint.id === id && endpoint.method === method);
      expect(found?.endpoint, id).toMatchObject({ path, credentials, routing: us });
      expect(declared.has(id)).toBe(true);
    }
    expect(new Set(OBSERVED_IDS)).toEqual(new Set(OBSERVED_ROWS.map(({ id }) => id)));
    expect(Object.keys(SAMPLES).sort()).toEqual(OBSERVED_ROWS.map(({ id }) => id).sort());
  });

  it('share no method and path with the contract', () => {
    for (const { method, path } of ENDPOINTS) {
      const same = OBSERVED_ROWS.find((row) => row.method === method && row.path === path);
      expect(same, path).toBeUndefined();
    }
  });
});

describe.each(ACCESS_WAYS)('the observed calls through %s', (_, open) => {
  let access: PlatformAccess;
  let scene: Scene;
  beforeAll(async () => {
    access = await open({ observed: true });
    // msw logs an error for a request to an unknown endpoint.
    vi.spyOn(console, 'error').mockImplementation(() => {});
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await access.close();
  });
  beforeEach(async () => {
    access.platform.reset();
    scene = await prepareScene(access.platform);
  });

  function headersOf(row: ObservedRow): Record<string, string> {
    const { platform } = access;
    return {
      ...(row.auth.includes('clientKey') && { 'x-client-key': platform.credentials.clientKey }),
      ...(takesToken(row) && { authorization: `Bearer ${platform.accessTokenFor(scene.ada)}` }),
    };
  }

  async function requestOf(row: ObservedRow, headers = headersOf(row), method = row.method) {
    const { path = row.path, query, body } = (await SAMPLES[row.id]?.(scene)) ?? {};
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
    return new Request(`${access.platform.baseUrl}${path}${search}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && method !== 'GET' && { body: JSON.stringify(body) }),
    });
  }

  const send = async (row: ObservedRow, headers = headersOf(row)) =>
    access.send(await requestOf(row, headers));

  /** The newest request to a row: a sample may need other requests first. */
  const newest = () => access.platform.requests.last;

  describe.each(OBSERVED_ROWS)('$id', (row) => {
    it('succeed with a documented status, and are listed with it', async () => {
      const response = await send(row);
      const text = await response.text();
      expect(row.ok.length === 0 ? [200] : row.ok, text).toContain(response.status);
      expect(newest()).toMatchObject({ operation: row.id, method: row.method, status: 200 });
    });

    it.each([
      ...new Set([...row.errors, 500]),
    ])('respond with a planned status %i', async (status) => {
      access.platform.fail(row.id, { status, isUndocumented: true });
      const response = await send(row);
      expect(response.status).toBe(status);
      const body = await response.json();
      expect([typeof body.message, typeof body.error]).toContain('string');
      expect(JSON.stringify(body)).not.toContain('Planned failure');
      access.platform.assertFaultsUsed();
    });

    it('break the connection as planned', async () => {
      access.platform.drop(row.id, 'after-processing');
      await expect(send(row)).rejects.toThrow(TypeError);
      expect(newest()?.status).toBeUndefined();
    });
  });

  describe.each(CALLS)('$id', (row) => {
    if (row.auth.includes('clientKey')) {
      it('respond 499 without a key and 498 to a wrong one', async () => {
        const { 'x-client-key': _key, ...rest } = headersOf(row);
        expect((await send(row, rest)).status).toBe(499);
        expect((await send(row, { ...rest, 'x-client-key': 'other' })).status).toBe(498);
      });
    }

    it('respond 401 to an old token, although some need none', async () => {
      const headers = { ...headersOf(row), authorization: 'Bearer old' };
      expect((await send(row, headers)).status).toBe(401);
    });

    if (takesToken(row)) {
      it('respond 401 without a token, and after six hours', async () => {
        const { authorization, ...rest } = headersOf(row);
        expect((await send(row, rest)).status).toBe(401);
        access.platform.advance('6 hours');
        expect((await send(row, { ...rest, authorization: String(authorization) })).status).toBe(
          401,
        );
      });
    }

    if (row.auth.includes('bearer')) {
      it('respond 403 to a client without permission', async () => {
        scene.ada.isLinked = false;
        expect((await send(row)).status).toBe(403);
      });

      if (row.us === 'header') {
        it('respond 401 to the token of the other environment', async () => {
          const headers = { ...headersOf(row), 'x-us-env': 'true' };
          expect((await send(row, headers)).status).toBe(401);
        });
      }
    }

    it('are held, and wait for a planned latency', async () => {
      const request = await requestOf(row);
      const held = access.platform.hold(row.id);
      access.platform.setLatency(row.id, 1);
      const responding = access.send(request);
      await held.arrived;
      held.release();
      expect((await responding).status).toBe(200);
    });
  });
});

describe('a mock platform without the option', () => {
  it.each(OBSERVED_ROWS)('does not know $id', async ({ id, method, path }) => {
    const { createMockPlatform } = await import('../../src/testing/index.js');
    const mock = createMockPlatform({ onUnhandled: 404 });
    // The contract has `GET /v1/webhooks/{id}` there.
    const status = path === '/v1/webhooks/events' ? 401 : 404;
    expect((await mock.fetch(`${mock.baseUrl}${path}`, { method })).status).toBe(status);
    expect(() => mock.fail(id, 500)).toThrow(`"${id}" is not an endpoint id`);
    expect(() => mock.observed).toThrow('observed: true');
  });
});
