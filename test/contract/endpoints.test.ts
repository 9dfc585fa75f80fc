import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { observedEndpoints } from '../../src/contract/observed/endpoints.js';
import { BEHAVIOURS } from '../../src/testing/run-behaviour.js';
import { clientFor } from '../support/clients.js';
import { CONTRACT_ROWS, type ContractRow } from '../support/contract-rows.js';

const declared = new Map(ENDPOINTS.map((endpoint) => [endpoint.id, endpoint]));
const docs = readFileSync(new URL('../../docs/reference/endpoints.md', import.meta.url), 'utf8');
const client = clientFor('https://api.example.com');

const ROUTING = {
  header: 'header',
  'header-or-query-region': 'header-or-query',
  none: 'none',
} as const;

function declarationOf(row: ContractRow) {
  const endpoint = declared.get(row.id);
  if (endpoint === undefined) throw new Error(`${row.id} has no declaration`);
  return endpoint;
}

function methodAt(path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((holder, name) => (holder as Record<string, unknown>)[name], client);
}

describe('the contract as data', () => {
  it('declares every endpoint of the contract and no other', () => {
    expect([...declared.keys()].sort()).toEqual(CONTRACT_ROWS.map(({ id }) => id).sort());
  });

  it.each(
    CONTRACT_ROWS,
  )('$id is declared with the method, path and body of the contract', (row) => {
    const { method, path, sendsBody } = declarationOf(row);
    expect({ method, path }).toEqual({ method: row.method, path: row.path });
    expect(sendsBody).toBe(row.body);
  });

  it.each(
    CONTRACT_ROWS,
  )('$id is declared with the credentials and routing of the contract', (row) => {
    const { credentials, routing } = declarationOf(row);
    const expected = row.auth.map((name) => (name === 'bearer' ? 'accessToken' : name));
    expect([...credentials].sort()).toEqual(expected.sort());
    expect(routing).toBe(ROUTING[row.us]);
  });

  it.each(
    CONTRACT_ROWS,
  )('$id is declared with the statuses, stability and retry class of the contract', (row) => {
    const endpoint = declarationOf(row);
    expect(endpoint.stability).toBe(row.contract ? 'contract' : 'preview');
    expect(endpoint.retry.class).toBe(row.retryClass);
    expect([...endpoint.errors].sort()).toEqual([...row.errors].sort());
    const statuses = Object.keys(endpoint.responses).map(Number);
    expect(row.ok.every((status) => statuses.includes(status))).toBe(true);
  });

  it.each(
    CONTRACT_ROWS,
  )('$id has a client method, a mock behaviour and a row in the docs', (row) => {
    expect(methodAt(row.sdk)).toBeTypeOf('function');
    expect(BEHAVIOURS[row.id]).toBeTypeOf('function');
    expect(docs).toContain(`| \`${row.sdk}\` | \`${row.method} ${row.path}\` |`);
  });

  it('the journal records every request of class never, except a login and its code', () => {
    const unrecorded = ENDPOINTS.filter(({ isRecorded }) => isRecorded === false);
    expect(unrecorded.map(({ id }) => id).sort()).toEqual(['auth.login', 'auth.sendLoginOtp']);
    for (const { id, retry, reconcile } of ENDPOINTS) {
      if (retry.class === 'never') {
        expect(reconcile === undefined, id).toBe(id.startsWith('auth.'));
      }
    }
  });

  it('of the calls beyond the contract it records those that move money', () => {
    const recorded = Object.values(observedEndpoints).filter(
      ({ retry, isRecorded }) => retry.class === 'never' && isRecorded !== false,
    );
    expect(recorded.map(({ id }) => id)).toEqual(['wallets.reward.withdraw']);
  });

  it('gives inputs the stricter retry class that they have in the contract', () => {
    for (const row of CONTRACT_ROWS) {
      const { retryWhen } = declarationOf(row);
      const { field, is, retry } = retryWhen ?? {};
      expect(retryWhen && { field, is, retryClass: retry?.class }, row.id).toEqual(row.retryWhen);
    }
    const special = CONTRACT_ROWS.filter(({ retryWhen }) => retryWhen !== undefined);
    expect(special.map(({ id }) => id)).toEqual(['delegation.getToken']);
  });

  const handedOver = new URL('../../../shared/contract/endpoints.json', import.meta.url);
  it.skipIf(!existsSync(handedOver))(
    'has every field of each endpoint that was handed over',
    () => {
      const letters = { safe: 'R', idempotent: 'S', 'issues-token': 'M', never: 'N' };
      const rows = CONTRACT_ROWS.map(
        ({
          retryClass,
          retryWhen,
          call: _,
          fields: __,
          refusals: ___,
          isDoneWhenEmpty: ____,
          ...same
        }) => {
          const special = retryWhen && `${letters[retryWhen.retryClass]} with ${retryWhen.field}=`;
          const other = special === undefined ? '' : ` (${special}${retryWhen?.is})`;
          return { ...same, repeat: `${letters[retryClass]}${other}` };
        },
      );
      const { endpoints } = JSON.parse(readFileSync(handedOver, 'utf8'));
      // The service may have got more endpoints since.
      const ids = endpoints.map(({ id }: { id: string }) => id);
      expect(rows.filter(({ id }) => ids.includes(id))).toEqual(endpoints);
    },
  );
});
