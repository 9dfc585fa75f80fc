import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Nothing is allowed but what a page with its scripts needs; above all, no text may become code. */
const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src http://127.0.0.1:*";

/** What is added to the manifest of an extension that runs the program. */
export const EXTENSION_MANIFEST = {
  host_permissions: ['http://127.0.0.1/*'],
  content_security_policy: { extension_pages: STRICT_POLICY },
};

/** The path under which every place loads the program. */
export const PROGRAM_FILE = '/program.js';

/** The script of each page. All of them end with the program in a place of its own. */
const STARTERS = {
  page: `import '${PROGRAM_FILE}';`,
  worker: `new Worker('${PROGRAM_FILE}', { type: 'module' });`,
  'service-worker': `navigator.serviceWorker.register('${PROGRAM_FILE}', { type: 'module' });`,
};

/** Where a program runs in a browser. */
export type Place = keyof typeof STARTERS;

type ServedFile = { type: string; body: string };

/** A server of pages that run a program, on another origin than any service. */
export type ProgramServer<Result = unknown> = {
  url: string;
  /** The files by their path. `/page`, `/worker` and `/service-worker` are there already. */
  files: Map<string, ServedFile>;
  /** Resolves with what the program next sends to `/results`. */
  nextResult(): Promise<Result>;
  stop(): void;
};

/**
 * Serves a program on this machine, under a strict Content Security Policy.
 *
 * @param onRequest - is called first; answers in place of the files if it returns one
 */
export async function serveProgram<Result>(
  onRequest: (request: IncomingMessage) => Promise<ServedFile | undefined> | undefined = () =>
    undefined,
): Promise<ProgramServer<Result>> {
  const files = new Map<string, ServedFile>();
  const results = new EventEmitter();
  const sent: Result[] = [];
  const respond = async (request: IncomingMessage): Promise<ServedFile> => {
    const path = request.url ?? '';
    if (path === '/results') {
      sent.push(JSON.parse(await text(request)));
      results.emit('result');
    }
    return (await onRequest(request)) ?? files.get(path) ?? { type: 'text/plain', body: '' };
  };
  const server = createServer(async (request, response) => {
    const { type, body } = await respond(request);
    response.setHeader('content-type', type);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-security-policy', STRICT_POLICY);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [place, script] of Object.entries(STARTERS)) {
    const body = `<!doctype html><title>program</title><script type="module" src="/${place}.js"></script>`;
    files.set(`/${place}`, { type: 'text/html', body });
    files.set(`/${place}.js`, { type: 'text/javascript', body: script });
  }
  return {
    url,
    files,
    nextResult: async () => {
      if (sent.length === 0) await once(results, 'result');
      return sent.shift() as Result;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
