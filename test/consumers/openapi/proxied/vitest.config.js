import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const root = here('../../../..');
const source = (path) => join(root, 'src', path, 'index.ts');

export default {
  root,
  resolve: {
    alias: [
      { find: 'openapi-tools/prism', replacement: join(process.env.OPENAPI_TOOLS, 'prism.js') },
      // The conformance suite gets the sandbox behind the proxy, and the journey a mock behind it.
      { find: /^\.\/platform-access\.js$/, replacement: here('platform-access.js') },
      { find: 'card-platform-sdk/testing', replacement: here('testing.js') },
      { find: /^card-platform-sdk$/, replacement: source('') },
      { find: /^card-platform-sdk\/(evm|solana)$/, replacement: join(root, 'src/$1/index.ts') },
    ],
  },
  test: {
    include: ['test/conformance/conformance.test.ts', 'test/consumers/openapi/proxied/*.test.js'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['dot'],
    server: { deps: { external: [/consumers\/openapi\/node_modules/] } },
  },
};
