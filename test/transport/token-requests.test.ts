import { describe, expect, it, vi } from 'vitest';
import type {
  AccessTokenProvider,
  TokenRequest,
} from '../../src/transport/credentials/credentials.js';
import { clientFor, json, rejection } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';

/** A service that accepts only the given tokens, and a provider that renews to `new`. */
function serviceAccepting(...valid: string[]) {
  const requests: TokenRequest[] = [];
  const fetch = async (_url: string, init: RequestInit) =>
    valid.includes(new Headers(init.headers).get('authorization')?.slice(7) ?? '')
      ? json({ id: 'card-1', status: 'ACTIVE' })
      : json({ message: 'expired' }, 401);
  const accessToken: AccessTokenProvider = (request) => {
    requests.push(request);
    return request.reason === 'request' ? 'old' : 'new';
  };
  const onRenewedTokenRejected = vi.fn<(token: string) => unknown>();
  Object.assign(accessToken, { onRenewedTokenRejected });
  return { fetch, accessToken, requests, onRenewedTokenRejected };
}

describe('a token provider', () => {
  it('receives the region of the call, and the refused token with the reason rejected', async () => {
    const { fetch, accessToken, requests } = serviceAccepting('new');
    const client = clientFor(BASE_URL, { fetch, accessToken });
    await client.card.status({ region: 'us' });
    expect(requests).toEqual([
      { reason: 'request', region: 'us' },
      { reason: 'rejected', region: 'us', rejectedToken: 'old' },
    ]);
  });

  it('is called once when the service refuses the renewed token too', async () => {
    const { fetch, accessToken, onRenewedTokenRejected } = serviceAccepting();
    const client = clientFor(BASE_URL, { fetch, accessToken });
    expect(await rejection(client.card.status())).toMatchObject({ code: 'not_authenticated' });
    expect(onRenewedTokenRejected.mock.calls).toEqual([['new']]);
  });

  it('is not notified when the renewed token is accepted', async () => {
    const { fetch, accessToken, onRenewedTokenRejected } = serviceAccepting('new');
    await clientFor(BASE_URL, { fetch, accessToken }).card.status();
    expect(onRenewedTokenRejected).not.toHaveBeenCalled();
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('listener');
      },
    ],
    ['rejects', () => Promise.reject(new Error('listener'))],
    ['never settles', () => new Promise(() => {})],
  ])('changes no result with a listener that %s', async (_, listener) => {
    const { fetch, accessToken } = serviceAccepting();
    Object.assign(accessToken, { onRenewedTokenRejected: listener });
    const client = clientFor(BASE_URL, { fetch, accessToken });
    expect(await rejection(client.card.status())).toMatchObject({
      code: 'not_authenticated',
      outcome: 'rejected',
    });
  });

  it('needs no listener', async () => {
    const { fetch } = serviceAccepting();
    const accessToken = ({ reason }: TokenRequest) => (reason === 'request' ? 'old' : 'new');
    const client = clientFor(BASE_URL, { fetch, accessToken });
    expect(await rejection(client.card.status())).toMatchObject({ code: 'not_authenticated' });
  });
});
