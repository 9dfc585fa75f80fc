import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { detailsOf, KEPT_FIELDS } from '../../src/journal/entry-details.js';
import { LOOKS } from '../../src/journal/looks.js';
import { rejection } from '../support/clients.js';
import { MapStore } from '../support/map-store.js';
import { clientOf, platformWithUser } from './support.js';

const NEVER = ENDPOINTS.filter(
  ({ retry, retryWhen }) => retry.class === 'never' || retryWhen?.use.class === 'never',
);
const SECRET = 'planted-secret';

/** An input whose every secret field holds the planted secret, and every other field its own name. */
function plantedInput({ secretInputs = [] }: Endpoint, names: readonly string[]) {
  const all = [...names, ...secretInputs, 'password', 'token', 'extraBody', 'url', 'metadata'];
  const isKept = (name: string) => names.includes(name) && !secretInputs.includes(name);
  return Object.fromEntries(all.map((name) => [name, isKept(name) ? name : SECRET]));
}

describe('the table of the journal', () => {
  it('has a row for every endpoint of class never, and no other', () => {
    const ids = NEVER.map(({ id }) => id).sort();
    expect(Object.keys(LOOKS).sort()).toEqual(ids);
    expect(Object.keys(KEPT_FIELDS).sort()).toEqual(ids);
  });

  for (const endpoint of NEVER) {
    it(`keeps no secret input of ${endpoint.id}`, () => {
      const names: readonly string[] = Reflect.get(KEPT_FIELDS, endpoint.id);
      const details = detailsOf(endpoint, plantedInput(endpoint, names), () => false);
      expect(JSON.stringify(details)).not.toContain(SECRET);
    });
  }
});

describe('the store of a journal after a login', () => {
  it('contains neither the credentials nor the token', async () => {
    const { mock } = platformWithUser();
    const ada = mock.users.add({ password: SECRET });
    const store = new MapStore();
    const client = clientOf(mock, ada, store);
    const session = await client.auth.login({ email: ada.email, password: SECRET });
    mock.drop('auth.login', 'after-processing');
    await rejection(client.auth.login({ email: ada.email, password: SECRET }));
    const kept = [...store].flat().join('\n');
    for (const secret of [SECRET, ada.email, session.accessToken, mock.credentials.clientKey]) {
      expect(kept).not.toContain(secret);
    }
    expect([...store.values()].every((value) => value.length < 2_000)).toBe(true);
    expect([...store.keys()].every((key) => /^[a-z0-9._-]+$/.test(key))).toBe(true);
  });
});
