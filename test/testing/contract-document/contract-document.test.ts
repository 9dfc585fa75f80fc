import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';
import {
  AS_ABOVE,
  BODY_TYPE,
  checksOf,
  clientChecksOf,
  fieldsIn,
  HEADERS,
  isErrors,
  isHeaders,
  REFUSED,
  ROW_KEYS,
  reasonOf,
  refusalsIn,
  STATUS_ROWS,
} from './checks.js';
import { openScene, playScenes, type Recorded } from './scenes.js';
import { CONTRACT_TEXT, STATEMENTS, type Statement } from './statements.js';

const RESPONSES = await playScenes();
const UUID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';

const bodyOf = (operation: string, status = 200): unknown =>
  RESPONSES.find((one) => one.operation === operation && one.status === status)?.body;
const part = (body: unknown, name: string | number): unknown => Reflect.get(Object(body), name);

/** A resource for each heading, as the platform returned it. */
const RESOURCES: Readonly<Record<string, unknown>> = {
  Card: bodyOf('card.status'),
  'Internal wallet': part(bodyOf('wallets.internal.list'), 0),
  'Wallet transaction': part(bodyOf('wallets.history.list'), 0),
  'Consent set': bodyOf('consent.getSet'),
  'Webhook configuration': bodyOf('webhooks.get'),
  'Referral code': bodyOf('referral.get'),
  'Order (creation response)': bodyOf('orders.create'),
};

const isChecked = (statement: Statement) =>
  checksOf(statement).length > 0 || reasonOf(statement) !== undefined;

const messagesOf = ({ body }: Recorded) => JSON.stringify(body);

describe('the contract, read as data', () => {
  it('has a check for every statement', () => {
    const unchecked = STATEMENTS.filter((statement) => !isChecked(statement));
    expect(unchecked.map(({ key }) => key)).toEqual([]);
  });

  it('has no check for a statement that it does not contain', () => {
    const gone = ROW_KEYS.filter((key) => !STATEMENTS.some((one) => one.key.startsWith(key)));
    expect(gone).toEqual([]);
  });

  const checks = STATEMENTS.flatMap((one) => [...checksOf(one), ...clientChecksOf(one)]);
  const named = [...new Map(checks.map((one) => [`${one.file} ${one.title}`, one])).values()];
  it.each(named)('names a test that exists: $file, $title', ({ file, title }) => {
    const tests = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    const titles = [...tests.matchAll(/(?:it|\))\(\s*(['"`])(.*?)\1,/g)].map((match) => match[2]);
    expect(titles.filter((one) => one?.includes(title))).not.toEqual([]);
  });

  const handedOver = new URL('../../../../shared/contract/api.md', import.meta.url);
  it.skipIf(!existsSync(handedOver))('is the same as the document that was handed over', () => {
    expect(CONTRACT_TEXT).toBe(readFileSync(handedOver, 'utf8'));
  });
});

describe('the mock platform', () => {
  const fields = STATEMENTS.flatMap((one) =>
    fieldsIn(one).map(([name, type]) => [one.heading, name, type] as const),
  );
  it.each(fields)('returns a %s whose field %s is a %s', (heading, name, type) => {
    const value = part(RESOURCES[heading], name);
    if (name === 'addressMemo') expect([null, 'string']).toContain(value && typeof value);
    else expect(Array.isArray(value) ? 'array' : typeof value).toBe(type);
  });

  const documented = ENDPOINTS.filter(({ id }) =>
    STATEMENTS.some(({ endpoints }) => endpoints.includes(id)),
  );
  it.each(documented)('responds to $method $path, which the contract documents', ({ id }) => {
    expect(RESPONSES.map(({ operation }) => operation)).toContain(id);
  });

  const headers = STATEMENTS.filter((one) => isHeaders(one) && !AS_ABOVE.test(one.text)).flatMap(
    ({ endpoints, text }) =>
      HEADERS.filter(([pattern]) => pattern.test(text)).flatMap(([, header, status]) =>
        endpoints.map((id) => [id, header, status] as const),
      ),
  );
  it.each(headers)('refuses %s without the header %s, with %i', async (id, header, status) => {
    const endpoint = ENDPOINTS.find((one) => one.id === id);
    const { call } = openScene();
    const path = endpoint?.path.replace(/\{[A-Za-z]+\}/, UUID) ?? '';
    const body = endpoint?.sendsBody ? {} : undefined;
    const response = await call(endpoint?.method ?? '', path, body, { [header]: undefined });
    expect(response.status).toBe(status);
  });

  const withType = STATEMENTS.filter((one) => isHeaders(one) && BODY_TYPE.test(one.text));
  const typed = withType.flatMap(({ endpoints }) => endpoints);
  it.each(typed)('refuses a body of %s without the header content-type', async (id) => {
    const endpoint = ENDPOINTS.find((one) => one.id === id);
    const { call } = openScene({ card: 'ACTIVE' });
    const path = endpoint?.path.replace(/\{[A-Za-z]+\}/, UUID) ?? '';
    const send = (type?: string) =>
      call(endpoint?.method ?? '', path, {}, { 'content-type': type });
    const refused = await send();
    expect([400, 422]).toContain(refused.status);
    expect(messagesOf(refused)).toContain('Content-Type');
    expect(messagesOf(await send('application/json'))).not.toContain('Content-Type');
  });

  const errors = STATEMENTS.filter(isErrors);
  const messages = errors.flatMap((one) =>
    refusalsIn(one).messages.map((message) => [one.heading, message, one.endpoints] as const),
  );
  it.each(messages)('in "%s" has the message "%s"', async (_, message = '', endpoints) => {
    const generic = ['Not authenticated', 'Not authorized'].includes(message);
    const from = generic ? await refusedAccess(endpoints) : RESPONSES;
    const said = from.filter(({ operation }) => endpoints.includes(operation)).map(messagesOf);
    expect(said.some((text) => text?.includes(`"${message}"`))).toBe(true);
  });

  const statuses = errors.flatMap((one) =>
    refusalsIn(one).statuses.map((status) => [one.heading, status, one.endpoints] as const),
  );
  it.each(statuses)('in "%s" refuses with %i', async (_, status, endpoints) => {
    const from = [...RESPONSES, ...(await refusedAccess(endpoints))];
    const seen = from.filter(({ operation }) => endpoints.includes(operation));
    expect(seen.map((one) => one.status)).toContain(status);
  });

  it.each(STATUS_ROWS)('uses the status of the row $text', async ({ text }) => {
    const status = Number(/\d{3}/.exec(text)?.[0]);
    const seen = [...RESPONSES, ...(await refusedAccess(['card.status', 'orders.create']))];
    const planned = status === 500 || status === 207;
    if (!planned) expect(seen.map((one) => one.status)).toContain(status);
    else expect(await plannedOrFaucet(status)).toBe(status);
  });

  it.each(REFUSED)('refuses input that breaks "%s": %s', async (_, id, body, status, field) => {
    const endpoint = ENDPOINTS.find((one) => one.id === id);
    const { call } = openScene();
    const path = endpoint?.path.replace(/\{[A-Za-z]+\}/, UUID) ?? '';
    const response = await call(endpoint?.method ?? '', path, body);
    expect(response.status).toBe(status);
    expect(JSON.stringify(response.body)).toContain(field);
  });
});

/** The refusals of wrong and missing credentials, and of a user without permission. */
async function refusedAccess(endpoints: readonly string[]): Promise<Recorded[]> {
  const responses: Recorded[] = [];
  for (const { id, method, path, sendsBody } of ENDPOINTS) {
    if (!endpoints.includes(id)) continue;
    const body = sendsBody ? {} : undefined;
    const to = path.replace(/\{[A-Za-z]+\}/, UUID);
    const strangers = openScene({ isLinked: false });
    responses.push(await strangers.call(method, to, body));
    for (const header of ['authorization', 'x-client-key', 'x-client-id']) {
      const { call } = openScene();
      responses.push(await call(method, to, body, { [header]: undefined }));
      responses.push(await call(method, to, body, { [header]: 'other' }));
    }
  }
  return responses;
}

async function plannedOrFaucet(status: number): Promise<number> {
  const { call, mock, ada } = openScene();
  if (status === 500) mock.fail('card.status', 500);
  if (status === 500) return (await call('GET', '/v1/card/status')).status;
  ada.faucet = 'declined';
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const query = `faucet=true&network=linea&address=${address}`;
  return (await call('GET', `/v1/delegation/token?${query}`)).status;
}
