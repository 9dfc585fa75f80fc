import { type CardPlatformError, isCardPlatformError } from '../../errors/index.js';
import { type HttpResponse, requestIdOf } from './http-response.js';

/** A result together with the metadata of its HTTP response. */
export type WithResponse<T> = {
  data: T;
  status: number;
  headers: Headers;
  /** The id that the service gave the request; `undefined` when it gave none. */
  requestId: string | undefined;
};

/** The result of `.safe()`: a result, or the error as a value. */
export type SafeResult<T> =
  | { ok: true; data: T; error?: undefined }
  | { ok: false; error: CardPlatformError; data?: undefined };

/** A success response, and a function that reads the result from it. */
export type CallResponse = { readonly response: HttpResponse; readonly read: () => unknown };

/**
 * The promise of a call. Await it for the result, or get more with {@link withResponse},
 * {@link raw} or {@link safe}. The request is sent once, no matter how many of them you use.
 */
export class PlatformPromise<T> extends Promise<T> {
  readonly #delivered: Promise<CallResponse>;
  #result: Promise<T> | undefined;

  constructor(delivered: Promise<CallResponse>) {
    // The parent promise is never settled: the methods below read the response on demand.
    super(() => {});
    this.#delivered = delivered;
  }

  /**
   * Returns the result with status, headers and request id.
   *
   * @throws what the call throws
   *
   * @example
   * ```ts
   * const { data, requestId } = await userClient.card.status().withResponse();
   * console.log(data.status, requestId);
   * ```
   */
  async withResponse(): Promise<WithResponse<T>> {
    const { response } = await this.#delivered;
    const { status, headers } = response;
    const data = await this.#settle();
    return { data, status, headers: headers.toHeaders(), requestId: requestIdOf(headers) };
  }

  /**
   * Returns the success response, unchecked: its body may say `success: false`.
   *
   * @throws the same errors as the call, except those about the contents of a success response
   *
   * @example
   * ```ts
   * const response = await userClient.card.status().raw();
   * console.log(response.status, await response.text());
   * ```
   */
  async raw(): Promise<Response> {
    const { status, headers, text, bytes } = (await this.#delivered).response;
    const body = bytes === undefined ? text : new Uint8Array(bytes);
    const hasNoBody = status === 204 || status === 205;
    return new Response(hasNoBody ? null : body, { status, headers: headers.toHeaders() });
  }

  /**
   * Returns the result or the error as a value. Rejects only with errors that are not of this
   * package: the reason of an abort, or what your own middleware or token provider threw.
   *
   * @example
   * ```ts
   * const result = await userClient.card.freeze().safe();
   * if (!result.ok) console.log(result.error.code, result.error.outcome);
   * ```
   */
  async safe(): Promise<SafeResult<T>> {
    try {
      return { ok: true, data: await this.#settle() };
    } catch (error) {
      if (isCardPlatformError(error)) return { ok: false, error };
      throw error;
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise must have one.
  override then<R = T, E = never>(
    onFulfilled?: ((value: T) => R | PromiseLike<R>) | null,
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#settle().then(onFulfilled, onRejected);
  }

  override catch<E = never>(
    onRejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<T | E> {
    return this.#settle().catch(onRejected);
  }

  override finally(onFinally?: (() => void) | null): Promise<T> {
    return this.#settle().finally(onFinally);
  }

  #settle(): Promise<T> {
    this.#result ??= this.#delivered.then(({ read }) => read() as T | Promise<T>);
    return this.#result;
  }
}
