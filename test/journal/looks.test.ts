import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { RECORDED_ENDPOINTS } from '../../src/contract/recorded-endpoints.js';
import { detailsOf } from '../../src/journal/entry-details.js';
import { rejection } from '../support/clients.js';
import { CONTRACT_ROWS } from '../support/contract-rows.js';
import { MapStore } from '../support/map-store.js';
import { clientOf, platformWithUser } from './support.js';

const SECRET = 'planted-secret';

/** An input whose every secret field holds the planted secret, and every other field its own name. */
function plantedInput({ secretInputs = [] }: Endpoint, names: readonly string[]) {
  const all = [...names, ...secretInputs, 'password', 'token', 'extraBody', 'url', 'metadata'];
  const isKept = (name: string) => names.includes(name) && !secretInputs.includes(name);
  return Object.fromEntries(all.map((name) => [name, isKept(name) ? name : SECRET]));
}

describe('the declarations that the journal reads', () => {
  it('are those of every endpoint of class never except logins and their codes, and of the faucet', () => {
    const never = CONTRACT_ROWS.filter(
      ({ retryClass, id }) => retryClass === 'never' && !id.startsWith('auth.'),
    );
    expect(RECORDED_ENDPOINTS.map(({ id }) => id).sort()).toEqual(
      [...never.map(({ id }) => id), 'delegation.getToken'].sort(),
    );
  });

  for (const endpoint of RECORDED_ENDPOINTS) {
    it(`keep no secret input of ${endpoint.id}`, () => {
      const names = endpoint.reconcile?.details ?? [];
      const details = detailsOf(endpoint, plantedInput(endpoint, names), () => false);
      expect(JSON.stringify(details)).not.toContain(SECRET);
    });

    it(`keep no address of a person, URL or e-mail of ${endpoint.id}`, () => {
      expect(endpoint.reconcile?.details).not.toEqual(
        expect.arrayContaining([
          expect.stringMatching(/recipient|url|email|phone|street|metadata/i),
        ]),
      );
    });
  }
});

describe('the details of an entry', () => {
  const detailsFor = (id: string, input: object, hasSecret = (_text: string) => false) => {
    const endpoint = ENDPOINTS.find((one) => one.id === id);
    if (endpoint === undefined) throw new Error(`no endpoint ${id}`);
    return detailsOf(endpoint, { ...input }, hasSecret);
  };
  const wallet = { network: 'linea', currency: 'usdc' };

  it('hold the declared fields of each item of a list, and no others', () => {
    const wallets = [wallet, { network: 'solana', currency: 'usdt', note: SECRET }];
    expect(detailsFor('wallets.internal.create', { wallets })).toEqual({
      wallets: 'linea:usdc,solana:usdt',
    });
    // What is not a list of objects may hold anything.
    for (const other of ['linea:usdc', [SECRET], wallet, undefined]) {
      expect(detailsFor('wallets.internal.create', { wallets: other })).toEqual({});
    }
  });

  it('hold an absent field as an empty text', () => {
    const input = {
      amount: '1',
      currency: 'usdc',
      sourceAddress: '0xab',
      recipientAddress: '0xcd',
    };
    expect(detailsFor('wallets.internal.withdraw', input)).toEqual({
      amount: '1',
      currency: 'usdc',
      sourceAddress: '0xab',
      sourceMemo: '',
    });
  });

  it('hold no text that contains a secret of the call', () => {
    const hasSecret = (text: string) => text === '10';
    expect(detailsFor('wallets.credit.withdraw', { amount: '10' }, hasSecret)).toEqual({});
    expect(detailsFor('wallets.credit.withdraw', { amount: '11' }, hasSecret)).toEqual({
      amount: '11',
    });
  });
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
