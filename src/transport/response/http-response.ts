/** The headers of a response. Names are compared without case. */
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
};

/** The headers of a response that nobody has. */
export const NO_HEADERS: ResponseHeaders = { get: () => null, toHeaders: () => new Headers() };
