import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pathAtService } from '../../../src/sandbox/record/record-proxy.js';
import { send, startRecording, startService } from './record-calls.js';

const JSON_TYPE = ['content-type', 'application/json'];

describe('the proxy of card-platform-sandbox record', () => {
  it('passes a request and its response on unchanged', async () => {
    const body = gzipSync('{"success":true}');
    const service = await startService((_message, response) => {
      response.writeHead(200, 'Fine', [
        ...['Content-Type', 'application/json', 'content-encoding', 'gzip'],
        ...[
          'Set-Cookie',
          'a=1',
          'Set-Cookie',
          'b=2',
          'X-Own',
          'one',
          'Content-Length',
          `${body.length}`,
        ],
      ]);
      response.end(body);
    });
    const { url } = await startRecording(service.url);
    const bytes = Buffer.from([0x7b, 0x22, 0xc3, 0xa9, 0x22, 0x3a, 0x31, 0x7d]);
    const response = await send(url, {
      method: 'POST',
      path: '/v1/card/freeze?a=%7B1%7D&b=x+y&&c',
      headers: [...JSON_TYPE, 'X-Own', 'two', 'X-Own', 'three', 'Authorization', 'Bearer t'],
      body: bytes,
    });

    const [received] = service.received;
    expect(received?.url).toBe('/v1/card/freeze?a=%7B1%7D&b=x+y&&c');
    expect(received?.method).toBe('POST');
    expect(received?.body).toEqual(bytes);
    expect(received?.headers.host).toBe(new URL(service.url).host);
    expect(received?.rawHeaders.join('|')).toContain(
      'X-Own|two|X-Own|three|Authorization|Bearer t',
    );
    expect(response.status).toBe(200);
    expect(response.statusMessage).toBe('Fine');
    expect(response.body).toEqual(body);
    expect(response.rawHeaders.join('|')).toContain('Set-Cookie|a=1|Set-Cookie|b=2|X-Own|one');
  });

  it.each([
    ['a redirect, without following it', 302, { location: 'http://127.0.0.1:1/elsewhere' }],
    ['a response without a body', 204, {}],
    ['an error', 418, { 'retry-after': '7' }],
  ])('passes %s on', async (_title, status, headers) => {
    const service = await startService((_message, response) =>
      response.writeHead(status, headers).end(),
    );
    const { url } = await startRecording(service.url);
    const response = await send(url, { path: '/v1/card/status' });
    expect(response.status).toBe(status);
    expect(service.received).toHaveLength(1);
    for (const [name, value] of Object.entries(headers)) {
      expect(response.rawHeaders.join('|')).toContain(`${name}|${value}`);
    }
  });

  it('does not pass on the headers of its own connection', async () => {
    const service = await startService((_message, response) => response.end('{}'));
    const { url } = await startRecording(service.url);
    await send(url, {
      path: '/v1/card/status',
      headers: [
        'proxy-authorization',
        'Basic x',
        'connection',
        'x-hop',
        'x-hop',
        '1',
        'te',
        'trailers',
      ],
    });
    const names = Object.keys(service.received[0]?.headers ?? {});
    expect(names).not.toEqual(expect.arrayContaining(['proxy-authorization']));
    expect(names).not.toEqual(expect.arrayContaining(['x-hop']));
    expect(names).not.toEqual(expect.arrayContaining(['te']));
  });

  it('breaks the connection to the app when the response breaks off, and counts the call', async () => {
    const service = await startService((message, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"half');
      message.socket.destroySoon();
    });
    const { url, report, fixtures } = await startRecording(service.url);
    await expect(send(url, { path: '/v1/card/status' })).rejects.toThrow();
    expect((await report()).broken).toBe(1);
    expect(await fixtures()).toEqual([]);
  });

  it('responds 502 when the service does not, without sending the request again', async () => {
    const service = await startService((message) => message.socket.destroy());
    const { url, report } = await startRecording(service.url);
    const { status } = await send(url, { method: 'POST', path: '/v1/wallet/credit/withdraw' });
    expect(status).toBe(502);
    expect(service.received).toHaveLength(1);
    expect((await report()).broken).toBe(1);
  });

  it('refuses a request body above the limit before anything is sent', async () => {
    const service = await startService((_message, response) => response.end());
    const { url } = await startRecording(service.url);
    const body = Buffer.alloc(4_194_305);
    const order = (bytes: Buffer) =>
      send(url, { method: 'POST', path: '/v1/card/order', body: bytes });
    expect((await order(body)).status).toBe(413);
    expect(service.received).toEqual([]);
    expect((await order(body.subarray(1))).status).toBe(200);
    expect(service.received.map(({ body: { length } }) => length)).toEqual([4_194_304]);
  });

  it('passes a response above the limit on whole, and records it without its body', async () => {
    const service = await startService((_message, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(Buffer.alloc(4_194_305, 0x20));
    });
    const { url, fixtures } = await startRecording(service.url);
    const { body } = await send(url, { path: '/v1/card/status' });
    expect(body.length).toBe(4_194_305);
    expect((await fixtures())[0]?.response).toMatchObject({ status: 200, redacted: 'too-large' });
  });

  it('records a response of the longest size with its body', async () => {
    const service = await startService((_message, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"status":"ACTIVE"}'.padEnd(4_194_304));
    });
    const { url, fixtures } = await startRecording(service.url);
    await send(url, { path: '/v1/card/status' });
    expect((await fixtures())[0]?.response).toMatchObject({ body: { status: 'ACTIVE' } });
  });

  it('records a body of one byte, and no body as none', async () => {
    const bodies = ['7', ''];
    const service = await startService((_message, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(bodies.shift());
    });
    const { url, fixtures } = await startRecording(service.url);
    for (let call = 0; call < 2; call++) await send(url, { path: '/v1/card/status' });
    const [byte, none] = await fixtures();
    // A number that the contract does not know is written as 0.
    expect(byte?.response).toMatchObject({ body: 0 });
    expect(Object.keys(none?.response ?? {})).toEqual(['status', 'headers']);
  });

  it('states the length of a body that came without one, and of no body none', async () => {
    const service = await startService((_message, response) => response.end());
    const { url } = await startRecording(service.url);
    const path = '/v1/card/freeze';
    // A stream has no length, so it is sent in chunks.
    const body = new Blob(['1']).stream();
    const init = { method: 'POST', body, duplex: 'half' };
    await fetch(`${url}${path}`, init);
    await send(url, { method: 'GET', path });
    expect(service.received.map(({ headers }) => headers['content-length'])).toEqual([
      '1',
      undefined,
    ]);
  });

  it('responds 400 to a path that leads out of that of the service', async () => {
    const service = await startService((_message, response) => response.end());
    const { url } = await startRecording(`${service.url}/base`);
    const response = await rawRequest(url, 'GET /../admin HTTP/1.1', []);
    expect(response).toContain('HTTP/1.1 400');
    expect(response).toContain('the path must stay below the path of --service');
    expect(service.received).toEqual([]);
  });

  it.each([
    ['of another site', ['origin', 'https://evil.example'], 403],
    ['by a domain that points at this machine', ['host', 'evil.example'], 421],
  ])('refuses requests of a page %s before anything is sent', async (_title, headers, status) => {
    const service = await startService((_message, response) => response.end());
    const { url } = await startRecording(service.url);
    const response = await rawRequest(url, 'GET /v1/card/status HTTP/1.1', headers);
    expect(response).toContain(`HTTP/1.1 ${status}`);
    expect(service.received).toEqual([]);
  });

  it('refuses two Host headers before anything is sent', async () => {
    const service = await startService((_message, response) => response.end());
    const { url } = await startRecording(service.url);
    const response = await rawRequest(url, 'GET /v1/card/status HTTP/1.1\r\nHOST: localhost', []);
    expect(response).toContain('HTTP/1.1 400');
    expect(response).toContain('the Host header must not be repeated');
    expect(service.received).toEqual([]);
  });

  it.each([
    'GET http://127.0.0.1:1/v1/card/status HTTP/1.1',
    'GET * HTTP/1.1',
    'CONNECT 127.0.0.1:1 HTTP/1.1',
  ])('sends nothing for the request line %s', async (line) => {
    const service = await startService((_message, response) => response.end());
    const { url } = await startRecording(service.url);
    const response = await rawRequest(url, line, []);
    expect(response).not.toContain('HTTP/1.1 2');
    expect(service.received).toEqual([]);
  });

  it.each([
    ['https://api.example/base', '/v1/card', '/base/v1/card'],
    ['https://api.example/base/', '/v1/card', '/base/v1/card'],
    ['https://api.example', '//evil.example/v1', '//evil.example/v1'],
    ['https://api.example', '/@evil.example/', '/@evil.example/'],
    ['https://api.example/base', '/../admin', undefined],
    ['https://api.example/base', '/%2e%2e/admin', undefined],
    ['https://api.example/base', '/v1/..\\..\\admin', undefined],
    ['https://api.example', 'http://evil.example/', undefined],
    ['https://api.example', '@evil.example/', undefined],
    ['https://api.example', ':1/', undefined],
  ])('stays on the service %s for the path %s', (service, target, path) => {
    expect(pathAtService(new URL(service), target)).toBe(path);
  });
});

/** Sends a request line as it is, and returns the whole response. */
function rawRequest(url: string, line: string, headers: readonly string[]): Promise<string> {
  const { port, host } = new URL(url);
  const names = headers.filter((_, index) => index % 2 === 0);
  const all = [...(names.includes('host') ? [] : ['host', host]), ...headers];
  const lines = names
    .concat(names.includes('host') ? [] : ['host'])
    .map((name) => `${name}: ${all[all.indexOf(name) + 1]}`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    socket.once('error', reject).once('close', () => resolve(text));
    socket.end(`${line}\r\n${lines.join('\r\n')}\r\nconnection: close\r\n\r\n`);
  });
}
