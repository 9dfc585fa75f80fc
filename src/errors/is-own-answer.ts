import type { ApiError } from './api-error.js';

/** Whether an error response has words of the service: a server in front of it sends pages and empty ones. */
export function isOwnAnswer({ isPage, isJson, serverMessage }: ApiError): boolean {
  return !isPage && (isJson || serverMessage !== undefined);
}

/** Whether the service refused a token or a login. Many services say so with an empty 401. */
export function refusesLogin(error: ApiError): boolean {
  if (error.status === 401) return !error.isPage;
  return (error.status === 400 || error.status === 403) && isOwnAnswer(error);
}
