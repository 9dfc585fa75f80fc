import { CardPlatformClient } from '../dist/index.js';
import { type Contestant, compare, startServer } from './measure.js';
import type { Section } from './report.js';

const HEADERS = {
  accept: 'application/json',
  'x-client-key': 'key',
  authorization: 'Bearer token',
};

function contestants(baseUrl: string, method: 'GET' | 'POST'): Contestant[] {
  const options = { baseUrl, clientKey: 'key', accessToken: 'token' };
  const onNode = new CardPlatformClient(options);
  const onFetch = new CardPlatformClient({ ...options, fetch: (url, init) => fetch(url, init) });
  const body = JSON.stringify({ amount: '1' });
  const raw = async () => {
    const response =
      method === 'GET'
        ? await fetch(`${baseUrl}/v1/card/status`, { headers: HEADERS })
        : await fetch(`${baseUrl}/v1/card/pin/token`, {
            method,
            headers: { ...HEADERS, 'content-type': 'application/json' },
            body,
          });
    return JSON.parse(await response.text());
  };
  // An S-class POST: class N opens a connection of its own each time, which raw fetch does not.
  const call = (client: CardPlatformClient) => () =>
    method === 'GET' ? client.card.status() : client.card.freeze();
  return [
    { name: 'raw fetch', call: raw },
    { name: 'this client', call: call(onNode) },
    { name: 'this client over fetch', call: call(onFetch) },
    { name: 'raw fetch again', call: raw },
  ];
}

/** Client CPU per call against raw fetch and JSON.parse. */
export async function measureCalls(isQuick: boolean): Promise<Section> {
  const { baseUrl, stop } = await startServer();
  const rows: string[][] = [];
  for (const method of ['GET', 'POST'] as const) {
    for (const atOnce of [1, 32]) {
      const size = { rounds: isQuick ? 5 : 15, calls: isQuick ? 960 : 3_200, atOnce };
      const figures = await compare(contestants(baseUrl, method), size);
      const raw = figures[0]?.cpu ?? 1;
      for (const { name, cpu, wall, least, most } of figures) {
        const spread = `${least.toFixed(0)} to ${most.toFixed(0)}`;
        rows.push([
          (cpu / raw).toFixed(2),
          `${method}, ${atOnce} at once`,
          name,
          `${cpu.toFixed(0)} µs (${spread})`,
          `${wall.toFixed(0)} µs`,
        ]);
      }
    }
  }
  stop();
  return {
    title: 'CPU of one call against raw `fetch` + `JSON.parse`',
    heads: ['ratio', 'what', 'who', 'CPU per call (spread of rounds)', 'wall'],
    rows,
  };
}
