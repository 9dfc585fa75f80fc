import { request as requestOverHttp } from 'node:http';
import { request as requestOverTls } from 'node:https';

/**
 * Sends JSON, and returns the status of the response, or `undefined` without one. Over https, `ca`
 * replaces the authorities that Node.js trusts; `fetch` has no option for that.
 */
export function postJson(
  url: string,
  input: unknown,
  ca: string | undefined,
): Promise<number | undefined> {
  const send = new URL(url).protocol === 'https:' ? requestOverTls : requestOverHttp;
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const options = { method: 'POST', headers, ...(ca !== undefined && { ca }) };
    const request = send(url, options, (response) => {
      response.once('error', () => resolve(undefined));
      response.once('end', () => resolve(response.statusCode));
      response.resume();
    });
    request.once('error', () => resolve(undefined));
    request.end(JSON.stringify(input));
  });
}
