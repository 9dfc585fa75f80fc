import type { ApiError } from './api-error.js';

/** Whether an error was made from a page of a server in front of the service. */
export function isErrorPage({ status, next, headers, serverMessage }: ApiError): boolean {
  // The next step after a 401 follows from the text of the response, whatever type its header names.
  if (status === 401) return next === 'contact';
  return /\bx?html\b/i.test(headers['content-type'] ?? '') && serverMessage === undefined;
}
