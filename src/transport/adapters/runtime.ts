type Globals = {
  process?: { versions?: { node?: string; bun?: string } };
  Deno?: unknown;
  document?: unknown;
  importScripts?: unknown;
  navigator?: { userAgent?: string };
};

/** Whether this is Node itself: not Bun, Deno, a Worker or a browser. */
export function isNode(globals: Globals = globalThis as Globals): boolean {
  const versions = globals.process?.versions;
  return (
    typeof versions?.node === 'string' && versions.bun === undefined && globals.Deno === undefined
  );
}

/** Whether code here can be read by the user of a page: a window, or a browser's worker. */
export function isBrowser(globals: Globals = globalThis as Globals): boolean {
  if (isNode(globals) || globals.Deno !== undefined) return false;
  // Cloudflare Workers keep their code on the server, and say who they are.
  if (globals.navigator?.userAgent === 'Cloudflare-Workers') return false;
  return globals.document !== undefined || typeof globals.importScripts === 'function';
}
