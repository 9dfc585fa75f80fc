import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type RpcError = { readonly code: number; readonly message: string; readonly data?: unknown };

/** One way in which a node, or a wallet, does not accept a transaction. */
export type NodeFailure = {
  readonly name: string;
  /** Whether the transaction can be on its way nevertheless. */
  readonly forwards: 'never' | 'maybe';
  /** With `never`: the code of the error that the flow must end with. */
  readonly code?: string;
  readonly error?: RpcError;
  readonly status?: number;
  readonly breaks?: boolean;
};

type Request = { id: unknown; method: string; params?: unknown };

/**
 * A JSON-RPC server that fails as given for one method, and responds to the others with the given
 * results.
 */
export async function startFailingNode(method: string, results: Readonly<Record<string, unknown>>) {
  const node: { failure: NodeFailure | undefined } = { failure: undefined };
  const server = createServer((incoming, response) => {
    void readAll(incoming).then((body) => {
      const given = JSON.parse(body) as Request | Request[];
      const requests = [given].flat();
      const { failure } = node;
      const fails = requests.some((request) => request.method === method);
      if (fails && failure?.breaks) return void response.destroy();
      if (fails && failure?.status !== undefined) {
        return void response.writeHead(failure.status).end('the node refused');
      }
      const replies = requests.map((request) => ({
        jsonrpc: '2.0',
        id: request.id,
        ...(request.method === method && failure?.error
          ? { error: failure.error }
          : replyTo(request, results)),
      }));
      send(response, Array.isArray(given) ? replies : replies[0]);
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

function replyTo({ method }: Request, results: Readonly<Record<string, unknown>>) {
  return method in results
    ? { result: results[method] }
    : { error: { code: -32601, message: `the method ${method} is not needed here` } };
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
