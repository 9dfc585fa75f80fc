import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/errors/index.js';
import { clientFor } from '../support/clients.js';
import { codeOf, setUp } from '../testing/set-up.js';
import { refusedIssues, sentRequest } from './refusals.js';

const OPERATION = 'card.createSetPinToken';
const additions = { redirectSchemes: ['myapp', 'com.example.App'] };

const SECURE = [
  'https://app.example.com/done?x=1#y',
  'http://localhost:3000/',
  'http://127.0.0.1/x',
  'http://[::1]:8080/',
];
const REFUSED = [
  'http://app.example.com/',
  'https://ada:secret@app.example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  'intent://x',
  'mailto:ada@example.com',
  'otherapp://done',
  'myapp-evil://done',
  'file:///etc/passwd',
  'ws://localhost/',
  '//app.example.com',
  'done',
  'myapp://do ne',
  'myapp://done\n',
];
const APP_LINKS = ['myapp://done', 'MyApp://done?x=1', 'myapp:done', 'com.example.app://x'];

describe('redirectUrl', () => {
  it.each(SECURE)('may be %s', async (redirectUrl) => {
    expect((await sentRequest(OPERATION, { redirectUrl })).body).toEqual({ redirectUrl });
  });

  it.each(REFUSED)('must not be %j, whatever schemes are added', async (redirectUrl) => {
    for (const options of [{}, { additions }]) {
      expect(await refusedIssues(OPERATION, { redirectUrl }, options)).toMatchObject([
        { path: 'redirectUrl' },
      ]);
    }
  });

  it.each(APP_LINKS)('may be %s only when its scheme is added', async (redirectUrl) => {
    expect(await refusedIssues(OPERATION, { redirectUrl })).toEqual([
      { path: 'redirectUrl', message: expect.stringContaining('additions.redirectSchemes') },
    ]);
    const { body } = await sentRequest(OPERATION, { redirectUrl }, { additions });
    expect(body).toEqual({ redirectUrl });
  });
});

describe('additions.redirectSchemes', () => {
  const refused = [
    'javascript',
    'JavaScript',
    'data',
    'vbscript',
    'http',
    'https',
    'file',
    'blob',
    'about',
    'filesystem',
    'view-source',
    'ws',
    '',
    ' myapp',
    'myapp:',
    'myapp://',
    'my app',
    '1app',
    'a'.repeat(65),
    'myapp\n',
    'ｍyapp',
  ];

  it.each(refused)('must not contain %j', (scheme) => {
    const create = () =>
      clientFor('https://api.example.com', { additions: { redirectSchemes: ['myapp', scheme] } });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(
      expect.objectContaining({ option: 'additions.redirectSchemes', outcome: 'not_sent' }),
    );
  });

  it('may contain a scheme of 64 letters', () => {
    const redirectSchemes = ['a'.repeat(64)];
    expect(() =>
      clientFor('https://api.example.com', { additions: { redirectSchemes } }),
    ).not.toThrow();
  });

  it.each([5, 'myapp', {}, [5], [null]])('must be a list of texts, not %j', (redirectSchemes) => {
    expect(() =>
      clientFor('https://api.example.com', {
        additions: { redirectSchemes: redirectSchemes as string[] },
      }),
    ).toThrow(expect.objectContaining({ option: 'additions.redirectSchemes' }));
  });
});

describe('the mock platform', () => {
  it('redirects to an app, because the contract takes any URL', async () => {
    const { mock, ada } = setUp({ card: 'ACTIVE' }, { additions: ['myapp'] });
    const client = clientFor(mock.baseUrl, {
      fetch: mock.fetch,
      ...mock.credentials,
      accessToken: mock.accessTokenFor(ada),
      additions,
    });
    const call = client.card.createSetPinToken({ redirectUrl: 'myapp://done' });
    const { hostedPageUrl } = await call;
    const form = new URLSearchParams({ action: 'set', pin: '1234' });
    const response = await mock.fetch(hostedPageUrl, { method: 'POST', body: form.toString() });
    expect(response.headers.get('location')).toBe('myapp://done');
  });

  it('refuses a URL that runs code', async () => {
    const { client } = setUp({ card: 'ACTIVE' });
    const body = { redirectUrl: 'javascript:alert(1)' };
    expect(await codeOf(client.request('POST', '/v1/card/set-pin/token', { body }))).toBe(
      'validation_failed',
    );
  });
});
