import { CardPlatformClient, type CardPlatformError } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import type { Endpoint } from '../../src/contract/endpoint.js';
import type { EndpointId } from '../../src/contract/endpoints.js';
import { RECOGNISED_ERRORS, type RefusalCode } from '../../src/contract/recognised-errors.js';
import { documentedErrorResponse } from '../../src/testing/error-responses.js';
import { sampleCall } from '../../test/support/calls.js';

/** A failure of an endpoint, as the client reports it. */
export type EndpointError = {
  /** The status, or what happened to the connection. */
  what: string;
  code: CardPlatformError['code'];
  /** The message of the service; empty where nothing documents it. */
  message: string;
  outcome: CardPlatformError['outcome'];
};

type Options = Pick<ConstructorParameters<typeof CardPlatformClient>[0], 'fetch' | 'baseUrl'>;

/** Makes the sample call of an endpoint with a client, and returns its error. */
async function errorFrom(
  id: EndpointId,
  options: Options,
): Promise<(CardPlatformError & { serverMessage?: string | undefined }) | undefined> {
  const client = new CardPlatformClient({
    clientKey: 'key',
    clientId: 'id',
    secretKey: 'secret',
    accessToken: 'token',
    // No waits between attempts.
    random: () => 0,
    ...options,
  });
  return Promise.resolve(sampleCall(id).invoke(client)).then(
    () => undefined,
    (error) => error,
  );
}

/** A response of the service. */
type Reply = {
  status: number;
  body: object;
  /** The code that it must lead to, where another one would be shown elsewhere. */
  code?: RefusalCode | undefined;
  /** Whether the contract documents the message. */
  isDocumented: boolean;
};

/** Messages for refusals that the contract describes without one. */
const SAMPLES: Readonly<Partial<Record<RefusalCode, string>>> = {
  account_locked: 'Account is locked',
  account_disabled: 'Account is disabled',
  invalid_credentials: 'Invalid email or password',
  invalid_otp: 'Invalid code',
  user_not_verified: 'User is not verified',
  webhook_limit_reached: 'Maximum webhook limit reached',
};

/** How a message of the mock platform begins where the contract documents none. */
const PLANNED = 'Planned failure';

/** The refusals of an endpoint that have a name. */
function namedReplies({ id, businessErrors }: Endpoint): Reply[] {
  const documented = businessErrors.map(({ code, status, messages: [message] }) => ({
    status,
    body: { message: message.charAt(0).toUpperCase() + message.slice(1) },
    code,
    isDocumented: true,
  }));
  const recognised = RECOGNISED_ERRORS.filter(
    ({ endpoints }) => endpoints !== '*' && endpoints.some((one) => one === id),
  ).flatMap(({ code, statuses: [status = 400] }) => [
    { status, body: { message: SAMPLES[code] ?? 'Refused' }, code, isDocumented: false },
  ]);
  return [...documented, ...recognised];
}

/** The responses of the service with an error status. */
function repliesOf(endpoint: Endpoint, statuses: readonly number[]): Reply[] {
  const otpRequired = {
    status: 400,
    body: { message: 'A code is required', isOtpRequired: true },
    isDocumented: false,
  };
  return [
    ...namedReplies(endpoint),
    ...(endpoint.id === 'auth.login' ? [otpRequired] : []),
    ...statuses.map((status) => ({
      status,
      body: Object(documentedErrorResponse(endpoint.id, status).body),
      isDocumented: true,
    })),
    { status: 429, body: { message: 'Too many requests' }, isDocumented: false },
  ];
}

/** The errors of an endpoint, each code and outcome once, for the statuses of its description. */
export async function errorsOf(
  endpoint: Endpoint,
  statuses: readonly number[],
): Promise<EndpointError[]> {
  const id = endpoint.id as EndpointId;
  const seen = new Map<string, EndpointError>();
  const add = (what: string, error: CardPlatformError, message = '') => {
    const { code, outcome } = error;
    const key = `${code} ${outcome}`;
    const known = seen.get(key);
    if (known === undefined) seen.set(key, { what, code, message, outcome });
    // A refusal without a documented message may still have one in an example of its status.
    else if (known.what === what && known.message === '') known.message = message;
  };
  for (const { status, body, code, isDocumented } of repliesOf(endpoint, statuses)) {
    const fetch = async () => Response.json(body, { status });
    const error = await errorFrom(id, { baseUrl: 'https://api.example.com', fetch });
    if (error === undefined || (code !== undefined && error.code !== code)) continue;
    const message = isDocumented ? error.serverMessage : undefined;
    add(`${status}`, error, message?.startsWith(PLANNED) ? '' : message);
  }
  for (const how of ['refused', 'after-processing'] as const) {
    const mock = createMockPlatform();
    mock.drop(id, how, { times: 100 });
    const error = await errorFrom(id, { baseUrl: mock.baseUrl, fetch: mock.fetch });
    if (error !== undefined) add(how === 'refused' ? 'no connection' : 'lost response', error);
  }
  return [...seen.values()];
}
