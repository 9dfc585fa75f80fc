type Globals = {
  process?: { versions?: { node?: string; bun?: string } };
  Deno?: unknown;
  document?: unknown;
  importScripts?: unknown;
  navigator?: { userAgent?: string; product?: string };
};

/** Whether this is an app of React Native, or a test that presents itself as one. */
export function isReactNative(globals: Globals = globalThis as Globals): boolean {
  return globals.navigator?.product === 'ReactNative';
}

/** Whether this is Node itself: not Bun, Deno, a Worker or a browser. */
export function isNode(globals: Globals = globalThis as Globals): boolean {
  const versions = globals.process?.versions;
  return (
    typeof versions?.node === 'string' &&
    versions.bun === undefined &&
    globals.Deno === undefined &&
    !isReactNative(globals)
  );
}

/** Whether code here can be read by the user of a page: a window, or a browser's worker. */
export function isBrowser(globals: Globals = globalThis as Globals): boolean {
  if (isNode(globals) || globals.Deno !== undefined || isReactNative(globals)) return false;
  // Cloudflare Workers keep their code on the server, and say who they are.
  if (globals.navigator?.userAgent === 'Cloudflare-Workers') return false;
  return globals.document !== undefined || typeof globals.importScripts === 'function';
}

/** Where a client runs: it decides who can read its code, and what its `fetch` does by itself. */
export type Host = 'server' | 'browser' | 'react-native';

/** Where this code runs. */
export function hostOf(globals: Globals = globalThis as Globals): Host {
  if (isReactNative(globals)) return 'react-native';
  return isBrowser(globals) ? 'browser' : 'server';
}
