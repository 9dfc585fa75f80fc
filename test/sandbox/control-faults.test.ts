import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.js';
import { runAction } from './run-action.js';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox(0, 'demo', () => Date.UTC(2026, 0, 1));
});
afterEach(() => sandbox.stop());

function clientOf(email: string): CardPlatformClient {
  const { url, platform } = sandbox;
  const accessToken = platform.accessTokenFor(platform.users.get(email));
  return new CardPlatformClient({ baseUrl: url, ...platform.credentials, accessToken });
}

const act = (name: string, input: unknown) => runAction(sandbox, name, input);

describe('a request that an action holds', () => {
  it('waits until it is released', async () => {
    const { body } = await act('hold', { endpoint: 'card.freeze' });
    const ada = clientOf('ada@example.com');
    let isDone = false;
    const call = ada.card.freeze().then(() => {
      isDone = true;
    });
    expect((await act('waitForHeld', body)).body).toEqual({ requests: 1 });
    expect(isDone).toBe(false);
    expect(sandbox.platform.users.get('ada@example.com').card?.status).toBe('ACTIVE');
    expect((await act('release', body)).status).toBe(200);
    await call;
    expect(sandbox.platform.users.get('ada@example.com').card?.status).toBe('FROZEN');
  });

  it('has changed the state when it is held after processing', async () => {
    const options = { moment: 'after-processing', user: 'ada@example.com' };
    const { body } = await act('hold', { endpoint: 'card.freeze', options });
    const call = clientOf('ada@example.com').card.freeze();
    await act('waitForHeld', body);
    expect(sandbox.platform.users.get('ada@example.com').card?.status).toBe('FROZEN');
    await act('release', body);
    await call;
  });

  it('is reported as missing after the time to wait', async () => {
    const { body } = await act('hold', { endpoint: 'card.freeze' });
    const { status, body: refusal } = await act('waitForHeld', { ...body, ms: 1 });
    expect(status).toBe(400);
    expect(refusal).toEqual({ error: 'no request was held within 1 ms' });
  });

  it('breaks off with a reset, which forgets the hold', async () => {
    const { body } = await act('hold', { endpoint: 'card.freeze' });
    const call = clientOf('ada@example.com').card.freeze({ retry: false });
    await act('waitForHeld', body);
    await Promise.all([
      expect(call).rejects.toMatchObject({ outcome: 'unknown' }),
      act('reset', {}),
    ]);
    expect((await act('release', body)).body['error']).toContain('no hold with this id');
  });
});

describe('the scope of a fault that an action plans', () => {
  it('is one user, named by e-mail address or by id', async () => {
    const { id } = sandbox.platform.users.get('alan@example.com');
    for (const user of ['alan@example.com', id]) {
      await act('fail', { endpoint: 'card.status', failure: 500, options: { user } });
      expect((await clientOf('ada@example.com').card.status()).status).toBe('ACTIVE');
      const failed = clientOf('alan@example.com').card.status({ retry: false });
      await expect(failed).rejects.toMatchObject({ status: 500 });
    }
  });

  it('is the nth request', async () => {
    await act('drop', { endpoint: 'card.status', moment: 'mid-body', options: { nth: 2 } });
    const ada = clientOf('ada@example.com');
    expect((await ada.card.status()).status).toBe('ACTIVE');
    await expect(ada.card.status({ retry: false })).rejects.toThrow();
    expect((await ada.card.status()).status).toBe('ACTIVE');
  });

  it('cuts off the body of a failure', async () => {
    const options = { isCutOff: true };
    await act('fail', { endpoint: 'card.freeze', failure: { success: false }, options });
    const lost = clientOf('ada@example.com').card.freeze({ retry: false });
    await expect(lost).rejects.toMatchObject({ name: 'BodyReadError', outcome: 'unknown' });
  });

  it('changes the state before a failure after processing', async () => {
    const options = { moment: 'after-processing' };
    await act('fail', { endpoint: 'card.freeze', failure: 504, options });
    const ada = clientOf('ada@example.com');
    await expect(ada.card.freeze({ retry: false })).rejects.toMatchObject({ status: 504 });
    expect((await ada.card.status()).status).toBe('FROZEN');
  });
});

describe('the action assertFaultsUsed', () => {
  it('names the faults and holds that no request used', async () => {
    await act('fail', { endpoint: 'card.freeze', failure: 503, options: { times: 2 } });
    await act('hold', { endpoint: 'card.status' });
    const { status, body } = await act('assertFaultsUsed', {});
    expect(status).toBe(400);
    expect(body['error']).toContain('fail card.freeze 503 (used 0 of 2 times)');
    expect(body['error']).toContain('hold card.status');
    await act('reset', {});
    expect((await act('assertFaultsUsed', {})).status).toBe(200);
  });
});

describe('the action setLatency', () => {
  it('delays one endpoint, and not the others', async () => {
    await act('setLatency', { endpoint: 'card.freeze', ms: 600_000 });
    const ada = clientOf('ada@example.com');
    expect((await ada.card.status()).status).toBe('ACTIVE');
    const slow = ada.card.freeze({ retry: false, timeout: 50 });
    await expect(slow).rejects.toMatchObject({ outcome: 'unknown' });
  });
});

describe('the action serve', () => {
  const path = '/v1/limits/{limitId}';
  const response = { status: 201, body: { daily: '100' }, headers: { 'x-served': 'yes' } };
  const get = () => fetch(`${sandbox.url}/v1/limits/5`);

  it('serves a fixed response at a path, until it ends', async () => {
    const { body } = await act('serve', { method: 'GET', path, response });
    expect(body).toEqual({ id: `GET ${path}` });
    const served = await get();
    expect(served.status).toBe(201);
    expect(served.headers.get('x-served')).toBe('yes');
    expect(await served.json()).toEqual({ daily: '100' });
    expect((await act('stopServing', body)).status).toBe(200);
    expect((await get()).status).toBe(501);
  });

  it('replaces the response of a route that is served already', async () => {
    const { body } = await act('serve', { method: 'GET', path, response });
    await act('serve', { method: 'GET', path, response: { body: 'text' } });
    expect(await (await get()).text()).toBe('text');
    await act('stopServing', body);
    expect((await get()).status).toBe(501);
  });

  it('replaces an endpoint, which still checks its credentials', async () => {
    const canned = { endpoint: 'card.status', response: { body: { id: 'c', status: 'FROZEN' } } };
    await act('serve', canned);
    expect((await clientOf('ada@example.com').card.status()).status).toBe('FROZEN');
    expect((await fetch(`${sandbox.url}/v1/card/status`)).status).toBe(499);
    await act('stopServing', { id: 'card.status' });
    expect((await clientOf('ada@example.com').card.status()).status).toBe('ACTIVE');
  });

  it('checks the credentials that it names', async () => {
    await act('serve', { method: 'GET', path, response, credentials: ['clientKey'] });
    expect((await get()).status).toBe(499);
  });

  it('makes a route that can fail', async () => {
    const { body } = await act('serve', { method: 'GET', path, response });
    await act('fail', { endpoint: body['id'], failure: 503 });
    expect((await get()).status).toBe(503);
    expect((await get()).status).toBe(201);
  });

  it('ends with a reset', async () => {
    const { body } = await act('serve', { method: 'GET', path, response });
    await act('reset', {});
    expect((await get()).status).toBe(501);
    expect((await act('stopServing', body)).body['error']).toContain('is served');
  });
});

describe('a fault or route that is not valid', () => {
  const response = { body: {} };
  it.each([
    ['fail', { endpoint: 'card.freeze', failure: 500, options: { user: 'nobody' } }, 'no user'],
    ['fail', { endpoint: 'card.freeze', failure: 500, options: { user: 5 } }, 'options.user must'],
    ['fail', { endpoint: 'card.freeze', failure: 500, options: { when: 'x' } }, 'options.when is'],
    ['fail', { endpoint: 'card.freeze', failure: 500, options: { moment: 'refused' } }, 'moment'],
    [
      'fail',
      { endpoint: 'card.freeze', failure: 500, options: { headers: { 'a b': '1' } } },
      'options.headers must be headers',
    ],
    [
      'fail',
      { endpoint: 'card.freeze', failure: 500, options: { isCutOff: 'yes' } },
      'options.isCutOff',
    ],
    ['drop', { endpoint: 'card.freeze', moment: 'later' }, 'moment must be one of'],
    ['drop', { endpoint: 'card.freeze', options: { nth: 0 } }, 'options.nth must be at least 1'],
    ['hold', { endpoint: 'card.freez' }, 'The nearest is "card.freeze"'],
    ['hold', { endpoint: 'card.freeze', options: { moment: 'mid-body' } }, 'moment must be one'],
    ['waitForHeld', { id: 'x' }, 'there is no hold with this id'],
    ['waitForHeld', { id: 'x', ms: 0 }, 'ms must be at least 1'],
    ['release', {}, 'id is missing'],
    ['setLatency', { endpoint: 'card.melt', ms: 1 }, 'card.melt'],
    ['assertFaultsUsed', { all: true }, 'all is not known here'],
    ['drop', { endpoint: 'card.freeze', momnet: 'refused' }, 'Did you mean moment?'],
    ['serve', { response }, 'pass endpoint, or method and path'],
    ['serve', { endpoint: 'card.status', path: '/x', response }, 'pass endpoint, or method and'],
    ['serve', { endpoint: 'card.melt', response }, 'endpoint must be one of'],
    ['serve', { method: 'GET', response }, 'path must be a path'],
    ['serve', { path: '/x', response }, 'method'],
    ['serve', { method: 'HEAD', path: '/x', response }, 'method must be one of'],
    ['serve', { method: 'GET', path: 'x', response }, 'path must be a path'],
    ['serve', { method: 'GET', path: '/x' }, 'response is missing'],
    ['serve', { method: 'GET', path: '/x', response: { status: 100 } }, 'status must be at least'],
    [
      'serve',
      { method: 'GET', path: '/x', response: { headers: { a: 'b\nc' } } },
      'response.headers must be headers',
    ],
    ['serve', { method: 'GET', path: '/x', response, credentials: ['key'] }, 'credentials[0] must'],
    ['stopServing', { id: 'GET /x' }, 'no route "GET /x" is served'],
  ])('is refused: %s with the input %j', async (name, input, message) => {
    const { status, body } = await act(name, input);
    expect(body['error']).toContain(message);
    expect(status).toBe(400);
    expect((await act('assertFaultsUsed', {})).status).toBe(200);
  });
});
