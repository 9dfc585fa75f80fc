import { card, type Env, hooks, type Store } from './worker.js';

// The same handlers as Next.js routes. `app/api/card/route.ts` exports GET, and `app/hooks/route.ts`
// exports POST. Here both are in one file, because their names differ.

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

function memoryStore(): Store {
  const entries = new Map<string, string>();
  return {
    get: async (key) => entries.get(key) ?? null,
    put: async (key, value) => void entries.set(key, value),
  };
}

/** In production, use a store that all instances share. */
export const stores = { SESSIONS: memoryStore(), EVENTS: memoryStore() };

// Read at each request, so that a build or an import needs no environment.
const env = (): Env => ({
  PLATFORM_URL: fromEnvironment('PLATFORM_URL'),
  CLIENT_KEY: fromEnvironment('CLIENT_KEY'),
  WEBHOOK_KEYS: fromEnvironment('WEBHOOK_KEYS'),
  WEBHOOK_KEY_IS_CHANGING: process.env['WEBHOOK_KEY_IS_CHANGING'],
  ...stores,
});

export const GET = (request: Request): Promise<Response> => card(request, env());
export const POST = (request: Request): Promise<Response> => hooks(request, env());
