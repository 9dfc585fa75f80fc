import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';
import { CONSENT } from '../set-up.js';
import { checksOf, clientChecksOf, isHeaders, OWN_CASES, ROW_KEYS, reasonOf } from './checks.js';
import { CHECKED_BY, CLIENT_CHECKED_BY } from './rows.js';
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

/** The form of a field, where the contract states one: a pattern, or how it follows from its name. */
const FORMS: readonly [RegExp, RegExp | ((name: string) => unknown)][] = [
  [/format YYYY\/MM/, /^\d{4}\/(?:0[1-9]|1[0-2])$/],
  [/uppercase/, /^[^\p{Ll}]+$/u],
  [/last 4 digits/, /^\d{4}$/],
  [/ISO 8601/, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/],
  [/decimal string/, /^\d+(?:\.\d+)?$/],
  [/lowercase code/, /^[^\p{Lu}]+$/u],
  [/\(UUID\)/, /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  [/ACTIVE, FROZEN, BLOCKED/, /^(?:ACTIVE|FROZEN|BLOCKED)$/],
  [/VIRTUAL, PHYSICAL, METAL/, /^(?:VIRTUAL|PHYSICAL|METAL)$/],
  [/always INTERNAL/, /^INTERNAL$/],
  [/`debit` \(outgoing\)/, /^(?:debit|credit)$/],
  [/`global` or `US`/, /^(?:global|US)$/],
  [/max 255/, /^.{1,255}$/s],
  [/HTTPS/, /^https:/],
  [/masked/, /^\w+\*+\w+$/],
  [/supplied at creation/, (name) => part(CONSENT, name)],
];

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

  it('credits a test of this file only by its cases, never by a row', () => {
    const rows = [...CHECKED_BY, ...CLIENT_CHECKED_BY];
    const own = rows.filter(([file]) => file.includes('contract-document.test.ts'));
    expect(own).toEqual([]);
  });

  it.each(Object.entries(OWN_CASES))('has a case for the test "%s"', (_, cases) => {
    expect(cases).not.toEqual([]);
  });

  it('runs with the headers of every statement about headers', () => {
    const run = OWN_CASES['without the header'].map(({ statement }) => statement.key);
    const keys = STATEMENTS.filter(isHeaders).map(({ key }) => key);
    expect(keys.filter((key) => !run.includes(key))).toEqual([]);
    expect(keys.filter((key) => / as /.test(key)).length).toBeGreaterThan(4);
  });

  it('runs with every status of a statement about errors', () => {
    for (const statement of STATEMENTS) {
      const { text, key } = statement;
      if (!/^(?:- )?Errors?\b/.test(text)) continue;
      const run = [...OWN_CASES['refuses with'], ...OWN_CASES['sends the planned']];
      const statuses = run.filter((one) => one.statement.key === key).map(({ status }) => status);
      const named = (text.match(/\b[45]\d\d\b/g) ?? []).map(Number);
      expect(statuses).toEqual(expect.arrayContaining(named));
    }
  });

  const handedOver = new URL('../../../../shared/contract/api.md', import.meta.url);
  it.skipIf(!existsSync(handedOver))('is the same as the document that was handed over', () => {
    expect(CONTRACT_TEXT).toBe(readFileSync(handedOver, 'utf8'));
  });
});

describe('the mock platform', () => {
  const fields = OWN_CASES['whose field'].map(({ statement, name, type }) => {
    return { heading: statement.heading, name, type, text: statement.text };
  });
  it.each(FORMS)('returns a field whose statement matches %s', (stated) => {
    expect(fields.filter(({ text }) => stated.test(text))).not.toEqual([]);
  });

  it.each(fields)('returns a $heading whose field $name is a $type, in its form', ({
    heading,
    name,
    type,
    text,
  }) => {
    const value = part(RESOURCES[heading], name);
    if (name === 'addressMemo') expect([null, 'string']).toContain(value && typeof value);
    else expect(Array.isArray(value) ? 'array' : typeof value).toBe(type);
    for (const [stated, form] of FORMS) {
      if (!stated.test(text)) continue;
      if (form instanceof RegExp) expect(value).toMatch(form);
      else expect(value).toBe(form(name));
    }
  });

  it.each(
    OWN_CASES['returns no number, CVV or PIN'],
  )('returns no number, CVV or PIN with a $resource', ({ resource }) => {
    const own = fields.filter(({ heading }) => heading === resource).map(({ name }) => name);
    const observed = ['cardAddedToDigitalWallet', 'isFreezable'];
    expect(Object.keys(Object(RESOURCES[resource])).sort()).toEqual([...own, ...observed].sort());
  });

  const succeeded = RESPONSES.filter(({ status }) => status >= 200 && status < 300);
  it.each(OWN_CASES['responds to'])('responds to $id, which the contract documents', ({
    id,
    statement,
  }) => {
    const responses = succeeded.filter(({ operation }) => operation === id);
    expect(responses).not.toEqual([]);
    if (!statement.text.includes('returns an array')) return;
    for (const { body } of responses) expect(Array.isArray(body)).toBe(true);
  });

  it.each(OWN_CASES['needs no body'])('needs no body: $id', ({ id }) => {
    const bare = succeeded.filter(({ hasSentBody }) => !hasSentBody);
    expect(bare.map(({ operation }) => operation)).toContain(id);
  });

  it.each(OWN_CASES['takes a UUID in the path'])('takes a UUID in the path of $id only', async ({
    id,
  }) => {
    expect(succeeded.map(({ operation }) => operation)).toContain(id);
    const { method = '', path = '' } = ENDPOINTS.find((one) => one.id === id) ?? {};
    const { call } = openScene();
    const response = await call(method, path.replace(/\{[A-Za-z]+\}/, 'no-uuid'), { userId: 'u' });
    expect([response.status, messagesOf(response)]).toEqual([
      400,
      expect.stringContaining('must be a UUID'),
    ]);
  });

  it.each(
    OWN_CASES['without the header'],
  )('refuses $id without the header $header, with $status', async ({ id, header, status }) => {
    const endpoint = ENDPOINTS.find((one) => one.id === id);
    const { call } = openScene();
    const path = endpoint?.path.replace(/\{[A-Za-z]+\}/, UUID) ?? '';
    const body = endpoint?.sendsBody ? {} : undefined;
    const response = await call(endpoint?.method ?? '', path, body, { [header]: undefined });
    expect(response.status).toBe(status);
  });

  it.each(
    OWN_CASES['refuses a body of'],
  )('refuses a body of $id without the header content-type', async ({ id }) => {
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

  it.each(
    OWN_CASES['has the message'],
  )('in "$statement.heading" has the message "$message"', async ({
    message,
    statement: { endpoints },
  }) => {
    const generic = ['Not authenticated', 'Not authorized'].includes(message);
    const from = generic ? await refusedAccess(endpoints) : RESPONSES;
    const said = from.filter(({ operation }) => endpoints.includes(operation)).map(messagesOf);
    expect(said.some((text) => text?.includes(`"${message}"`))).toBe(true);
  });

  it.each(OWN_CASES['refuses with'])('in "$statement.heading" refuses with $status', async ({
    status,
    statement: { endpoints },
  }) => {
    const from = [...RESPONSES, ...(await refusedAccess(endpoints))];
    const seen = from.filter(({ operation }) => endpoints.includes(operation));
    expect(seen.map((one) => one.status)).toContain(status);
  });

  it.each(
    OWN_CASES['sends the planned'],
  )('in "$statement.heading" sends the planned $status $message', async ({
    status,
    message,
    statement: { endpoints },
  }) => {
    for (const id of endpoints) {
      const { method = '', path = '', sendsBody } = ENDPOINTS.find((one) => one.id === id) ?? {};
      const { call, mock } = openScene();
      mock.fail(id as 'card.status', status);
      const to = path.replace(/\{[A-Za-z]+\}/, UUID);
      const response = await call(method, to, sendsBody ? {} : undefined);
      expect(response.status).toBe(status);
      expect(messagesOf(response)).toContain(message);
    }
  });

  it.each(
    OWN_CASES['uses the status of the row'],
  )('uses the status of the row $statement.text', async ({ statement: { text } }) => {
    const status = Number(/\d{3}/.exec(text)?.[0]);
    const seen = [...RESPONSES, ...(await refusedAccess(['card.status', 'orders.create']))];
    const planned = status === 500 || status === 207;
    if (!planned) expect(seen.map((one) => one.status)).toContain(status);
    else expect(await plannedOrFaucet(status)).toBe(status);
  });

  it.each(
    OWN_CASES['refuses input that breaks'],
  )('refuses input that breaks "$statement.key": $id', async ({ id, body, status, field }) => {
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
