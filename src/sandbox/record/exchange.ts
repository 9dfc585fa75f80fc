import type { Route } from '../../testing/routing.js';

/** Why nothing of a body is kept. */
export type RedactedKind = 'page' | 'not-json' | 'too-large' | 'unreadable';

/** A body: parsed if it is JSON or a form, otherwise the reason why it is not. */
export type Body =
  | { readonly kind: 'empty' | RedactedKind }
  | { readonly kind: 'json' | 'form'; readonly json: unknown };

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
  /** `undefined` where there is no such endpoint. */
  readonly route: Route | undefined;
};
