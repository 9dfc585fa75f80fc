import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NativeRequest } from './native-network.js';

/**
 * A server that responds as the first part of the path requests, and records what the app has sent.
 */
export type ScriptedServer = {
  url: string;
  /** Records a request as JavaScript passed it to the native side. */
  note: (request: NativeRequest) => void;
  stop: () => void;
};

const CARD = '{"status":"ACTIVE"}';
const MEBIBYTE = 1024 * 1024;

/** JSON of a card with a text of this many characters in it. */
const cardWith = (character: string, count: number) =>
  `{"status":"ACTIVE","note":"${character.repeat(count)}"}`;

type Behaviour = (response: ServerResponse, path: string, elsewhere: string) => void;

const redirect =
  (status: number, to: 'here' | 'elsewhere'): Behaviour =>
  (response, _, elsewhere) => {
    const location =
      to === 'here' ? '/json/redirected' : `${elsewhere}/json/redirected?token=secret`;
    response.writeHead(status, { location }).end();
  };

/** Sends a body with or without its length. */
const body =
  (status: number, text: string | Buffer, { declaresLength = false } = {}): Behaviour =>
  (response) => {
    response.statusCode = status;
    response.setHeader('content-type', 'application/json');
    if (declaresLength) response.setHeader('content-length', Buffer.byteLength(text));
    else response.flushHeaders();
    response.end(text);
  };

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  json: body(200, CARD),
  empty: (response) => response.end(),
  history: body(200, '[]'),
  'almost-too-large': body(200, cardWith('x', MEBIBYTE - 100)),
  'too-large': body(200, cardWith('x', MEBIBYTE)),
  'too-large-declared': body(200, cardWith('x', MEBIBYTE), { declaresLength: true }),
  // Fewer characters than the limit, but more bytes.
  'too-large-in-bytes': body(200, cardWith('é', MEBIBYTE * 0.75)),
  'too-large-error': body(403, cardWith('x', 70_000)),
  'not-json': body(200, '<html>'),
  'not-utf-8': body(200, Buffer.from(CARD.replace('ACTIVE', 'ACTIV\u00c9'), 'latin1')),
  'breaks-off': (response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write(CARD, () => response.socket?.destroy());
  },
  'redirect-here': redirect(302, 'here'),
  'redirect-elsewhere': redirect(302, 'elsewhere'),
  'redirect-post': redirect(307, 'elsewhere'),
  lost: (response) => response.socket?.destroy(),
  never: () => {},
  unavailable: body(503, '{"message":"later"}'),
};

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts the server, and another one that redirects lead to. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const sent: NativeRequest[] = [];
  const arrived: { url: string; authorization: string | undefined; isEnded: boolean }[] = [];
  let elsewhere = '';
  const handle: Parameters<typeof createServer>[1] = (request, response) => {
    const url = request.url ?? '';
    const [, behaviour = '', ...rest] = url.split('/');
    if (behaviour === 'record') {
      const key = rest.join('/');
      const mine = (one: { url: string }) => one.url.includes(key);
      response.end(JSON.stringify({ sent: sent.filter(mine), arrived: arrived.filter(mine) }));
      return;
    }
    const record = { url, authorization: request.headers.authorization, isEnded: false };
    arrived.push(record);
    response.on('close', () => {
      record.isEnded = true;
    });
    request.resume();
    const respond = BEHAVIOURS[behaviour];
    if (respond === undefined) response.writeHead(404).end();
    else respond(response, rest.join('/'), elsewhere);
  };
  const servers = [createServer(handle), createServer(handle)] as const;
  const [url, other] = await Promise.all([listen(servers[0]), listen(servers[1])]);
  elsewhere = other;
  return {
    url,
    note: (request) => {
      if (!request.url.includes('/record/')) sent.push(request);
    },
    stop: () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}
