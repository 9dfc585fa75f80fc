import type { Endpoint } from '../../contract/endpoint.js';
import type { CallCredentials } from '../attempts/attempt-plan.js';
import { callHook } from '../response/call-hook.js';
import type { Credentials } from './credentials.js';
import type { TokenRequest, TokenSource } from './token-source.js';

/**
 * The credential headers of one call. A token that replaced a refused one stays with the call.
 *
 * @param tokens - of the call, or of the client
 * @param region - where the call goes
 */
export function callCredentials(
  credentials: Credentials,
  tokens: TokenSource | undefined,
  endpoint: Endpoint,
  region: TokenRequest['region'],
): CallCredentials {
  const source = credentials.of(endpoint).includes('accessToken') ? tokens : undefined;
  let token = source?.fixed;
  // A response may repeat a token that this call has replaced.
  const used = new Set<string>();

  const withToken = (value: string) => {
    token = value;
    used.add(value);
    return credentials.headersFor(endpoint, value);
  };

  if (token !== undefined) used.add(token);

  return {
    headers: () => {
      credentials.check(endpoint, tokens);
      return source === undefined || token !== undefined
        ? credentials.headersFor(endpoint, token)
        : source.get(endpoint.id, region).then(withToken);
    },
    renew: async (onInterrupt) => {
      if (source === undefined || token === undefined) return false;
      const renewed = await source.renew(token, endpoint.id, onInterrupt, region);
      if (renewed === undefined) return false;
      withToken(renewed);
      return true;
    },
    secrets: () => [...credentials.secrets(), ...used],
    renewedIsRejected: () => {
      const rejected = token;
      if (rejected !== undefined) callHook(() => source?.onRenewedTokenRejected?.(rejected));
    },
  };
}
