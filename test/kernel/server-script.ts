import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { ServerBehaviour, ServerEvent, ServerJob } from './messages.js';

// Runs in a process of its own and reports each complete request that it has read.

const BODY = JSON.stringify({ success: true, txHash: `0x${'ab'.repeat(32)}`, status: 'ACTIVE' });

function head(length: number): string {
  const headers = [`content-length: ${length}`, 'content-type: application/json'];
  return `HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\n\r\n`;
}

const respond = (socket: Socket) => socket.write(`${head(BODY.length)}${BODY}`);

const BEHAVIORS: Readonly<Record<ServerBehaviour, (socket: Socket) => unknown>> = {
  respond,
  'respond after a second': (socket) => setTimeout(() => respond(socket), 1_000),
  'stay silent': () => {},
  'send half a body': (socket) => socket.write(`${head(1_000)}{"success":`),
  'read nothing': () => {},
};

function report(event: ServerEvent): void {
  process.send?.(event);
}

/** Removes complete requests from the front of the received text and returns the rest. */
function takeRequests(received: Buffer, socket: Socket, behaviour: ServerBehaviour): Buffer {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return received;
  const text = received.subarray(0, end).toString('latin1');
  const [, length = '0'] = /^content-length: (\d+)$/im.exec(text) ?? [];
  const total = end + 4 + Number(length);
  if (received.length < total) return received;
  const [, name = ''] = /^x-case: (.+)$/im.exec(text) ?? [];
  report({ type: 'request', name });
  BEHAVIORS[behaviour](socket);
  return takeRequests(received.subarray(total), socket, behaviour);
}

process.once('message', ({ host, port, behaviour }: ServerJob) => {
  const pauseOnConnect = behaviour === 'read nothing';
  const server = createServer({ noDelay: true, pauseOnConnect }, (socket) => {
    socket.on('error', () => {});
    report({ type: 'connection' });
    if (pauseOnConnect) return;
    let received: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = takeRequests(Buffer.concat([received, chunk]), socket, behaviour);
    });
  });
  server.listen({ host, port, backlog: 2_000 }, () => {
    report({ type: 'listening', port: (server.address() as AddressInfo).port });
  });
});
process.once('disconnect', () => process.exit());
