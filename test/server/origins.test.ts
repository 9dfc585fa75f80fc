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

it('a write from another port says that no option allows it', async () => {
  const headers = { 'sec-fetch-site': 'same-site', origin: DEVELOPMENT_SERVER };
  const { message, failure } = await refused(headers, [DEVELOPMENT_SERVER]);
  expect(failure?.reason).toBe('cross_site');
  expect(message).toContain('comes from http://localhost:5173');
  expect(message).toContain('No option allows other sites');
});

it('a write of a script names the option allowMissingOrigin', async () => {
  const { message, failure } = await refused({});
  expect(failure?.reason).toBe('origin_missing');
  expect(message).toContain('option allowMissingOrigin');
});

it('a malformed origin is not repeated', async () => {
  const { message } = await refused({ origin: 'http://evil.example/<script>' });
  expect(message).toContain('comes from another origin');
  expect(message).not.toContain('script');
});
