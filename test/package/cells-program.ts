/** A call of the packed package, and what the service answers. */
type Cell = { id: string; sdk: string; args: readonly unknown[]; what: string; answer: object };

/**
 * Returns a program that makes each call over every HTTP adapter, against a server of its own. It
 * prints, for each adapter, a list of `[id, what, outcome, probableOutcome, requests]`.
 */
export function cellsProgram(format: string, cells: readonly Cell[]): string {
  const load =
    format === 'esm'
      ? "import { createServer } from 'node:http'; import { CardPlatformClient } from 'card-platform-sdk';"
      : "const { createServer } = require('node:http'); const { CardPlatformClient } = require('card-platform-sdk');";
  return `${load}
const cells = ${JSON.stringify(cells)};
let hits = [];
const server = createServer((request, response) => {
  const index = Number(request.headers['x-cell']);
  const { status = 200, body, type = 'application/json' } = cells[index].answer;
  hits[index] = (hits[index] ?? 0) + 1;
  request.resume().on('end', () => {
    response.writeHead(status, { 'content-type': type });
    response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  });
});

const options = (baseUrl) => ({ baseUrl, clientKey: 'client-key', clientId: 'client-id', secretKey: 'secret-key', accessToken: 'token' });
const clients = {
  'node-http': (baseUrl) => new CardPlatformClient(options(baseUrl)),
  fetch: (baseUrl) => new CardPlatformClient({ ...options(baseUrl), fetch: (url, init) => fetch(url, init) }),
  // A client chooses ky where the runtime is not Node.
  ky: (baseUrl) => {
    Object.defineProperty(process.versions, 'bun', { value: '1.0.0', configurable: true });
    try {
      return new CardPlatformClient(options(baseUrl));
    } finally {
      delete process.versions.bun;
    }
  },
};

async function outcomeOfCell(client, cell, index) {
  const names = cell.sdk.split('.');
  const method = names.pop();
  const namespace = names.reduce((holder, name) => holder[name], client);
  const ended = await namespace[method](...cell.args, { headers: { 'x-cell': String(index) } }).then(
    () => ({ outcome: 'resolved' }),
    (error) => error,
  );
  return [cell.id, cell.what, ended.outcome, ended.probableOutcome ?? null, hits[index] ?? 0];
}

async function main() {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = 'http://127.0.0.1:' + server.address().port;
  const results = {};
  for (const [name, make] of Object.entries(clients)) {
    hits = [];
    const client = make(baseUrl);
    results[name] = [];
    for (const [index, cell] of cells.entries()) results[name].push(await outcomeOfCell(client, cell, index));
  }
  server.closeAllConnections();
  server.close();
  console.log(JSON.stringify(results));
}
main();
`;
}
