/** Why a proxy refused a request without asking the service. */
export type ProxyRefusalReason =
  | 'operation_not_allowed'
  | 'method_not_allowed'
  | 'cross_site'
  | 'origin_missing'
  | 'content_type_not_json'
  | 'body_too_large'
  | 'body_consumed'
  | 'body_unreadable'
  | 'request_malformed'
  | 'session_missing'
  | 'session_failed'
  | 'session_mismatch'
  | 'timeout'
  | 'page_gone'
  | 'proxy_failed';

const STATUSES: Readonly<Record<ProxyRefusalReason, number>> = {
  // Not 404: a page reads a 404 of the card as "the user has no card".
  operation_not_allowed: 403,
  method_not_allowed: 405,
  cross_site: 403,
  origin_missing: 403,
  content_type_not_json: 415,
  body_too_large: 413,
  body_consumed: 500,
  body_unreadable: 400,
  request_malformed: 400,
  session_missing: 401,
  session_failed: 503,
  session_mismatch: 401,
  // Not 408: browsers send a request again after one.
  timeout: 503,
  page_gone: 503,
  proxy_failed: 500,
};

/** A request that the proxy refuses. Nothing was sent to the service. */
export class Refusal {
  readonly status: number;

  /**
   * @param headers - of the response
   * @param operation - the id of an endpoint that is known, but not served
   */
  constructor(
    readonly reason: ProxyRefusalReason,
    readonly message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly cause?: unknown,
    readonly operation?: string,
  ) {
    this.status = STATUSES[reason];
  }
}

/** The refusal of a body that something else has read. */
export const bodyConsumed = () =>
  new Refusal(
    'body_consumed',
    'The body was read before the proxy got it: mount the proxy before body parsers.',
  );

/** The refusal of a request whose parts programs may read in different ways. */
export const malformed = (what: string) =>
  new Refusal('request_malformed', `The ${what} is malformed.`);
