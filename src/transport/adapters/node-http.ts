import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { type ExchangeFacts, isRedirect } from '../outcome/facts.js';
import { provesNoConnection } from '../outcome/network-error.js';
import {
  type HttpResponse,
  type ResponseHeaders,
  responseWith,
} from '../response/http-response.js';
import { type BodyReading, readingFor } from './body-limits.js';
import type { Exchange, HttpAdapter, HttpRequest } from './http-adapter.js';
import { readNodeBody } from './node-body.js';
import { beforeCancel, beforeConnection, watchConnection } from './node-connection.js';
import type { NodeModules } from './node-modules.js';

/** Idle connections are closed before most servers do it, so that none breaks when it is used. */
const IDLE_MS = 4_000;

function headersOf({ headers: parsed, rawHeaders }: IncomingMessage): ResponseHeaders {
  return {
    get: (name) => {
      const value = parsed[name.toLowerCase()];
      return value === undefined ? null : String(value);
    },
    // Created on demand: `Headers` loads half of Node's fetch.
    toHeaders: () => {
      const headers = new Headers();
      for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
        headers.append(String(rawHeaders[i]), String(rawHeaders[i + 1]));
      }
      return headers;
    },
  };
}

async function receive(
  message: IncomingMessage,
  facts: ExchangeFacts,
  modules: NodeModules,
  reading: BodyReading,
): Promise<HttpResponse> {
  const { statusCode: status = 0 } = message;
  facts.connection = 'established';
  facts.status = status;
  const headers = headersOf(message);
  if (!isRedirect(status)) {
    const { limit, asBytes } = readingFor(status, reading);
    return responseWith(status, headers, await readNodeBody(message, modules, limit, asBytes));
  }
  // Without a listener it reports no error, and nothing of a redirect is worth reading.
  message.destroy();
  return { status, headers, text: '' };
}

type Address = { protocol: string; hostname: string; port: string; path: string };

function addressOf(url: string): Address {
  const { protocol, hostname, port, pathname, search } = new URL(url);
  // An IPv6 address has brackets in a URL, and none for a socket.
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, path: pathname + search };
}

/**
 * The adapter over `node:http` and `node:https`: a third of the CPU of Node's `fetch`, and the only
 * one that sees connections. They are kept alive and shared by all clients. A request that must
 * arrive at most once gets a connection of its own: a pooled one may break when it is reused, and
 * then it is unknown whether the request arrived.
 *
 * @param ownAgent - the caller's `agent` option
 */
export function nodeHttpAdapter(modules: NodeModules, ownAgent?: Agent): HttpAdapter {
  const agents = new Map<string, Agent>();

  const pooled = (protocol: string): Agent => {
    const { http, https } = modules;
    const create = protocol === 'https:' ? https.Agent : http.Agent;
    const agent = agents.get(protocol) ?? new create({ keepAlive: true, timeout: IDLE_MS });
    agents.set(protocol, agent);
    return agent;
  };

  const start = (request: HttpRequest): Exchange => {
    const facts: ExchangeFacts = { connection: 'none', status: undefined };
    const { protocol, ...address } = addressOf(request.url);
    const { onlyOnce, body, headers } = request;
    if (onlyOnce) headers['connection'] = 'close';
    const bytes = body === undefined ? undefined : modules.buffer.Buffer.from(body);
    // Node adds no framing to the body of a DELETE.
    if (bytes !== undefined) headers['content-length'] = String(bytes.byteLength);
    const agent = ownAgent ?? (onlyOnce ? false : pooled(protocol));
    const options: RequestOptions = {
      ...address,
      protocol,
      method: request.method,
      headers,
      agent,
    };
    let sent: ClientRequest | undefined;
    const response = new Promise<HttpResponse>((resolve, reject) => {
      const send = () => {
        // Looked up with each request, so that an instrumentation or a mock which patches it is used.
        const { request: open } = protocol === 'https:' ? modules.https : modules.http;
        const current = open(options);
        sent = current;
        beforeConnection(current, facts, modules);
        current.on('response', (message) => {
          receive(message, facts, modules, request).then(resolve, reject);
        });
        current.on('error', (error) => {
          if (sent !== current) return;
          if (facts.connection === 'unproven' && provesNoConnection(error))
            facts.connection = 'none';
          reject(error);
        });
        current.on('socket', (socket) => {
          // Only the caller's own agent hands out a used connection here. Nothing has been written to it
          // yet: it is abandoned, and the request is opened again until its connection is new.
          if (onlyOnce && current.reusedSocket) {
            send();
            current.destroy();
          } else watchConnection(socket, facts, modules);
        });
        current.end(bytes);
      };
      send();
    });
    const cancel = () => {
      if (sent !== undefined) beforeCancel(sent, facts);
      sent?.destroy(new Error('cancelled'));
    };
    return { facts, response, cancel };
  };
  return { isForeign: false, start };
}
