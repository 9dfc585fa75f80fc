import type { Sandbox } from '../../src/sandbox/server.js';

/** Runs an action as a program in another language does. A text is sent as it is. */
export async function runAction(
  { url }: Sandbox,
  name: string,
  input: unknown,
  type = 'application/json',
) {
  const body = typeof input === 'string' ? input : JSON.stringify(input);
  const response = await fetch(`${url}/sandbox/actions/${name}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
