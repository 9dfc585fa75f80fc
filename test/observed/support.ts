import { initiateQuery } from '../../scripts/generate/openapi/observed/samples.js';
import {
  createMockPlatform,
  type MockPlatform,
  type MockPlatformOptions,
  type MockUser,
  type NewUser,
} from '../../src/testing/index.js';

export * from '../../scripts/generate/openapi/observed/samples.js';

/** A status and its parsed body. */
export type Reply = { status: number; body: Record<string, unknown>; headers: Headers };

/** How a raw request differs from one with the client key and JSON. */
export type Sent = {
  body?: unknown;
  query?: Readonly<Record<string, string>>;
  token?: string | undefined;
  headers?: Readonly<Record<string, string>>;
};

/** Sends raw requests, so that the client is not used to test itself. */
export function sender(mock: MockPlatform) {
  return async (line: string, { body, query, token, headers = {} }: Sent = {}): Promise<Reply> => {
    const [method = '', path = ''] = line.split(' ');
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
    const response = await mock.fetch(`${mock.baseUrl}${path}${search}`, {
      method,
      headers: {
        'x-client-key': mock.credentials.clientKey,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
    return {
      status: response.status,
      body: isJson ? JSON.parse(text) : { text },
      headers: response.headers,
    };
  };
}

/** Creates a platform that serves the observed calls, with one user. */
export async function setUpObserved(user: NewUser = {}, options: MockPlatformOptions = {}) {
  const mock = createMockPlatform({ observed: true, ...options });
  const ada = mock.users.add({ email: 'ada@example.com', password: 'pass', ...user });
  const { observed } = mock;
  return { mock, ada, observed, send: sender(mock), token: mock.accessTokenFor(ada) };
}

/** Runs the first family up to its code. */
export async function authorize(mock: MockPlatform, user: MockUser): Promise<unknown> {
  const send = sender(mock);
  const { body } = await send('GET /v1/auth/oauth/authorize/initiate', {
    query: initiateQuery(mock),
  });
  const token = mock.accessTokenFor(user);
  const authorized = await send('POST /v1/auth/oauth/authorize', {
    body: { token: body['token'] },
    token,
  });
  return authorized.body['code'];
}
