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
