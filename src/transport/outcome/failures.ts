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

/** The response of a `fetch` has no body that can be read. */
export class BodyMissing {
  /** @param reader - the function that would read it whole */
  constructor(readonly reader: 'text' | 'arrayBuffer' = 'text') {}
}
