import { isObject } from '../contract/formats/is-object.js';
import { createMockPlatform } from '../testing/index.js';
import { readFileOf } from './command-line.js';
import { applySeed, type Seed } from './seed.js';
import { UsageError } from './usage-error.js';

function parseFile(path: string): unknown {
  const text = readFileOf('--seed', path);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--seed is not a JSON file');
  }
}

/**
 * Returns the seed that the command line names, and reads its file.
 *
 * @throws UsageError that names the mistake in the file
 */
export function loadSeed(seed: string): Seed {
  if (seed === 'demo' || seed === 'empty') return seed;
  const parsed = parseFile(seed);
  if (!isObject(parsed)) {
    throw new UsageError('--seed must contain an object with users, or a snapshot');
  }
  try {
    // Tried on a throwaway platform, so that a mistake in the file is reported as a usage error.
    applySeed(createMockPlatform(), parsed);
  } catch (error) {
    throw new UsageError(`--seed: ${error instanceof Error ? error.message : 'is not valid'}`);
  }
  return parsed;
}
