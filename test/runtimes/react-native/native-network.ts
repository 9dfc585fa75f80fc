import { type IncomingMessage, request as openRequest } from 'node:http';

/** A request that JavaScript asks the native side to send. */
export type NativeRequest = {
  id: number;
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body: { string?: string; base64?: string };
  responseType: 'text' | 'base64' | 'blob';
};

/** A response with all of its body, as the native side holds it before JavaScript gets it. */
export type NativeResponse = {
  status: number;
  headers: Record<string, string>;
  /** The last URL, after redirects. */
  url: string;
  body: Buffer;
};

const REDIRECTS = [300, 301, 302, 303, 307, 308];
const MOST_REDIRECTS = 20;

type Sent = Omit<NativeRequest, 'id' | 'responseType'>;

function send(request: Sent, signal: AbortSignal): Promise<NativeResponse> {
  const { method, url, headers, body } = request;
  return new Promise((resolve, reject) => {
    const sent = openRequest(url, { method, headers: Object.fromEntries(headers), signal });
    sent.on('error', reject);
    sent.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          url,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.end(body.base64 === undefined ? body.string : Buffer.from(body.base64, 'base64'));
  });
}

/** Returns the request that follows a redirect, as OkHttp sends it. */
function redirected(request: Sent, { status, headers }: NativeResponse): Sent | undefined {
  if (!REDIRECTS.includes(status) || headers['location'] === undefined) return undefined;
  const target = new URL(headers['location'], request.url);
  const isSameHost = target.host === new URL(request.url).host;
  const keepsMethod = status === 307 || status === 308 || request.method === 'HEAD';
  const dropped = [
    ...(isSameHost ? [] : ['authorization']),
    ...(keepsMethod ? [] : ['content-type', 'content-length', 'transfer-encoding']),
  ];
  return {
    method: keepsMethod ? request.method : 'GET',
    url: target.href,
    headers: request.headers.filter(([name]) => !dropped.includes(name.toLowerCase())),
    body: keepsMethod ? request.body : {},
  };
}

/** Sends a request as the network layer of a phone does: it follows redirects and reads to the end. */
export async function sendNatively(
  request: NativeRequest,
  signal: AbortSignal,
): Promise<NativeResponse> {
  // OkHttp spells some characters of a URL its own way.
  let next: Sent = { ...request, url: request.url.replaceAll("'", '%27') };
  for (let i = 0; i <= MOST_REDIRECTS; i++) {
    const response = await send(next, signal);
    const target = redirected(next, response);
    if (target === undefined) return response;
    next = target;
  }
  throw new Error('Too many follow-up requests');
}
