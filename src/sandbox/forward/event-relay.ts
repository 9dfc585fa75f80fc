import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { startServer, stopServer } from '../http-server.js';
import { BODY_LIMIT, readBody } from '../read-body.js';

/** Receives the events of a sandbox, and passes each of them on. */
export type EventRelay = { url: string; stop: () => Promise<void> };

const PASSED_HEADERS = ['content-type', 'x-timestamp', 'x-signature'];
const LONGEST_WAIT_MS = 30_000;

/** Id and type of an event, whichever spelling its envelope has. */
function factsOf(body: string): { id: string; type: string } {
  const { event_id, event_type, eventId = event_id, eventType = event_type } = JSON.parse(body);
  return { id: String(eventId), type: String(eventType) };
}

/**
 * Starts a server on 127.0.0.1 that passes events on to `to` unchanged, and logs a line for each. The
 * response goes back to the sandbox, which decides whether to send the event again.
 */
export async function startEventRelay(
  to: string,
  log: (line: string) => void,
): Promise<EventRelay> {
  // Only the sandbox learns this path.
  const path = `/${randomUUID()}`;
  const attempts = new Map<string, number>();

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST' || request.url !== path) {
      return void response.writeHead(404).end();
    }
    const body = (await readBody(request, BODY_LIMIT)) ?? '';
    const { id, type } = factsOf(body);
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    const line = `${type} ${id}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
    const headers = PASSED_HEADERS.map((name) => [name, String(request.headers[name] ?? '')]);
    try {
      const received = await fetch(to, {
        method: 'POST',
        body,
        headers: Object.fromEntries(headers),
        redirect: 'manual',
        signal: AbortSignal.timeout(LONGEST_WAIT_MS),
      });
      const text = await received.text();
      log(`${line}: ${received.status}`);
      response.writeHead(received.status).end(text);
    } catch {
      log(`${line}: no response`);
      response.destroy();
    }
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  const port = await startServer(server, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}${path}`, stop: () => stopServer(server) };
}
