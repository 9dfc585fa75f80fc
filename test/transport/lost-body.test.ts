import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/errors/index.js';
import { refuseLostBody } from '../../src/transport/adapters/http-adapter.js';
import { type NodeModules, nodeModules } from '../../src/transport/adapters/node-connections.js';
import { readNodeBody } from '../../src/transport/adapters/node-http.js';
import { FaultServer } from '../faults/fault-server.js';
import { ADAPTERS, clientOver } from '../support/adapters.js';
import { CREDENTIALS, clientFor, json, rejection } from '../support/clients.js';

let response = '';
const server = new FaultServer((socket) => socket.end(response));
beforeAll(() => server.start());
afterAll(() => server.stop());

const unfreezeOver = (adapter: (typeof ADAPTERS)[number], head: string[], rest = '') => {
  response = `${head.join('\r\n')}\r\n\r\n${rest}`;
  return clientOver(adapter, { baseUrl: server.baseUrl, ...CREDENTIALS }).card.unfreeze();
};

const JSON_TYPE = 'content-type: application/json';

describe.each(ADAPTERS)('an empty body over %s is done', (adapter) => {
  it.each([
    ['after its length', ['HTTP/1.1 200 OK', JSON_TYPE, 'content-length: 0']],
    [
      'after its last chunk',
      ['HTTP/1.1 200 OK', JSON_TYPE, 'transfer-encoding: chunked'],
      '0\r\n\r\n',
    ],
    ['with a status that has none', ['HTTP/1.1 204 No Content', JSON_TYPE, 'connection: close']],
  ])('%s', async (_, head, rest = '') => {
    await expect(unfreezeOver(adapter, head, rest)).resolves.toBeDefined();
  });
});

it.each([
  [203, true],
  [204, false],
  [205, false],
  [206, true],
])('an empty body of a %i that only the closed connection ends is lost: %s', (status, isLost) => {
  const read = () => refuseLostBody(status, 0, () => true);
  if (isLost) expect(read).toThrow('the connection closed before the body began');
  else expect(read).not.toThrow();
});

describe('an empty body that ends with the connection', () => {
  it.each([
    ['without any header', ['HTTP/1.1 200 OK']],
    ['over HTTP/1.0', ['HTTP/1.0 200 OK']],
    ['of another coding', ['HTTP/1.1 200 OK', 'transfer-encoding: identity']],
  ])('is lost %s', async (_, head) => {
    expect(await rejection(unfreezeOver('node-http', head))).toMatchObject({
      ...{ name: 'BodyReadError', status: 200 },
      ...{ outcome: 'unknown', probableOutcome: 'executed', next: 'look_up' },
    });
  });

  it('is whole in a message that a mock of node:http made in memory', async () => {
    const message = new IncomingMessage(new Socket());
    message.statusCode = 200;
    message.push(null);
    expect(await readNodeBody(message, nodeModules() as NodeModules, 100)).toBe('');
  });

  it.each([
    'fetch',
    'ky',
  ] as const)('is not seen over %s, whose response over HTTP/2 is the same', async (adapter) => {
    const head = ['HTTP/1.1 200 OK', JSON_TYPE];
    await expect(unfreezeOver(adapter, head)).resolves.toBeDefined();
  });

  it.each([
    401, 403, 500,
  ])('is that of a %i over node:http too, where the status says what happened', async (status) => {
    const error = await rejection(unfreezeOver('node-http', [`HTTP/1.0 ${status} X`]));
    expect(error).toMatchObject({ status });
    expect(error).toBeInstanceOf(ApiError);
  });

  it.each([
    ['a response', json('')],
    [
      'an object without a URL',
      { status: 200, headers: new Headers(), text: async (): Promise<string> => '' },
    ],
  ])('is whole in %s that a fetch made in memory', async (_, made) => {
    const fetch = async () => made as Response;
    const client = clientFor('https://api.example.com', { fetch });
    await expect(client.card.unfreeze()).resolves.toBeDefined();
  });
});
