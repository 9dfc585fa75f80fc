import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { RequestReader } from './request-reader.js';

/** The three layers of an established TLS connection on which a fault can act. */
export type TlsLayers = {
  /** The TCP connection. Bytes written to it are not encrypted. */
  tcp: Socket;
  /** The encrypted connection. */
  tls: TLSSocket;
  /** Passes bytes to the server's TLS as if the client had sent them. */
  feed: (bytes: Buffer) => void;
};

export type TlsFault = (layers: TlsLayers, request: string) => void;

/** A TLS record of application data that cannot be decrypted. */
const BROKEN_RECORD = Buffer.concat([Buffer.from([23, 3, 3, 0, 64]), Buffer.alloc(64, 1)]);

/** Leaves enough time to send the alert before the connection closes. */
const ALERT_MS = 20;

/** The behaviour of the server after it has received a whole request over TLS. */
export const TLS_FAULTS = {
  /** The server's own TLS rejects a broken record, sends a fatal alert and closes. */
  alert: ({ feed, tcp }) => {
    feed(BROKEN_RECORD);
    setTimeout(() => tcp.end(), ALERT_MS);
  },
  /** Unencrypted bytes arrive in the middle of the encrypted connection. */
  'plain bytes': ({ tcp }) => tcp.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'),
} as const satisfies Record<string, TlsFault>;

/** A TLS server that reads whole requests and then breaks the connection. */
export class TlsFaultServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(identity: { key: string; cert: string }, fault: TlsFault) {
    this.#server = createServer({ noDelay: true }, (tcp) => {
      this.#sockets.add(tcp);
      tcp.on('close', () => this.#sockets.delete(tcp));
      const [inner, outer] = duplexPair();
      const tls = new TLSSocket(inner, { isServer: true, ...identity });
      for (const stream of [tcp, inner, outer, tls]) stream.on('error', () => {});
      outer.pipe(tcp);
      tcp.pipe(outer);
      const reader = new RequestReader();
      const feed = (bytes: Buffer) => outer.write(bytes);
      tls.on('data', (chunk: Buffer) => {
        for (const request of reader.push(chunk)) fault({ tcp, tls, feed }, request);
      });
    });
  }

  get baseUrl(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}
