import { ACTIONS } from './actions.js';
import type { ControlAction } from './control-action.js';
import { complete, FLAG, type Schema, TEXT, TEXT_OR_NULL } from './schema.js';

const COUNT_OR_NULL: Schema = { anyOf: [{ type: 'integer' }, { type: 'null' }] };
const listOf = (items: Schema): Schema => ({ type: 'array', items });

const USER = complete({
  id: TEXT,
  tenant: TEXT,
  isLinked: FLAG,
  email: TEXT,
  verificationState: TEXT,
  isDisabled: FLAG,
  isLocked: FLAG,
  environment: { enum: ['global', 'us'] },
  otp: { ...TEXT_OR_NULL, description: 'The one-time code that was sent, while it is valid.' },
  card: {
    anyOf: [complete({ status: TEXT, panLast4: TEXT, holderName: TEXT }), { type: 'null' }],
  },
  creditWallet: complete({ id: TEXT, balance: TEXT, isWithdrawable: FLAG }),
  internalWallets: listOf(
    complete({ network: TEXT, currency: TEXT, balance: TEXT, addressId: TEXT, isLinked: FLAG }),
  ),
  externalWallets: listOf(
    complete({ address: TEXT, currency: TEXT, balance: TEXT, allowance: TEXT, network: TEXT }),
  ),
  orders: listOf({ type: 'object' }),
});

/** The schema of `publicState`. */
const STATE: Schema = complete({
  now: { type: 'string', description: "The platform's time, in ISO 8601." },
  clockAhead: {
    type: 'number',
    description: 'Milliseconds by which the time of the platform is ahead of real time.',
  },
  baseUrl: TEXT,
  choices: { type: 'object' },
  tenants: listOf(TEXT),
  users: listOf(USER),
  messages: listOf(
    complete({
      channel: { enum: ['email', 'phone'] },
      to: TEXT,
      purpose: TEXT,
      code: { type: 'string', description: 'Six digits.' },
      sentAt: TEXT,
    }),
  ),
  deliveries: listOf(
    complete({
      eventId: TEXT,
      eventType: TEXT,
      url: TEXT,
      attemptNumber: { type: 'integer' },
      status: COUNT_OR_NULL,
      deliveryStatus: TEXT,
    }),
  ),
  requests: listOf(
    complete({
      operation: { ...TEXT_OR_NULL, description: 'Id of the endpoint.' },
      method: TEXT,
      path: TEXT,
      status: {
        ...COUNT_OR_NULL,
        description: 'null while there is no response, and when the connection broke.',
      },
    }),
  ),
});

/** The schema of a snapshot: its state is plain data that only this version reads. */
const SNAPSHOT: Schema = complete({
  state: { type: 'object' },
  now: { type: 'number' },
  ids: { type: 'integer' },
});

const DESCRIPTION = `Controls the mock platform behind the sandbox: users, time, faults, events, snapshots. For tests in any language and for end-to-end suites. The API of the platform itself is described by /openapi.json.`;

const json = (schema: object, example?: object) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const refusal = (description: string) => ({ description, content: json(reference('Error')) });

const REFUSALS = {
  '403': { $ref: '#/components/responses/Forbidden' },
  '421': { $ref: '#/components/responses/OtherHost' },
};

const read = (operationId: string, summary: string, schema: object) => ({
  get: {
    operationId,
    summary,
    responses: { '200': { description: 'Done.', content: json(schema) }, ...REFUSALS },
  },
});

function operation(operationId: string, { summary, input, example, result }: ControlAction) {
  const responses = {
    '200': { description: 'Done.', content: json(result ?? reference('State')) },
    '400': { $ref: '#/components/responses/Refused' },
    ...REFUSALS,
    '413': { $ref: '#/components/responses/TooLong' },
    '415': { $ref: '#/components/responses/OtherType' },
  };
  const requestBody = { required: true, content: json(input, example) };
  return { post: { operationId, summary, requestBody, responses } };
}

/** Returns the OpenAPI document of the routes under `/sandbox`. */
export function controlOpenApi(baseUrl: string) {
  const schemas: Readonly<Record<string, Schema>> = {
    State: STATE,
    Snapshot: SNAPSHOT,
    Error: complete({ error: TEXT }),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'card-platform-sandbox control',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    // Access depends on the host and the page that asks, not on a credential.
    security: [],
    paths: {
      '/sandbox/state': read('getState', 'Returns the state', reference('State')),
      '/sandbox/snapshot': read(
        'getSnapshot',
        'Returns a snapshot, for restoreSnapshot and for --seed. It contains passwords and keys of the mock',
        reference('Snapshot'),
      ),
      ...Object.fromEntries(
        Object.entries(ACTIONS).map(([name, action]) => [
          `/sandbox/actions/${name}`,
          operation(name, action),
        ]),
      ),
    },
    components: {
      schemas,
      responses: {
        Refused: refusal('The input is not valid, or the state does not allow it.'),
        Forbidden: refusal('A page of another site sent the request.'),
        OtherHost: refusal('Host is neither this machine nor an allowed host.'),
        TooLong: refusal('The body is too long.'),
        OtherType: refusal('The body is neither JSON nor a form.'),
      },
    },
  };
}
