import { expect } from 'vitest';
import { RequestValidationError, type ValidationIssue } from '../../src/errors/index.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { callWith } from './bad-input.js';

/** Makes a call that must be refused before anything is sent, and returns the issues. */
export async function refusedIssues(
  operation: string,
  input: unknown,
  options: Partial<ClientOptions> = {},
): Promise<readonly ValidationIssue[]> {
  const { fetch, requests } = scriptedFetch(json({ success: true }));
  const client = clientFor('https://api.example.com', { fetch, ...options });
  const error = await rejection(callWith(client, operation, input));
  expect(error).toBeInstanceOf(RequestValidationError);
  expect(error).toMatchObject({ operation, outcome: 'not_sent', attempts: 0 });
  expect(requests).toHaveLength(0);
  return (error as RequestValidationError).issues;
}

/** Expects that a call is refused because of one field. */
export async function expectRefusal(operation: string, input: unknown, field: string) {
  const issues = await refusedIssues(operation, input);
  const paths = issues.map(({ path }) => path);
  expect(paths.some((path) => path === field || path.startsWith(`${field}.`))).toBe(true);
  return issues;
}

/** Makes a call that must be sent, and returns the URL and body of its request. */
export async function sentRequest(
  operation: string,
  input: unknown,
  options: Partial<ClientOptions> = {},
): Promise<{ url: string; body: unknown }> {
  const { fetch, requests } = scriptedFetch(json({ success: true }));
  const client = clientFor('https://api.example.com', { fetch, ...options });
  // The response fits few of the endpoints: only the request counts.
  await Promise.resolve(callWith(client, operation, input)).catch((error: unknown) => {
    expect(error).not.toBeInstanceOf(RequestValidationError);
  });
  expect(requests).toHaveLength(1);
  const { url = '', init } = requests[0] ?? {};
  return { url, body: init?.body === undefined ? undefined : JSON.parse(String(init.body)) };
}
