import type { Open } from '../contract/common.js';
import type { Endpoint } from '../contract/endpoint.js';
import type { EndpointId } from '../contract/endpoints.js';
import { isObject } from '../contract/formats/is-object.js';
import type { Row } from '../contract/lookup.js';
import { ConfigurationError, isApiError } from '../errors/index.js';
import type { AccessToken } from '../transport/credentials/credentials.js';
import type { Region } from '../transport/request/wire-request.js';
import { serviceTime } from '../transport/response/http-response.js';
import { type LookupClient, OF_USER } from '../transport/settings/journal-option.js';
import type { JournalEvidence } from './journal-types.js';

type ReadOptions = {
  region: Region;
  accessToken: AccessToken | undefined;
  signal: AbortSignal | undefined;
  /** The user whose data they are to be; `undefined` if that is not known yet. */
  user?: string | undefined;
};

/** The reads of one reconciliation: all with the same token, and with the region of the entry. */
export class Reads {
  readonly #send: LookupClient['send'];
  readonly #options: ReadOptions;
  readonly #isProxied: boolean;
  /** The service's times of all responses. */
  readonly #times: (number | undefined)[] = [];
  /** The evidence of the reads so far. */
  readonly evidence: JournalEvidence[] = [];

  constructor({ send, isProxied }: Pick<LookupClient, 'send' | 'isProxied'>, options: ReadOptions) {
    this.#send = send;
    this.#isProxied = isProxied;
    this.#options = options;
  }

  /** The reads that follow, of this user's data. Those so far count too. */
  of(user: string): Reads {
    const reads = new Reads(
      { send: this.#send, isProxied: this.#isProxied },
      { ...this.#options, user },
    );
    reads.#times.push(...this.#times);
    return reads;
  }

  /** When the service responded, by its own clock; `undefined` unless every response shows it. */
  get times(): { readonly earliest: number; readonly latest: number } | undefined {
    const known = this.#times.filter((time) => time !== undefined);
    if (known.length === 0 || known.length < this.#times.length) return undefined;
    return { earliest: Math.min(...known), latest: Math.max(...known) };
  }

  /**
   * Reads an endpoint. `null` when the service responds that the user has no card; `undefined` after
   * any other 404, which a proxy may have sent.
   *
   * @throws the errors of the read, except a 404; ConfigurationError for an endpoint that is not a read
   */
  async read<Input>(endpoint: Endpoint<Input>, input: Input): Promise<unknown> {
    if (endpoint.retry.class !== 'safe' || endpoint.retryWhen !== undefined) {
      throw new ConfigurationError('read', 'the journal calls only endpoints of class safe.');
    }
    const { region, accessToken, signal, user } = this.#options;
    try {
      const { data, headers } = await this.#send(endpoint, input, {
        region,
        signal,
        [OF_USER]: user,
        ...(accessToken !== undefined && { accessToken }),
      }).withResponse();
      this.#times.push(serviceTime(headers, this.#isProxied));
      return data;
    } catch (error) {
      if (isApiError(error) && error.status === 404) {
        this.#times.push(serviceTime(new Headers(error.headers), this.#isProxied));
        return error.code === 'card_not_found' ? null : undefined;
      }
      throw error;
    }
  }

  /** Reads a list; `undefined` when a row is not an object, because it could be about anything. */
  async list<Input>(endpoint: Endpoint<Input>, input: Input): Promise<readonly Row[] | undefined> {
    return this.rowsOf(await this.read(endpoint, input));
  }

  /** The rows of a list; `undefined` when one of them is not an object. */
  rowsOf(data: unknown): readonly Row[] | undefined {
    return Array.isArray(data) && data.every(isObject) ? data : undefined;
  }

  /** Adds rows of a read to the evidence, with these fields only. */
  show(source: Open<EndpointId>, rows: readonly Row[], fields: readonly string[]): void {
    const found = rows.map((row) =>
      Object.fromEntries(fields.flatMap((name) => (name in row ? [[name, row[name]]] : []))),
    );
    this.evidence.push({ source, found });
  }
}
