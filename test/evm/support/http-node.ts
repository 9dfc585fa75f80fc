import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type RpcRequest = { id: number; method: string; params?: unknown };
/** The response that the server sends in place of the node's. */
export type HttpFault =
  | { status: number }
  | { error: { code: number; message: string } }
  | { result: unknown }
  | 'hang-up';
export type HttpNode = Awaited<ReturnType<typeof startHttpNode>>;

/**
 * An HTTP server in front of a node that fails as providers of nodes do, so that a library sees the
 * failure on the wire and throws an error of its own.
 */
export async function startHttpNode(nodeUrl: string) {
  const node = {
    /** The fault for a request; `undefined` passes it on. */
    fault: (_: RpcRequest): HttpFault | undefined => undefined,
  };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      // ethers sends several requests at once.
      const requests = [JSON.parse(text) as RpcRequest | RpcRequest[]].flat();
      const faults = requests.map((request) => ({ request, fault: node.fault(request) }));
      const found = faults.find(({ fault }) => fault !== undefined);
      if (found?.fault !== undefined) return fail(response, found.request, found.fault);
      void passOn(nodeUrl, text, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(node, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function fail(response: ServerResponse, { id }: RpcRequest, fault: HttpFault): void {
  if (fault === 'hang-up') response.destroy();
  else if ('status' in fault) response.writeHead(fault.status).end('Too Many Requests');
  else send(response, JSON.stringify({ jsonrpc: '2.0', id, ...fault }));
}

async function passOn(url: string, body: string, response: ServerResponse): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(url, { method: 'POST', body, headers });
  send(response, await reply.text());
}

function send(response: ServerResponse, json: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(json);
}
