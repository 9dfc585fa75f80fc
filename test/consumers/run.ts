import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packPackage } from '../package/packed.js';
import { findChromium } from '../support/chromium.js';
import { install, runNpm } from './install.js';

// Installs the packed tarball into projects like those of partners, and runs the tests of each.
// `npm run test:consumers` runs all, `npm run test:consumers -- jest-commonjs` one of them.

const HERE = fileURLToPath(new URL('.', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

const OWN = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => [name, join(HERE, name)] as const);

/** The folder of each consumer: here, or an example with its own lock file. */
const CONSUMERS = new Map([
  ...OWN,
  ['jest-kit', join(EXAMPLES, 'jest-kit')],
  ['next', join(EXAMPLES, 'next-app')],
]);

/**
 * Projects that need tools. If a registry lacks one of them, the project is skipped, except in CI.
 */
const OPTIONAL = new Set(['openapi', 'next']);

/** Installs a project. Returns `undefined` if that fails and the project may be skipped. */
function installIfPossible(consumer: string, source: string, tarball: string): string | undefined {
  try {
    return install(consumer, source, tarball);
  } catch (error) {
    if (!OPTIONAL.has(consumer) || process.env['CI'] !== undefined) throw error;
    console.log(`skipped: ${consumer}: its packages could not be installed (required in CI)`);
    return undefined;
  }
}

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !CONSUMERS.has(name));
if (unknown.length > 0)
  throw new Error(`unknown consumer: ${unknown}; the consumers are ${[...CONSUMERS.keys()]}`);

const packed = mkdtempSync(join(tmpdir(), 'card-platform-sdk-packed-'));
try {
  const { tarball } = packPackage(packed);
  for (const [consumer, source] of CONSUMERS) {
    if (requested.length > 0 && !requested.includes(consumer)) continue;
    console.log(`--- ${consumer}`);
    const chromium = consumer === 'vitest-chromium' ? findChromium() : undefined;
    const folder = installIfPossible(consumer, source, tarball);
    if (folder !== undefined) runNpm(['test'], folder, chromium);
  }
} finally {
  rmSync(packed, { recursive: true });
}
