import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './cache.js';

/** The oldest supported TypeScript, the newest, and some in between. */
export const COMPILERS: readonly string[] = ['5.4.5', '5.6.3', '5.9.3', '6.0.3', '7.0.2'];

/** The two ways in which consumers resolve packages. */
export const RESOLUTIONS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

export type Resolution = keyof typeof RESOLUTIONS;

/** Options of a check. */
export type CheckOptions = {
  resolution: Resolution;
  types?: readonly string[];
  /** Whether declarations of libraries are not checked. Default `false`. */
  skipLibCheck?: boolean;
};

/** The compiler's errors in a file, one on each line, and the number of its type instantiations. */
export type CheckReport = {
  /** Errors in the file itself or in our declarations. */
  errors: string[];
  /** Errors in other packages, which our consumers cannot fix. */
  foreignErrors: string[];
  instantiations: number;
};

/** Type-checks one file of a folder. */
export function typeCheck(
  version: string,
  folder: string,
  file: string,
  { resolution, types = [], skipLibCheck = false }: CheckOptions,
): CheckReport {
  const compilerOptions = {
    ...RESOLUTIONS[resolution],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types,
  };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
  const compiler = installPackages(`typescript-${version}`, [`typescript@${version}`]);
  const tsc = join(compiler, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', project, '--pretty', 'false', '--extendedDiagnostics'];
  const output = outputOf(args, folder);
  const [, instantiations] = /^Instantiations:\s*(\d+)/m.exec(output) ?? [];
  if (instantiations === undefined) throw new Error(`typescript ${version}: ${output}`);
  const all = output.split('\n').filter((line) => /error TS\d+/.test(line));
  const isForeign = (line: string) =>
    line.startsWith('node_modules/') && !line.startsWith('node_modules/card-platform-sdk/');
  return {
    errors: all.filter((line) => !isForeign(line)),
    foreignErrors: all.filter(isForeign),
    instantiations: Number(instantiations),
  };
}

function outputOf(args: readonly string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    // The compiler exits with a non-zero status when it prints errors to its standard output.
    return String((error as { stdout?: unknown }).stdout ?? error);
  }
}
