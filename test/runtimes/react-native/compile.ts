import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { reasonOf } from '../cache.js';
import type { CheckResult } from '../runtime.js';
import type { Bundled } from './bundles.js';

const execute = promisify(execFile);

/** Compiles a bundle to bytecode: optimized where it is a release, as builds of apps do. */
export async function compile(compiler: string, bundle: Bundled): Promise<CheckResult> {
  const name = `hermesc: ${bundle.name}`;
  if (bundle.failure !== undefined) return { name, failure: `Metro: ${bundle.failure}` };
  const level = bundle.isDevelopment ? '-O0' : '-O';
  const args = ['-w', level, '-emit-binary', '-out', `${bundle.file}.hbc`, bundle.file];
  try {
    await execute(compiler, args);
    return { name };
  } catch (error) {
    return { name, failure: reasonOf(error) };
  }
}
