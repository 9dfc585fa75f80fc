import { describe, expect, it, onTestFinished } from 'vitest';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';
import { CardPlatformClient } from '../../../src/index.js';
import { observe } from '../../../src/observed/index.js';
import { startSandbox } from '../../../src/sandbox/server.js';
import { sampleCall } from '../../support/calls.js';
import { documentedReplay } from './documented-replay.js';
import { send, startRecording, startService } from './record-calls.js';

/** A service that responds to every request with the same JSON, and its recording. */
async function recordOne(
  [method, path]: readonly [method: string, path: string],
  {
    status = 200,
    type = 'application/json',
    body = '' as unknown,
    sent = '' as unknown,
    headers = [] as readonly string[],
  },
) {
  const service = await startService((_message, response) => {
    response.writeHead(status, type === '' ? {} : { 'content-type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const recorded = await startRecording(service.url);
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  await send(recorded.url, {
    method,
    path,
    headers: [...(text === '' ? [] : ['content-type', 'application/json']), ...headers],
    body: text,
  });
  return { ...recorded, report: await recorded.report() };
}

const USER = ['x-client-key', 'k', 'authorization', 'Bearer t'];
const STATUS = ['GET', '/v1/card/status'] as const;
const CARD = Object(sampleCall('card.status').response.body);

describe('the report of a recording', () => {
  it('is empty for a journey at the mock platform', async () => {
    const sandbox = await startSandbox(0, 'demo');
    onTestFinished(sandbox.stop);
    const { url, report } = await startRecording(sandbox.url);
    const { platform } = sandbox;
    const user = platform.users.get('ada@example.com');
    const client = new CardPlatformClient({
      baseUrl: url,
      ...platform.credentials,
      accessToken: platform.accessTokenFor(user),
    });
    await client.card.status();
    await client.card.freeze();
    await client.card.unfreeze();
    await client.card.transactions();
    await client.wallets.internal.list();
    await client.wallets.credit.get();
    await client.card.freeze();
    await client.card.freeze().safe();
    const found = await report();
    expect(found.differences).toEqual([]);
    expect(found.exchanges).toBe(8);
    expect(found.operations).toMatchObject({ 'card.freeze': 3, 'card.status': 1 });
    expect(found.undocumented['wallets.internal.list'] ?? []).not.toContain('hidden-name-1');
  });

  it.each([
    [
      'an unknown endpoint',
      ['GET', '/v1/rewards/points'],
      {},
      { kind: 'unknown-endpoint', operation: 'GET /v1/rewards/points' },
    ],
    [
      'an unknown field of a response',
      STATUS,
      { body: { ...CARD, rewardTier: 'x' } },
      { kind: 'unknown-field', path: 'status 200: rewardTier' },
    ],
    [
      'a missing field',
      STATUS,
      { body: { status: 'ACTIVE' } },
      { kind: 'missing-field', path: 'status 200: id' },
    ],
    [
      'a field of another type',
      STATUS,
      { body: { ...CARD, isFreezable: 'yes' } },
      { kind: 'other-type', path: 'status 200: isFreezable' },
    ],
    [
      'another type of the whole body',
      STATUS,
      { body: [] },
      { kind: 'other-type', path: 'status 200' },
    ],
    [
      'another status',
      STATUS,
      { status: 418, body: { message: 'x' } },
      { kind: 'other-status', path: 'status 418' },
    ],
    [
      'another success status',
      STATUS,
      { status: 202, body: CARD },
      { kind: 'other-status', path: 'status 202' },
    ],
    [
      'another media type',
      STATUS,
      { type: 'text/html', body: '<p>' },
      { kind: 'other-media-type', message: 'the contract has application/json, this is text/html' },
    ],
    ['no media type', STATUS, { type: '', body: CARD }, { kind: 'other-media-type' }],
    [
      'JSON that cannot be read',
      STATUS,
      { body: '{"a"' },
      { kind: 'other-media-type', message: 'the body is not readable JSON' },
    ],
    [
      'an empty body',
      STATUS,
      {},
      { kind: 'missing-field', message: 'the contract documents a body' },
    ],
    [
      'an unknown field of an error',
      STATUS,
      { status: 401, body: { message: 'Not authenticated', code: 'x' } },
      { kind: 'unknown-field', path: 'status 401: code' },
    ],
    [
      'an error without its message',
      STATUS,
      { status: 401, body: {} },
      { kind: 'missing-field', path: 'status 401: message' },
    ],
    [
      'a missing credential',
      STATUS,
      { body: CARD, headers: [] },
      { kind: 'missing-field', side: 'request', path: 'header authorization' },
    ],
    [
      'an unknown field of a request',
      ['POST', '/v1/card/order'],
      { sent: { type: 'VIRTUAL', color: 'x' } },
      { kind: 'unknown-field', side: 'request', path: 'color' },
    ],
    [
      'a field of a request in another spelling',
      ['POST', '/v1/wallet/internal/withdraw'],
      { sent: { recipientAddress: 'x' } },
      { kind: 'unknown-field', side: 'request', path: 'recipientAddress' },
    ],
    [
      'a missing field of a request',
      ['POST', '/v1/card/order'],
      { sent: {} },
      { kind: 'missing-field', side: 'request', path: 'type' },
    ],
    [
      'a field of a request of another type',
      ['POST', '/v1/card/order'],
      { sent: { type: 1 } },
      { side: 'request', path: 'type' },
    ],
    [
      'an unknown field of a query',
      ['GET', '/v1/card/status?region=us'],
      { body: CARD },
      { kind: 'unknown-field', side: 'request', path: 'query region' },
    ],
    [
      'a request that is not JSON',
      ['POST', '/v1/card/order'],
      { sent: 'type=VIRTUAL' },
      { kind: 'other-media-type', side: 'request' },
    ],
  ] as const)('names %s', async (_title, request, response, difference) => {
    const { report, log } = await recordOne(request, { headers: USER, ...response });
    expect(report.differences).toContainEqual(expect.objectContaining(difference));
    expect(log[0]).toMatch(/^0001 [A-Z]+ \/v1\/\S+ \d{3}, differs: \d+$/);
  });

  it.each(
    ENDPOINTS.map((endpoint) => [endpoint.id, endpoint] as const),
  )('names an unknown field and an unknown status of %s, unless the contract shows neither', async (_id, endpoint) => {
    const path = endpoint.path.replace(/\{\w+\}/g, '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e');
    const { report } = await recordOne([endpoint.method, path], {
      status: 418,
      body: { message: 'x', error: 'x', reward: 1 },
    });
    const kinds = report.differences.map(({ kind, path: at }) => `${kind} ${at}`);
    expect(kinds).toContain('unknown-field status 418: reward');
    expect(kinds.includes('other-status status 418')).toBe(endpoint.stability === 'contract');
  });

  it('counts a difference that occurs again, and names the fixture that shows it first', async () => {
    const service = await startService((_message, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...CARD, reward: 1 }));
    });
    const { url, report, files } = await startRecording(service.url);
    for (let count = 0; count < 3; count++) await send(url, { path: STATUS[1], headers: USER });
    expect((await report()).differences).toEqual([
      {
        kind: 'unknown-field',
        side: 'response',
        operation: 'card.status',
        path: 'status 200: reward',
        message: 'the contract has no such field',
        count: 3,
        first: '0001-card.status-200.json',
      },
    ]);
    expect((await files()).get('report.md')).toContain(
      '| `card.status` | response, `status 200: reward` | the contract has no such field | 3 |',
    );
  });

  it('reports a field of every item of a list once', async () => {
    const item = { id: 'w', currency: 'usdc', reward: 1 };
    const { report } = await recordOne(['GET', '/v1/wallet/internal'], {
      body: [item, item],
      headers: USER,
    });
    const unknown = report.differences.filter(({ kind }) => kind === 'unknown-field');
    expect(unknown.map(({ path }) => path)).toEqual(['status 200: *.reward']);
  });
});

describe('the report of a recording with the observed calls', () => {
  /** Records a registration's start, an OAuth grant and a read at the mock platform. */
  async function recordObserved(isObserved: boolean) {
    const sandbox = await startSandbox(0, 'demo', Date.now, { observed: true });
    onTestFinished(sandbox.stop);
    const recorded = await startRecording(sandbox.url, isObserved);
    const { platform } = sandbox;
    const user = platform.users.get('ada@example.com');
    const { refresh_token: refreshToken } = platform.observed.issueTokens(user);
    const client = new CardPlatformClient({
      baseUrl: recorded.url,
      ...platform.credentials,
      accessToken: platform.accessTokenFor(user),
    });
    const calls = observe(client);
    await calls.user.registration.sendEmailCode({ email: 'new@example.com' });
    const tokens = await calls.auth.oauth.refresh({ refreshToken });
    await calls.card.cashback();
    await calls.card.statement({ dateFrom: '2026-01-01', dateTo: '2026-01-31' });
    await client.card.status();
    return { ...recorded, report: await recorded.report(), tokens };
  }

  it('is empty for a journey at the mock platform, which its fixtures replay', async () => {
    const { report, fixtures, files, tokens } = await recordObserved(true);
    expect(report.differences).toEqual([]);
    expect(report.operations).toEqual({
      'user.registration.sendEmailCode': 1,
      'auth.oauth.refresh': 1,
      'card.cashback': 1,
      'card.statement': 1,
      'card.status': 1,
    });
    const written = [...(await files())].flat().join('\n');
    expect(written).not.toContain(tokens.access_token);
    expect(written).not.toContain(String(tokens.refresh_token));
    expect(written).not.toContain('new@example.com');
    const replay = await documentedReplay();
    const again = new CardPlatformClient({
      baseUrl: 'https://a.test',
      clientKey: 'k',
      accessToken: 't',
      fetch: replay(await fixtures()),
    });
    const { auth, card } = observe(again);
    const replayed = await auth.oauth.refresh({ refreshToken: 'any' });
    expect(replayed.expires_in).toBe(tokens.expires_in);
    expect(replayed.access_token).not.toBe(tokens.access_token);
    expect((await card.cashback()).ratePercent).not.toBe('');
  });

  it('has only unknown endpoints without the option', async () => {
    const { report } = await recordObserved(false);
    expect(report.operations).toEqual({ 'card.status': 1 });
    expect(report.differences.map(({ kind, operation }) => `${kind} ${operation}`)).toEqual([
      'unknown-endpoint POST /v1/auth/register/email/send',
      'unknown-endpoint POST /v1/auth/oauth/token',
      'unknown-endpoint GET /v1/card/cashback',
      'unknown-endpoint GET /v1/card/transactions/statement',
    ]);
  });
});

describe('the fixtures of a recording', () => {
  it('can be replayed: the client reads them like the responses of the service', async () => {
    const sandbox = await startSandbox(0, 'demo');
    onTestFinished(sandbox.stop);
    const { url, fixtures } = await startRecording(sandbox.url);
    const { platform } = sandbox;
    const user = platform.users.get('ada@example.com');
    const settings = { ...platform.credentials, accessToken: platform.accessTokenFor(user) };
    const journey = async (client: CardPlatformClient) => {
      const { status } = await client.card.status();
      const [wallet] = await client.wallets.internal.list();
      const { imageUrl } = await client.card.createDetailsToken();
      await client.card.freeze();
      const { error } = await client.card.freeze().safe();
      return { status, currency: wallet?.currency, isUrl: imageUrl !== '', code: error?.code };
    };
    const live = await journey(new CardPlatformClient({ baseUrl: url, ...settings }));
    const replay = await documentedReplay();
    const again = await journey(
      new CardPlatformClient({
        baseUrl: 'https://a.test',
        ...settings,
        fetch: replay(await fixtures()),
      }),
    );
    expect(again).toEqual(live);
    expect(live.code).toBe('card_already_frozen');
  });
});
