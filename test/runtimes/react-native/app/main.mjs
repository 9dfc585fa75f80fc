// Entry of the app: React Native's own start-up code, then a function that the test calls.
import 'react-native/Libraries/Core/InitializeCore';
import { runChecks } from '../../suite/run-checks.mjs';
import { entries } from './entries.mjs';
import { globals } from './globals.mjs';

// Loaded in turn, so that a file that cannot be loaded fails only its own checks.
const GROUPS = {
  'globals of the room': async () => globals,
  entries: async () => entries,
  responses: async () => (await import('./responses.mjs')).responses,
  requests: async () => (await import('./requests.mjs')).requests,
  helpers: async () => (await import('./helpers.mjs')).helpers,
  'stored by the app': async () => (await import('./stored.mjs')).stored,
  'OAuth of the app': async () => (await import('./oauth.mjs')).oauth,
  delegations: async () => (await import('./delegations.mjs')).delegations,
  'for servers only': async () => (await import('./servers-only.mjs')).serversOnly,
};

globalThis.runInApp = async (options) => {
  const results = [];
  const run = async (group, load) => {
    try {
      results.push(...(await load()));
    } catch (error) {
      results.push({ name: `${group}: load`, failure: `${error?.name}: ${error?.message}` });
    }
  };
  for (const [group, load] of Object.entries(GROUPS)) {
    await run(group, async () => runChecks(group, await load(), options));
  }
  await run('suite', async () => (await import('../../suite/index.mjs')).runSuite(options));
  return results;
};
