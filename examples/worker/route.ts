import { card, type Env, hooks, type Store } from './worker.js';

// The same handlers as Next.js has them: `app/api/card/route.ts` exports GET, `app/hooks/route.ts`
// exports POST. Both are here, in one file, because neither name is taken twice.

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is not set`);
  return value;
}

function memory(): Store {
  const entries = new Map<string, string>();
  return {
    get: async (key) => entries.get(key) ?? null,
    put: async (key, value) => void entries.set(key, value),
  };
}

/** Yours are in a store that all instances share. */
export const stores = { SESSIONS: memory(), EVENTS: memory() };

// Read at each request: nothing is needed to build or to import this.
const env = (): Env => ({
  PLATFORM_URL: fromEnvironment('PLATFORM_URL'),
  CLIENT_KEY: fromEnvironment('CLIENT_KEY'),
  WEBHOOK_KEYS: fromEnvironment('WEBHOOK_KEYS'),
  WEBHOOK_KEY_IS_CHANGING: process.env['WEBHOOK_KEY_IS_CHANGING'],
  ...stores,
});

export const GET = (request: Request): Promise<Response> => card(request, env());
export const POST = (request: Request): Promise<Response> => hooks(request, env());
