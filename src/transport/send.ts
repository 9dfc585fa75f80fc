import type { Endpoint } from '../contract/endpoint.js';
import { ConfigurationError } from '../errors/index.js';
import type { ClientJournal } from '../journal/journal-types.js';
import { declareRawRequest, type Method, type RawRequest } from './declare/raw-request.js';
import { copyInput } from './request/copy-input.js';
import { validateInput } from './request/validate.js';
import type { Region } from './request/wire-request.js';
import { PlatformPromise } from './response/platform-promise.js';
import { runCall } from './run-call.js';
import { type CheckedCall, checkCall } from './settings/check-call.js';
import { journalOfClient } from './settings/journal-option.js';
import type { RequestOptions, SchemaOption } from './settings/options.js';
import type { Settings } from './settings/settings.js';

/** The property of a client that holds its `Send` function. */
// From the global registry, so that the ESM copy accepts a client of the CommonJS copy.
export const SEND: unique symbol = Symbol.for('card-platform-sdk.send');

/** The property of a `Send` function that returns the settings of its client. */
const SETTINGS: unique symbol = Symbol.for('card-platform-sdk.settings');

/** Any client: an object that sends calls to endpoints. */
export type Sender = { readonly [SEND]: Send };

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
   * The settings of the client, behind a function so that nothing prints them. Typed as an object: with
   * its class in the type, a client of the ESM copy would not fit where one of the CommonJS copy is
   * expected.
   *
   * @internal
   */
  readonly [SETTINGS]?: () => object;
};

/** Checks a call, then runs it. */
function startCall<Output>(check: () => CheckedCall): PlatformPromise<Output> {
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
    startCall<Output>(() => checkCall(settings, endpoint, input, options));
  return Object.defineProperty(send, SETTINGS, { value: () => settings });
}

/** The settings behind a `Send` function; `undefined` for one that wraps that of a client. */
function settingsBehind(send: Send | undefined): Settings | undefined {
  return send?.[SETTINGS]?.() as Settings | undefined;
}

// For callers without types: only a client has this property.
const sendIn = (client: Sender): Send | undefined => Object(client)[SEND];

/**
 * Returns the function that sends the calls of a client.
 *
 * @throws ConfigurationError when it is not a client
 */
export function sendOf(client: Sender): Send {
  const send = sendIn(client);
  if (send !== undefined) return send;
  throw new ConfigurationError(
    'client',
    'client must be a CardPlatformClient, or come from createClient().',
  );
}

/**
 * Returns the settings of a client whose own method was called.
 *
 * @throws ConfigurationError when it is not a client
 */
export function settingsOf(client: Sender): Settings {
  const settings = settingsBehind(sendIn(client));
  if (settings !== undefined) return settings;
  throw new ConfigurationError(
    'client',
    'a method was called on an object that is not a client. Call it on the client itself, not on a copy of it.',
  );
}

/** The credentials of a client, which no response to somebody else may contain. */
export function credentialsOf(client: Sender): readonly string[] {
  return settingsBehind(client[SEND])?.credentials.secrets() ?? [];
}

/** The credentials that a client sends to an endpoint: those of its option, or of the contract. */
export function credentialsFor(client: Sender, endpoint: Endpoint): Endpoint['credentials'] {
  return settingsBehind(client[SEND])?.credentials.of(endpoint) ?? endpoint.credentials;
}

/** The region of a client; `undefined` for one that only passes calls on. */
export function regionOf(client: Sender): Region | undefined {
  return settingsBehind(client[SEND])?.request.region;
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
  const settings = settingsBehind(send);
  if (settings !== undefined) validateInput(endpoint, copy, settings.request.additions);
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
  return startCall<Output>(() => {
    const { endpoint, input, options } = declareRawRequest(contract, method, path, request);
    return checkCall(settings, endpoint, input, options);
  });
}
