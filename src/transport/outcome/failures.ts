/** A response body is longer than its limit. */
export class BodyTooLong {
  /** @param limit - bytes */
  constructor(readonly limit: number) {}
}

/** A response body is not UTF-8. */
export class BodyNotText {}

/** What a `fetch` returned is not a `Response`; the text completes "The fetch … returned". */
export class NotAResponse {
  constructor(readonly what: string) {}
}

/** What a `fetch` returned has no body that can be read as text. */
export class BodyMissing {}
