import { check } from '../../contract/check.js';
import { type Endpoint, placeholdersIn } from '../../contract/endpoint.js';
import type { Fields } from '../../contract/field.js';
import {
  callingCode,
  decimalAmount,
  input,
  integer,
  list,
  notBlank,
  oneOf,
  optional,
  otpCode,
} from '../../contract/fields.js';
import { observedEndpoints } from '../../contract/observed/endpoints.js';
import type { ObservedSchema } from '../../contract/observed/schema.js';
import type { ObservedId } from '../endpoint-ids.js';
import { matchPath, type PathPattern, toPathPattern } from '../routing.js';
import { routeOf } from '../served-routes.js';
import { SIGN_IN_PATH } from './sign-in.js';
import { EVENT_STATUSES } from './webhook-events.js';

/** One observed call: its request line, its credentials and its fields. */
export type ObservedRow = {
  endpoint: Endpoint;
  pattern: PathPattern;
  /** Fields of query and body, by their names on the wire. */
  fields: Fields;
  /** The `grant_type` by which two calls at one path differ. */
  grant?: string | undefined;
};

const GRANT = 'grant_type';

const wallets = (id: Fields) => ({ wallets: list(input({ ...id, priority: integer })) });
const phone = { phoneCountryCode: callingCode };

/** What the service of the mock platform checks otherwise than the client, which leaves more to it. */
const RULES_OF_SERVICE: { readonly [Id in ObservedId]?: Fields } = {
  'user.registration.sendPhoneCode': phone,
  'user.registration.verifyPhone': { ...phone, verificationCode: otpCode },
  'wallets.external.setPriority': wallets({ id: integer }),
  'wallets.internal.setLinkedPriority': wallets({ addressId: notBlank }),
  'wallets.reward.withdraw': { amount: decimalAmount },
  'webhooks.events.list': { status: optional(oneOf(EVENT_STATUSES)) },
};

/** The fields of an input as it is sent. */
function sentFields(schema: object): Fields {
  const { field }: Partial<ObservedSchema<unknown>> = schema;
  return field?.parts.fields ?? {};
}

/** Returns the fields that a request must have on the wire: a client adds those with a default. */
function fieldsOnWire({ id, input: schema, path, wireNames = {} }: Endpoint): Fields {
  const inPath = placeholdersIn(path);
  const rules = { ...sentFields(schema), ...RULES_OF_SERVICE[id as ObservedId] };
  return Object.fromEntries(
    Object.entries(rules)
      .filter(([name]) => !inPath.includes(name))
      .map(([name, one]) => [wireNames[name] ?? name, one]),
  );
}

function rowOf(endpoint: Endpoint): ObservedRow {
  const { path, query = [], wireNames = {} } = endpoint;
  const fields = fieldsOnWire(endpoint);
  const grant = fields[GRANT];
  const isRefresh = grant !== undefined && check(grant, 'refresh_token').length === 0;
  return {
    endpoint: { ...endpoint, query: query.map((name) => wireNames[name] ?? name) },
    pattern: toPathPattern(path),
    fields,
    // A grant without a type is one of a code.
    ...(isRefresh && { grant: 'refresh_token' }),
  };
}

/** The page on which a user signs in, and its form. They are not calls: a browser opens them. */
const signInRow = (method: string): ObservedRow => ({
  endpoint: { ...routeOf(method, SIGN_IN_PATH), id: 'auth.oauth2.authorizeUrl' },
  pattern: toPathPattern(SIGN_IN_PATH),
  fields: {},
});

const CALLS = Object.values(observedEndpoints).map((endpoint) => rowOf(endpoint as Endpoint));

/** Every observed call. Of two that match a request, the first one is used. */
export const ROWS: readonly ObservedRow[] = [
  ...CALLS.filter(({ grant }) => grant !== undefined),
  ...CALLS.filter(({ grant }) => grant === undefined),
  signInRow('GET'),
  signInRow('POST'),
];

/** Every observed call, with the page. */
export const OBSERVED_ROUTES = ROWS.map(({ endpoint }) => endpoint);

/** Whether a call also accepts the fields of a form: one client sends its grants as a form. */
export const takesForm = ({ id }: Endpoint) => id.startsWith('auth.oauth2.');

/**
 * Finds the observed call of a request.
 *
 * @param bodyOf - returns the body as the row reads it: two calls at one path differ by a field of it
 */
export function findRow(
  method: string,
  path: string,
  bodyOf: (row: ObservedRow) => unknown,
): { row: ObservedRow; params: Readonly<Record<string, string>> } | undefined {
  for (const row of ROWS) {
    const params = row.endpoint.method === method ? matchPath(row.pattern, path) : undefined;
    if (params === undefined) continue;
    if (row.grant === undefined || Object(bodyOf(row))[GRANT] === row.grant) return { row, params };
  }
  return undefined;
}
