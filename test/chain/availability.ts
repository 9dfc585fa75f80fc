import { createRequire } from 'node:module';
import { findAnvil } from './anvil.js';

/** Tests that cannot run on this machine, as file patterns, and why. */
export type SkippedTests = { tests: readonly string[]; why: string };

const require = createRequire(import.meta.url);

function isInstalled(name: string): boolean {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Whether litesvm has a build for this machine: npm installs only the one that fits. */
function hasLitesvm(): boolean {
  const { optionalDependencies } = require('litesvm/package.json') as {
    optionalDependencies: Record<string, string>;
  };
  return Object.keys(optionalDependencies).some(isInstalled);
}

/** Returns the tests that cannot run on this machine, given which chains are installed. */
export function skippedTests(
  hasEvm = findAnvil() !== undefined,
  hasSolana = hasLitesvm(),
): SkippedTests[] {
  const skipped: SkippedTests[] = [];
  const machine = `${process.platform} ${process.arch}`;
  if (!hasEvm) {
    const why = `they need anvil, which is installed on linux x64 only (this is ${machine})`;
    skipped.push({ tests: ['test/evm/*.slow.test.ts'], why });
  }
  if (!hasSolana) {
    const tests = ['solana/*', 'docs/guides', 'examples/examples'];
    const why = `they need litesvm, which has no build for ${machine}`;
    skipped.push({ tests: tests.map((name) => `test/${name}.slow.test.ts`), why });
  }
  return skipped;
}

/** Returns one line for each reason; throws in CI, where every test must run. */
export function announceSkipped(skipped: readonly SkippedTests[], isCi: boolean): string[] {
  const lines = skipped.map(({ tests, why }) => `Skipped: ${tests.join(', ')}: ${why}.`);
  if (isCi && lines.length > 0) throw new Error(`${lines.join(' ')} CI must run them.`);
  return lines;
}

/** Runs before the slow tests: prints what is skipped and why, and fails in CI. */
export default function setup(): void {
  for (const line of announceSkipped(skippedTests(), process.env['CI'] !== undefined)) {
    console.warn(line);
  }
}
