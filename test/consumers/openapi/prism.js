import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';

// Prism logs with pino: only this part of it is used.
const logger = {
  child: () => logger,
  success() {},
  info() {},
  warn() {},
  error() {},
  debug() {},
  trace() {},
};

async function listen(document, config) {
  const operations = await getHttpOperationsFromSpec(document);
  const server = createServer(operations, {
    cors: false,
    components: { logger },
    config: { checkSecurity: true, validateRequest: true, validateResponse: true, ...config },
  });
  const url = await server.listen(0, '127.0.0.1');
  return { url, close: () => server.close() };
}

/** Starts a proxy that reports differences from the document in `sl-violations`. */
export function openProxy(document, upstream) {
  const config = { isProxy: true, upstream: new URL(upstream), mock: false, errors: false };
  return listen(document, config);
}

/** Starts a server that knows only the document, and responds with its examples. */
export function openMock(document) {
  return listen(document, { isProxy: false, mock: { dynamic: false }, errors: true });
}
