/** A response body is longer than its limit. */
export class BodyTooLong {
  /** @param limit - bytes */
  constructor(readonly limit: number) {}
}

/** A response body is not UTF-8. */
export class BodyNotText {}

/** A `fetch` returned something that is not a `Response`; `what` completes "The fetch … returned". */
export class NotAResponse {
  constructor(readonly what: string) {}
}

/** A `fetch` followed a redirect by itself, so the response may not come from the service. */
export class FollowedRedirect {
  /** @param origin - of the target; `undefined` where it is not known */
  constructor(readonly origin: string | undefined) {}
}

/** The response of a `fetch` has no body that can be read. */
export class BodyMissing {
  /**
   * @param reader - the function that reads it whole, or its `stream`
   * @param isThere - whether the response has this reader, and it returned something else
   */
  constructor(
    readonly reader: 'text' | 'arrayBuffer' | 'stream' = 'text',
    readonly isThere = false,
  ) {}
}
