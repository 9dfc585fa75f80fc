import type { observedEndpoints } from '../contract/observed/endpoints.js';
import { call, type Endpoint, type Sender } from '../endpoints/index.js';
import type { PlatformPromise, RequestOptions } from '../index.js';

/** Endpoints of `override` in place of the observed ones, by id. */
export type ObservedOverrides = {
  readonly [Id in keyof typeof observedEndpoints]?:
    | ((typeof observedEndpoints)[Id] extends Endpoint<infer Input, infer Output>
        ? Endpoint<Input, Output>
        : never)
    | undefined;
};

/**
 * The base of every namespace. The client is private, so that nothing that prints or serialises a
 * namespace shows its credentials.
 *
 * @internal
 */
export abstract class ObservedCalls {
  readonly #client: Sender;
  readonly #overrides: ObservedOverrides;

  constructor(client: Sender, overrides: ObservedOverrides) {
    this.#client = client;
    this.#overrides = overrides;
  }

  /** Returns the override of an endpoint, or else the observed endpoint. */
  protected endpoint<Input, Output>(observed: Endpoint<Input, Output>): Endpoint<Input, Output> {
    const given: Readonly<Record<string, unknown>> = this.#overrides;
    return (given[observed.id] ?? observed) as Endpoint<Input, Output>;
  }

  /** Sends a call. */
  protected send<Input, Output>(
    observed: Endpoint<Input, Output>,
    input: Input,
    options: RequestOptions | undefined,
  ): PlatformPromise<Output> {
    return this.sendAs(this.endpoint(observed), input, options);
  }

  /** Sends a call to exactly this endpoint. */
  protected sendAs<Input, Output>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    options: RequestOptions | undefined,
  ): PlatformPromise<Output> {
    return call(this.#client, endpoint, input, options);
  }
}
