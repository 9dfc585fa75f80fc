import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { reasonOf } from '../cache.js';
import { ROOT } from '../consumer.js';
import type { CheckResult } from '../runtime.js';
import type { Bundled } from './bundles.js';

const execute = promisify(execFile);

/** Compiles a bundle to bytecode, optimized if it is a release, as builds of apps do. */
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

const COMPILER_OPTIONS = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2022',
  lib: ['es2023', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  jsx: 'react-jsx',
  skipLibCheck: true,
  types: [],
};

/**
 * Checks that Metro bundled the example app, and that its types are right. `packages` is the folder of
 * the toolchain, which has the query library.
 */
export async function checkExample(
  folder: string,
  packages: string,
  bundle: Bundled | undefined,
): Promise<CheckResult[]> {
  const bundled = { name: 'examples/react-native: bundles' };
  const failure = bundle === undefined ? 'not bundled' : bundle.failure;
  const results: CheckResult[] = [failure === undefined ? bundled : { ...bundled, failure }];
  const project = join(folder, 'tsconfig.json');
  const paths = { '@tanstack/*': [join(packages, 'node_modules/@tanstack/*')] };
  const compilerOptions = { ...COMPILER_OPTIONS, paths };
  writeFileSync(project, JSON.stringify({ compilerOptions, include: ['*.ts', '*.tsx'] }));
  const name = 'examples/react-native: type-checks';
  try {
    await execute(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]);
    results.push({ name });
  } catch (error) {
    results.push({ name, failure: String((error as { stdout?: unknown }).stdout ?? error) });
  }
  return results;
}
