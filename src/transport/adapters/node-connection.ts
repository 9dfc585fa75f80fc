import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { ExchangeFacts } from '../outcome/facts.js';
import type { NodeModules } from './node-modules.js';

// A mock of node:http may hand a request to its handler before its socket "connects". Only a socket
// of Node itself proves that there was no connection; with any other the fact is `unproven`.

/** Records that nothing is connected yet. A mocked request need not report a socket at all. */
export function beforeConnection(
  request: ClientRequest,
  facts: ExchangeFacts,
  { http }: NodeModules,
): void {
  facts.connection = request instanceof http.ClientRequest ? 'none' : 'unproven';
}

/** The sockets of MSW 2 and nock 14 are of a subclass. */
function isOfNode(socket: Socket, { net, tls }: NodeModules): boolean {
  const prototype: unknown = Object.getPrototypeOf(socket);
  return prototype === net.Socket.prototype || prototype === tls.TLSSocket.prototype;
}

/** Records when the connection of a request is established, TLS included. */
export function watchConnection(socket: Socket, facts: ExchangeFacts, modules: NodeModules): void {
  const tls = socket as Socket & { encrypted?: boolean; secureConnecting?: boolean };
  const establish = () => {
    facts.connection = 'established';
  };
  const isPending = socket.connecting || tls.secureConnecting === true;
  // A socket that could not even start to connect is destroyed, and not connecting either.
  if (!isPending && !socket.destroyed) establish();
  else {
    facts.connection = isOfNode(socket, modules) ? 'none' : 'unproven';
    socket.once(tls.encrypted ? 'secureConnect' : 'connect', establish);
  }
}

/**
 * Corrects the record of a request that is cut short. A socket that is not connected still holds the
 * request; one of MSW 3 has handed it over.
 */
export function beforeCancel({ socket }: ClientRequest, facts: ExchangeFacts): void {
  if (facts.connection === 'none' && socket?.writableLength === 0) facts.connection = 'unproven';
}
