import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';
import { OBSERVED_CALLS } from '../../../src/sandbox/record/routes.js';
import {
  fieldsOf,
  itemOf,
  wireFieldsOf,
  type Zod,
  zodOf,
} from '../../../src/sandbox/record/schema-parts.js';
import { PlantedSecrets, searchIn, spellingsOf } from './planted-secrets.js';
import { send, startRecording, startService } from './record-calls.js';

/** A value of the form of a schema, with a secret in every place, and further secrets around it. */
function filled(schema: Zod | undefined, secrets: PlantedSecrets): unknown {
  const item = schema && itemOf(schema);
  if (item !== undefined) return [filled(item, secrets), filled(item, secrets)];
  const fields = schema && fieldsOf(schema);
  if (fields === undefined) return secrets.next();
  const known = Object.entries(fields).map(([name, one]) => [name, filled(one, secrets)]);
  return { ...Object.fromEntries(known), extra: secrets.next(), [secrets.next()]: 1 };
}

const DEEP = (secret: string) => ({ a: [{ b: { c: [[{ status: secret }]] } }] });

/** Fields that the types of this package name although the contract documents none. */
const PREVIEW = [
  'status',
  'amount',
  'currency',
  'createdAt',
  'firstName',
  'txHash',
  'mcc',
  'secretKey',
];

function responseBody(endpoint: Endpoint, status: number, secrets: PlantedSecrets): unknown {
  const body = filled(zodOf(endpoint.responses[status]?.promise), secrets);
  const preview = Object.fromEntries(PREVIEW.map((name) => [name, secrets.next()]));
  return Array.isArray(body) ? [...body, preview] : { ...preview, ...Object(body) };
}

const errorBody = (secrets: PlantedSecrets) => ({
  message: `The card ${secrets.next(4)} of ${secrets.next(1)} is not known`,
  error: secrets.next(),
  details: [secrets.next(), `base64 ${Buffer.from(secrets.next()).toString('base64')}`],
  errors: [{ field: secrets.next(), message: secrets.next() }],
  isOtpRequired: secrets.next(),
  phoneNumber: secrets.next(3),
  stack: DEEP(secrets.next()),
});

/** Headers with secrets: those of the contract, well-known ones, and others. */
const requestHeaders = (secrets: PlantedSecrets) => [
  ...['Authorization', `Bearer ${secrets.nextPlain()}`, 'x-Client-Key', secrets.nextPlain()],
  ...['X-SECRET-KEY', secrets.nextPlain(), 'x-client-id', secrets.nextPlain()],
  ...['cookie', `sid=${secrets.nextPlain()}; a=${encodeURIComponent(secrets.next())}`],
  ...['x-us-env', secrets.nextPlain(), 'accept', `text/${secrets.nextPlain()}`],
  ...[
    'user-agent',
    secrets.nextPlain(),
    'referer',
    `https://app.example/?t=${secrets.nextPlain()}`,
  ],
  ...['x-signature', secrets.nextPlain(), 'x-timestamp', secrets.nextPlain()],
  ...['proxy-authorization', `Basic ${Buffer.from(secrets.next()).toString('base64')}`],
  ...[`x-${secrets.nextPlain().replace(/\W/g, '')}`, 'header name'],
];

const responseHeaders = (secrets: PlantedSecrets) => ({
  'set-cookie': [`sid=${secrets.nextPlain()}; HttpOnly`, `b=${secrets.nextPlain()}`],
  location: `https://elsewhere.example/${secrets.nextPlain()}`,
  'www-authenticate': `Bearer realm="${secrets.nextPlain()}"`,
  'retry-after': secrets.nextPlain(),
  'x-request-id': secrets.nextPlain(),
  etag: `"${secrets.nextPlain()}"`,
  link: `<https://x.example/${secrets.nextPlain()}>; rel=next`,
});

describe('a recording of a service whose every value is a secret', () => {
  it('writes none of more than 200 planted secrets, in any spelling, to a file or the console', async () => {
    const secrets = new PlantedSecrets();
    const planned: { status: number; type: string; body: string | Buffer; encoding?: string }[] =
      [];
    const service = await startService((_message, response) => {
      const { status = 500, type = 'text/plain', body = '', encoding } = planned.shift() ?? {};
      const headers = responseHeaders(secrets);
      response.writeHead(status, secrets.nextPlain(), {
        ...headers,
        'content-type': type,
        ...(encoding !== undefined && { 'content-encoding': encoding }),
      });
      response.end(body);
    });
    const recorded = await startRecording(service.url, true);
    const call = async (
      path: string,
      { method = 'POST', type = 'application/json', body = '' as string | Buffer } = {},
    ) => {
      const typed = body === '' ? [] : ['content-type', type];
      const headers = [...requestHeaders(secrets), ...typed];
      await send(recorded.url, { method, path, headers, body });
    };

    const endpoints: readonly Endpoint[] = [...ENDPOINTS, ...OBSERVED_CALLS];
    for (const endpoint of endpoints) {
      for (const status of [Number(Object.keys(endpoint.responses)[0] ?? 200), 400]) {
        const isError = status >= 400;
        const body = isError ? errorBody(secrets) : responseBody(endpoint, status, secrets);
        planned.push({ status, type: 'application/json', body: JSON.stringify(body) });
        const path = endpoint.path.replace(/\{\w+\}/g, () => encodeURIComponent(secrets.next()));
        const names = [...(endpoint.query ?? []), 'other', secrets.next(), 'page', 'access_token'];
        const query = names.map(
          (name) => `${encodeURIComponent(name)}=${encodeURIComponent(secrets.next())}`,
        );
        const fields = [...wireFieldsOf(endpoint)].map(([name, one]) => [
          name,
          filled(one, secrets),
        ]);
        const sent = {
          ...Object.fromEntries(fields),
          [secrets.next()]: secrets.next(),
          unknown: DEEP(secrets.next()),
          pin: Number(secrets.next(9)),
          card: Number(secrets.next(4)),
          metadata: { amount: secrets.next(9), note: secrets.next(), [secrets.next()]: null },
        };
        const { method } = endpoint;
        await call(`${path}?${query.join('&')}`, {
          method,
          body: endpoint.sendsBody ? JSON.stringify(sent) : '',
        });
      }
    }

    const page = () => `<html><img src="${secrets.next(6)}">${secrets.next()}</html>`;
    const others: readonly (readonly [type: string, make: () => string | Buffer])[] = [
      ['text/html', page],
      [`text/plain; a=${secrets.nextPlain()}`, () => secrets.next()],
      ['application/json', () => `{"message": "${secrets.nextPlain()}`],
      ['application/json', () => JSON.stringify(secrets.next())],
      ['application/json', () => JSON.stringify([[secrets.next(), Number(secrets.next(4))]])],
      [
        'application/json',
        () => JSON.stringify({ message: JSON.stringify({ token: secrets.next() }) }),
      ],
      ['application/json', () => secrets.next(4)],
      [
        'application/x-www-form-urlencoded',
        () =>
          `password=${encodeURIComponent(secrets.next())}&${encodeURIComponent(secrets.next())}=1`,
      ],
      [
        `multipart/form-data; boundary=${secrets.nextPlain()}`,
        () =>
          `--x\r\ncontent-disposition: form-data; name="pin"; filename="${secrets.nextPlain()}"\r\n\r\n${secrets.next()}\r\n--x--`,
      ],
      [`application/${secrets.nextPlain()}`, () => Buffer.from(secrets.next(), 'utf16le')],
    ];
    for (const [type, make] of others) {
      for (const status of [200, 400]) {
        planned.push({ status, type, body: make() });
        await call('/v1/auth/login', { type, body: make() });
        planned.push({ status, type, body: gzipSync(make()), encoding: 'gzip' });
        await call(
          `/v1/${encodeURIComponent(secrets.next())}/card/${secrets.nextPlain()}/%zz?${secrets.nextPlain()}`,
          { type, body: make() },
        );
      }
    }

    const files = await recorded.files();
    expect(secrets.all.length).toBeGreaterThan(200);
    expect(files.size).toBe(service.received.length + 2);
    const written = [...files].flat().join('\n') + recorded.log.join('\n');
    const includes = searchIn(written);
    const found = secrets.all.filter((secret) =>
      spellingsOf(secret).some((one) => one.length > 3 && includes(one)),
    );
    expect(found).toEqual([]);
    // The service received all of them.
    const first = JSON.stringify(service.received);
    expect(secrets.all.filter((secret) => first.includes(secret)).length).toBeGreaterThan(200);
  });
});
