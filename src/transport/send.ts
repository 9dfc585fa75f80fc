import type { Endpoint } from '../contract/endpoint.js';
import { ConfigurationError } from '../errors/index.js';
import type { ClientJournal } from '../journal/journal-types.js';
import { CREDENTIALS } from './credentials/credentials.js';
import { declareRawRequest, type Method, type RawRequest } from './declare/raw-request.js';
import { copyInput } from './request/copy-input.js';
import { PlatformPromise } from './response/platform-promise.js';
import { checkInput as checkCopy, runCall } from './run-call.js';
import { type CheckedCall, checkCall } from './settings/check-call.js';
import { journalOfClient } from './settings/journal-option.js';
import type { RequestOptions, SchemaOption } from './settings/options.js';
import type { Settings } from './settings/settings.js';

/** The property of a client that holds its `Send` function. */
// From the global registry, so that the ESM copy accepts a client of the CommonJS copy.
export const SEND: unique symbol = Symbol.for('card-platform-sdk.send');

/** The credentials of a client, which no response to somebody else may contain. */
export function credentialsOf(client: Sender): readonly string[] {
  return client[SEND][CREDENTIALS]?.() ?? [];
}

/** Any client: an object that sends calls to endpoints. */
export type Sender = { readonly [SEND]: Send };

/**
 * Returns the function that sends the calls of a client.
 *
 * @throws ConfigurationError when it is not a client
 */
export function sendOf(client: Sender): Send {
  // For callers without types: only a client has this property.
  const send: Send | undefined = Object(client)[SEND];
  if (send !== undefined) return send;
  throw new ConfigurationError(
    'client',
    'client must be a CardPlatformClient, or come from createClient().',
  );
}

/** Sends a call to an endpoint. Every resource method uses it. */
export type Send = {
  <Input, Output>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    options: RequestOptions | undefined,
  ): PlatformPromise<Output>;
  <Input, Output>(
    endpoint: Endpoint<Input>,
    input: Input,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  /**
   * The credentials of the client, which a proxy redacts.
   *
   * @internal
   */
  readonly [CREDENTIALS]?: () => readonly string[];
};

const settingsOf = new WeakMap<Send, Settings>();

function dispatch<Output>(check: () => CheckedCall): PlatformPromise<Output> {
  // Refused options reject the promise, as everything else that goes wrong with a call.
  const run = async () => runCall(check());
  return new PlatformPromise<Output>(run());
}

/**
 * Returns the function that sends the calls of a client. A call copies its input and checks its
 * options at once, so later changes by the caller have no effect. Everything else is in `run-call.ts`.
 */
export function createSend(settings: Settings): Send {
  const send: Send = <Output>(endpoint: Endpoint, input: unknown, options: RequestOptions = {}) =>
    dispatch<Output>(() => checkCall(settings, endpoint, input, options));
  settingsOf.set(send, settings);
  const value = () => settings.credentials.secrets();
  return Object.defineProperty(send, CREDENTIALS, { value });
}

/** Returns the journal of a client: what its option `journal` lists and looks up with its token. */
export function clientJournal(settings: Settings, send: Send): ClientJournal {
  const { journal, attempts, credentials, request } = settings;
  const { tokens } = credentials;
  const { isProxied } = request;
  return journalOfClient(journal, { send, clock: attempts.clock, tokens, isProxied });
}

/**
 * Checks an input exactly as sending it would, and sends nothing.
 *
 * @throws RequestValidationError
 */
export async function checkInput(send: Send, endpoint: Endpoint, input: unknown): Promise<void> {
  const copy = copyInput(input);
  const settings = settingsOf.get(send);
  if (settings !== undefined) checkCopy(settings, endpoint, copy);
}

/**
 * Sends a request to an endpoint that has no method.
 *
 * @param contract - the endpoints that have a method
 */
export function sendRaw<Output>(
  settings: Settings,
  contract: readonly Endpoint[],
  method: Method,
  path: string,
  request: RawRequest<Output>,
): PlatformPromise<Output> {
  return dispatch<Output>(() => {
    const { endpoint, input, options } = declareRawRequest(contract, method, path, request);
    return checkCall(settings, endpoint, input, options);
  });
}
