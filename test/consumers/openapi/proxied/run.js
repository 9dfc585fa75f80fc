import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

// The journey and the conformance suite of the repository, with Prism between client and mock. They run
// from the repository, with its own Vitest; Prism comes from this project.
const repository = process.env.CARD_PLATFORM_SDK_REPOSITORY;
if (repository === undefined)
  throw new Error('CARD_PLATFORM_SDK_REPOSITORY must name the repository');
const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
const config = join(repository, 'test/consumers/openapi/proxied/vitest.config.js');
execFileSync(process.execPath, [vitest, 'run', '--config', config], {
  cwd: repository,
  env: { ...process.env, OPENAPI_TOOLS: process.cwd() },
  stdio: 'inherit',
});
