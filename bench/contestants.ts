/**
 * A client library. Its module in `contestants/` exports `connect`, which returns an authenticated
 * JSON `get` and `post` for the address of a server. Only separate processes load it, so that `npm
 * run types` needs none of these libraries.
 */
export type Contestant = {
  name: string;
  /** The file in `contestants/` without its extension. */
  module: string;
  /** The name of the package, unless it is ours. */
  package?: string;
};

export const RAW_FETCH: Contestant = { name: 'raw fetch', module: 'raw-fetch' };
export const OURS: Contestant = { name: 'this client', module: 'ours' };
export const OURS_OVER_FETCH: Contestant = {
  name: 'this client over fetch',
  module: 'ours-over-fetch',
};
export const OURS_OVER_KY: Contestant = { name: 'this client over ky', module: 'ours-over-ky' };
export const OURS_OF_ENDPOINTS: Contestant = {
  name: 'this client, /endpoints',
  module: 'ours-endpoints',
};
/** ky alone, in the version with which the package is built. */
export const KY_1: Contestant = { name: 'ky 1.14', module: 'ky-1' };
export const WITHDRAWAL: Contestant = {
  name: 'this client, withdrawal',
  module: 'ours-withdrawal',
};

/** A payments SDK that uses `node:http`, as this client does on Node. */
export const STRIPE: Contestant = { name: 'stripe', module: 'stripe', package: 'stripe' };

export const OPENAI: Contestant = { name: 'openai', module: 'openai', package: 'openai' };

/** Public libraries, with SDKs of a service first. */
export const OTHERS: readonly Contestant[] = [
  OPENAI,
  STRIPE,
  { name: 'lithic', module: 'lithic', package: 'lithic' },
  { name: 'resend', module: 'resend', package: 'resend' },
  { name: '@octokit/request', module: 'octokit', package: '@octokit/request' },
  { name: 'axios', module: 'axios', package: 'axios' },
  { name: 'ky 2.1', module: 'ky', package: 'ky' },
];

/** Returns the address of a contestant's module. */
export function moduleOf({ module }: Contestant): URL {
  return new URL(`./contestants/${module}.mjs`, import.meta.url);
}
