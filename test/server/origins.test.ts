import { describe, expect, it } from 'vitest';
import { json } from '../support/clients.js';
import { BASE_PATH, scriptedProxy } from './support.js';

const DEVELOPMENT_SERVER = 'http://localhost:5173';
const BEHIND = 'http://localhost:3000';

/** A freeze of the card, as a development server passes it on. */
function freeze(headers: Record<string, string>, url = BEHIND) {
  return new Request(`${url}${BASE_PATH}/v1/card/freeze`, { method: 'POST', headers });
}

async function refused(headers: Record<string, string>, origins?: readonly string[]) {
  const { proxy, failures, requests } = scriptedProxy([], { origins });
  const response = await proxy(freeze(headers));
  expect(response.status).toBe(403);
  expect(requests).toEqual([]);
  const [failure] = failures;
  const { message } = (await response.json()) as { message: string };
  expect(failure?.error).toBeInstanceOf(Error);
  expect(failure?.error).toMatchObject({ message });
  return { message, failure };
}

describe('a write behind a development server', () => {
  const samePage = { 'sec-fetch-site': 'same-origin', origin: DEVELOPMENT_SERVER };

  it('that replaces the host says which origins were expected and came, and the option', async () => {
    const { message, failure } = await refused({ ...samePage, host: 'localhost:3000' });
    expect(failure?.reason).toBe('cross_site');
    expect(message).toContain('comes from http://localhost:5173');
    expect(message).toContain('expects http://localhost:3000.');
    expect(message).toContain('option origins of createCardProxy');
  });

  it('says which origins the option allows', async () => {
    const { message } = await refused(samePage, ['http://localhost:5174', 'https://app.example']);
    expect(message).toContain('expects http://localhost:5174 or https://app.example.');
  });

  it('works with the origin in the option, and where the host is kept', async () => {
    const listed = scriptedProxy([json({ success: true })], { origins: [DEVELOPMENT_SERVER] });
    expect((await listed.proxy(freeze(samePage))).status).toBe(200);
    const kept = scriptedProxy([json({ success: true })]);
    expect((await kept.proxy(freeze({ ...samePage, host: 'localhost:5173' }))).status).toBe(200);
    expect([...listed.failures, ...kept.failures]).toEqual([]);
  });
});

it('a list of origins that the caller changes later allows what it did at first', async () => {
  const origins = [DEVELOPMENT_SERVER];
  const { proxy, failures } = scriptedProxy([json({ success: true })], { origins });
  origins[0] = 'https://other.example';
  const comingFrom = (origin: string) =>
    proxy(freeze({ 'sec-fetch-site': 'same-origin', origin })).then(({ status }) => status);
  expect(await comingFrom('https://other.example')).toBe(403);
  expect(await comingFrom(DEVELOPMENT_SERVER)).toBe(200);
  expect(failures.map(({ reason }) => reason)).toEqual(['cross_site']);
});

it('a write from another port says that no option allows it', async () => {
  const headers = { 'sec-fetch-site': 'same-site', origin: DEVELOPMENT_SERVER };
  const { message, failure } = await refused(headers, [DEVELOPMENT_SERVER]);
  expect(failure?.reason).toBe('cross_site');
  expect(message).toContain('comes from http://localhost:5173');
  // The origin that the page would have to have, not the one that the option lists.
  expect(message).toContain('is on another origin (expected: http://localhost:3000)');
  expect(message).toContain('No option allows other sites');
});

it('a write of a script names the option allowMissingOrigin', async () => {
  const { message, failure } = await refused({});
  expect(failure?.reason).toBe('origin_missing');
  expect(message).toContain('option allowMissingOrigin');
});

it.each([
  'http://evil.example/<script>',
  'script:http://evil.example',
  'null',
])('a malformed origin is not repeated: %s', async (origin) => {
  const { message } = await refused({ origin });
  expect(message).toContain('comes from another origin');
  expect(message).not.toContain('script');
});

describe('a read', () => {
  const read = (headers: Record<string, string>) => {
    const scene = scriptedProxy([json({ status: 'ACTIVE' })]);
    return scene.proxy(new Request(`${BEHIND}${BASE_PATH}/v1/card/status`, { headers }));
  };

  it.each([
    [{}],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ 'sec-fetch-site': 'none' }],
    [{ 'sec-fetch-site': 'same-origin', origin: BEHIND }],
  ])('with the headers %j is forwarded', async (headers) => {
    expect((await read(headers as Record<string, string>)).status).toBe(200);
  });

  it.each([
    [{ 'sec-fetch-site': 'same-site' }, 'comes from another site'],
    [{ 'sec-fetch-site': 'cross-site' }, 'comes from another site'],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 'https://evil.example'],
    [{ 'sec-fetch-site': 'none', origin: 'https://evil.example' }, 'https://evil.example'],
    [{ origin: 'https://evil.example' }, 'https://evil.example'],
  ])('with the headers %j is refused', async (headers, from) => {
    const response = await read(headers as Record<string, string>);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain(from);
  });
});

describe('a write of a browser extension', () => {
  const ID = 'abcdefghijklmnopabcdefghijklmnop';
  const origin = `chrome-extension://${ID}`;
  /** As Chromium sends it to a host for which the extension has permission. */
  const permitted = { 'sec-fetch-site': 'none', origin };

  it('works when the option origins lists it, and has the response of a page', async () => {
    const origins = ['https://app.example', origin];
    const listed = scriptedProxy([json({ success: true })], { origins });
    const response = await listed.proxy(freeze(permitted));
    expect([response.status, await response.json()]).toEqual([200, { success: true }]);
    expect(listed.failures).toEqual([]);
  });

  it.each([
    [permitted, undefined],
    [permitted, ['https://app.example', 'chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba']],
    [{ ...permitted, 'sec-fetch-site': 'cross-site' }, undefined],
  ])('says which option lists it: %j, %j', async (headers, origins) => {
    const { message, failure } = await refused(headers, origins);
    expect(failure?.reason).toBe('cross_site');
    expect(message).toContain(`browser extension ${origin}.`);
    expect(message).toContain('option origins of createCardProxy');
  });

  it.each([
    'cross-site',
    'same-site',
    'same-origin',
  ])('asks for permission where the browser says %s', async (site) => {
    const { message } = await refused({ origin, 'sec-fetch-site': site }, [origin]);
    expect(message).toContain(`${origin} has no permission for this host`);
    expect(message).toContain('host_permissions');
  });

  it('of a page is refused while only an extension is listed', async () => {
    const page = { 'sec-fetch-site': 'same-origin', origin: BEHIND };
    const { message } = await refused(page, [origin]);
    expect(message).toContain(`expects ${origin}.`);
  });

  it('without an origin is refused: `none` alone shows no extension', async () => {
    const { message } = await refused({ 'sec-fetch-site': 'none' }, [origin]);
    expect(message).toContain('No option allows other sites');
  });

  it.each([
    `${origin}/`,
    `${origin}/popup.html`,
    'chrome-extension://*',
    'chrome-extension://abcdefghijklmnop',
    `chrome-extension://${ID.toUpperCase()}`,
    `moz-extension://${ID}`,
    `x${origin}`,
  ])('cannot be listed as %s', (listed) => {
    expect(() => scriptedProxy([], { origins: [listed] })).toThrow(/origins must be an array/);
  });
});
