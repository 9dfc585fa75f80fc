/** The headers of a response. Names are case-insensitive. */
export type ResponseHeaders = {
  get(name: string): string | null;
  /** A copy, as the platform's own class. */
  toHeaders(): Headers;
};

/** A whole response, its body read. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  /** The body as it is, where the endpoint asks for bytes; `text` is then empty. */
  readonly bytes?: Uint8Array;
};

/** A response with the body that was read. */
export function responseWith(
  status: number,
  headers: ResponseHeaders,
  body: string | Uint8Array,
): HttpResponse {
  return typeof body === 'string'
    ? { status, headers, text: body }
    : { status, headers, text: '', bytes: body };
}
