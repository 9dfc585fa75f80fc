import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Commitment, Connection } from '@solana/web3.js';
import { LocalVm } from './local-vm.js';
import { type RpcReply, type RpcRequest, respond } from './solana-rpc.js';

/**
 * The response that a test sends in place of the real one: an RPC reply, an HTTP status, or no
 * response at all.
 */
export type InjectedFault = RpcReply | { status: number } | 'hang-up' | undefined;

/**
 * A local VM behind the JSON-RPC of a Solana node, on a port of 127.0.0.1, so that a real library
 * such as the `Connection` of @solana/web3.js talks to it.
 */
export class SolanaNode {
  /** Every request that arrived, in order. */
  readonly requests: RpcRequest[] = [];
  /** Called for each request; returns the response to send instead of the real one. */
  fault: (request: RpcRequest) => InjectedFault | Promise<InjectedFault> = () => undefined;
  readonly url: string;
  readonly #server: Server;

  private constructor(
    readonly vm: LocalVm,
    server: Server,
  ) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => this.#handle(request, response));
  }

  static async start(vm?: LocalVm): Promise<SolanaNode> {
    const chain = vm ?? (await LocalVm.start());
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new SolanaNode(chain, server);
  }

  /** Returns a connection of @solana/web3.js. It does not wait and retry by itself after a 429. */
  connect(commitment: Commitment = 'confirmed'): Connection {
    return new Connection(this.url, { commitment, disableRetryOnRateLimit: true });
  }

  /** Returns how many requests of a method arrived. */
  count(method: string): number {
    return this.requests.filter((request) => request.method === method).length;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    this.requests.push(request);
    const fault = await this.fault(request);
    if (fault === 'hang-up') return void incoming.socket.destroy();
    if (fault !== undefined && 'status' in fault) {
      response.writeHead(fault.status).end('the node refused');
      return;
    }
    const reply = fault ?? respond(this.vm, request);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...reply }));
  }
}

async function readRequest(incoming: IncomingMessage): Promise<RpcRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as RpcRequest;
}
