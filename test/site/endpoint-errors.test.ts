import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorsOf } from '../../site/build/endpoint-errors.js';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { RECOGNISED_ERRORS } from '../../src/contract/recognised-errors.js';

const openapi = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));

/** The error statuses in the description of an endpoint. */
const statusesOf = (id: string): number[] =>
  Object.values<Record<string, { operationId: string; responses: object }>>(openapi.paths)
    .flatMap((path) => Object.values(path))
    .filter(({ operationId }) => operationId === id)
    .flatMap(({ responses }) => Object.keys(responses).map(Number))
    .filter((status) => status >= 400);

describe.each(ENDPOINTS)('the table of errors of $id', (endpoint) => {
  const { id, businessErrors } = endpoint;

  it('has each refusal with its own status and message', async () => {
    const rows = await errorsOf(endpoint, statusesOf(id));
    for (const { code, status, messages } of businessErrors) {
      const row = rows.find((one) => one.code === code);
      const outcome = status < 500 ? 'rejected' : 'unknown';
      expect(row).toMatchObject({ what: `${status}`, outcome });
      expect(messages).toContain(row?.message.toLowerCase());
    }
    const recognised = RECOGNISED_ERRORS.filter(
      ({ endpoints, withInput }) =>
        withInput === undefined && endpoints !== '*' && endpoints.some((one) => one === id),
    );
    const codes: unknown[] = rows.map(({ code }) => code);
    for (const { code } of recognised) expect(codes).toContain(code);
    expect(codes.includes('otp_required')).toBe(id === 'auth.login');
    expect(rows.map(({ message }) => message).join('\n')).not.toMatch(/planned/i);
    expect(rows.map(({ what }) => what)).toEqual(expect.arrayContaining(['429', 'no connection']));
  });
});

it('a refusal without a documented message has the message of its example', async () => {
  const login = ENDPOINTS.find(({ id }) => id === 'auth.login');
  const rows = login === undefined ? [] : await errorsOf(login, statusesOf('auth.login'));
  expect(rows.find(({ code }) => code === 'invalid_credentials')?.message).toBe(
    'Invalid email or password',
  );
});
