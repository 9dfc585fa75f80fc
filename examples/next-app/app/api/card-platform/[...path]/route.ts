import { createCardProxy } from 'card-platform-sdk/server';
import { platform, sessionOf } from '../../../../lib/server';

/** The proxy is created with the first request: a build has no keys. */
let proxy: ReturnType<typeof createCardProxy> | undefined;

async function handle(request: Request): Promise<Response> {
  proxy ??= createCardProxy({
    client: platform(),
    session: sessionOf,
    basePath: '/api/card-platform',
    onFailure: ({ operation, outcome, reason, error }) =>
      console.warn('card platform', operation, outcome, reason, error),
  });
  return proxy(request);
}

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
