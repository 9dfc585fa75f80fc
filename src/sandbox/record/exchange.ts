import type { Endpoint } from '../../contract/endpoint.js';
import { findRoute } from '../../testing/routing.js';

/** A body: parsed if it is JSON, otherwise the reason why it is not. */
export type Body =
  | { readonly kind: 'empty' | 'not-json' | 'too-large' | 'unreadable' }
  | { readonly kind: 'json'; readonly json: unknown };

/** Headers in lower case. The values of a repeated header are one text. */
export type Headers = Readonly<Record<string, string>>;

/** A call of the app and the response of the service. Contains secrets: never print or store it. */
export type Exchange = {
  readonly method: string;
  /** Without the path of the service's base URL. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly request: { readonly headers: Headers; readonly body: Body };
  readonly response: { readonly status: number; readonly headers: Headers; readonly body: Body };
  /** `undefined` where the contract has no such endpoint. */
  readonly route: { endpoint: Endpoint; params: Readonly<Record<string, string>> } | undefined;
};

/** Finds the endpoint of a path. A path that cannot be decoded has none. */
export function routeOf(method: string, path: string): Exchange['route'] {
  try {
    return findRoute(method, path);
  } catch {
    return undefined;
  }
}

/** Decodes a part of a URL, or returns it as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Reads a query, with every field as often as it occurs. */
export function pairsOf(search: string): Exchange['query'] {
  const pairs = search.replace(/^\?/, '').split('&').filter(Boolean);
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [decoded(name), decoded(value.join('='))] as const;
  });
}
