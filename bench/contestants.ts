/**
 * One client library. Its module in `contestants/` makes of a server's address an authenticated `get`
 * and a `post`, both of JSON. Only processes of their own load it, so that `npm run types` needs none
 * of these libraries.
 */
export type Contestant = {
  name: string;
  /** File in `contestants/`, without its ending. */
  module: string;
  /** The package that it is, when it is not ours. */
  package?: string;
};

export const RAW_FETCH: Contestant = { name: 'raw fetch', module: 'raw-fetch' };
export const OURS: Contestant = { name: 'this client', module: 'ours' };
export const OURS_OVER_FETCH: Contestant = {
  name: 'this client over fetch',
  module: 'ours-over-fetch',
};
export const OURS_OVER_KY: Contestant = { name: 'this client over ky', module: 'ours-over-ky' };
/** The version of ky that the package is built with, alone. */
export const KY_1: Contestant = { name: 'ky 1.14', module: 'ky-1' };
export const WITHDRAWAL: Contestant = {
  name: 'this client, withdrawal',
  module: 'ours-withdrawal',
};

/** A payments SDK over `node:http`, as this client is on Node. */
export const STRIPE: Contestant = { name: 'stripe', module: 'stripe', package: 'stripe' };

/** Public libraries, SDKs of a service first. */
export const OTHERS: readonly Contestant[] = [
  { name: 'openai', module: 'openai', package: 'openai' },
  STRIPE,
  { name: 'lithic', module: 'lithic', package: 'lithic' },
  { name: 'resend', module: 'resend', package: 'resend' },
  { name: '@octokit/request', module: 'octokit', package: '@octokit/request' },
  { name: 'axios', module: 'axios', package: 'axios' },
  { name: 'ky 2.1', module: 'ky', package: 'ky' },
];

/** Where the module of a contestant is. */
export function moduleOf({ module }: Contestant): URL {
  return new URL(`./contestants/${module}.mjs`, import.meta.url);
}
