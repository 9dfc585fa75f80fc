import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Fixture } from '../../../src/sandbox/record/fixture.js';
import { startRecordProxy } from '../../../src/sandbox/record/record-proxy.js';
import { Recording } from '../../../src/sandbox/record/recording.js';
import type { ReportData } from '../../../src/sandbox/record/report.js';

export type ServiceHandler = (
  message: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
) => void;

/** The requests that the service received, which show what the proxy sent. */
export type Received = {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  body: Buffer;
};

/** Starts a service on 127.0.0.1 that ends with the test. */
export async function startService(handler: ServiceHandler) {
  const received: Received[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = '', url = '', headers, rawHeaders } = message;
    received.push({ method, url, headers, rawHeaders, body });
    handler(message, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** Starts a recording of a service in a folder of its own, with the observed calls on request. */
export async function startRecording(service: string, isObserved = false) {
  const folder = await mkdtemp(join(tmpdir(), 'recording-'));
  const out = join(folder, 'out');
  const log: string[] = [];
  const recording = await Recording.start(out, (line) => log.push(line));
  onTestFinished(async () => {
    await recording.finish();
    await rm(folder, { recursive: true, force: true });
  });
  const { url, stop } = await startRecordProxy(new URL(service), 0, recording, isObserved);
  onTestFinished(stop);

  const files = async (): Promise<Map<string, string>> => {
    await recording.finish();
    const names = (await readdir(out)).sort();
    const texts = names.map(
      async (name) => [name, await readFile(join(out, name), 'utf8')] as const,
    );
    return new Map(await Promise.all(texts));
  };
  const fixtures = async (): Promise<Fixture[]> =>
    [...(await files())]
      .filter(([name]) => !name.startsWith('report.'))
      .map(([, text]) => JSON.parse(text) as Fixture);
  const report = async (): Promise<ReportData> =>
    JSON.parse((await files()).get('report.json') ?? '') as ReportData;
  return { url, out, log, files, fixtures, report, recording, stop };
}

export type RawResponse = {
  status: number;
  statusMessage: string;
  rawHeaders: string[];
  body: Buffer;
};

/** Sends a request without the restrictions of `fetch`: any path, any header, any body. */
export function send(
  url: string,
  options: { method?: string; path: string; headers?: readonly string[]; body?: string | Buffer },
): Promise<RawResponse> {
  const { method = 'GET', path, headers = [], body = '' } = options;
  const { host, hostname, port } = new URL(url);
  const length = body.length > 0 ? ['content-length', String(Buffer.byteLength(body))] : [];
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        headers: ['host', host, ...headers, ...length],
        agent: false,
      },
      async (response) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of response) chunks.push(chunk as Buffer);
        } catch (error) {
          return reject(error as Error);
        }
        resolve({
          status: response.statusCode ?? 0,
          statusMessage: response.statusMessage ?? '',
          rawHeaders: response.rawHeaders,
          body: Buffer.concat(chunks),
        });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
