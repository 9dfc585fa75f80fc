import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed } from './cache.js';

/** The oldest TypeScript that consumers may have, the newest, and some between. */
export const COMPILERS: readonly string[] = ['5.4.5', '5.6.3', '5.9.3', '6.0.3', '7.0.2'];

/** The two ways in which consumers resolve packages. */
export const RESOLUTIONS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

export type Resolution = keyof typeof RESOLUTIONS;

/** How a file is checked. */
export type CheckOptions = {
  resolution: Resolution;
  types?: readonly string[];
  /** Whether declarations of libraries are taken as they are. Default `false`. */
  skipLibCheck?: boolean;
};

/** What the compiler said of a file: its errors, one a line, and how much it had to work out. */
export type Verdict = {
  /** In the file itself or in our declarations. */
  errors: string[];
  /** In other packages, which no consumer of ours can mend. */
  foreignErrors: string[];
  instantiations: number;
};

/** Type-checks one file of a folder. */
export function check(
  version: string,
  folder: string,
  file: string,
  { resolution, types = [], skipLibCheck = false }: CheckOptions,
): Verdict {
  const compilerOptions = {
    ...RESOLUTIONS[resolution],
    ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, skipLibCheck },
    ...{ target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], types },
  };
  const project = join(folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
  const compiler = installed(`typescript-${version}`, [`typescript@${version}`]);
  const tsc = join(compiler, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', project, '--pretty', 'false', '--extendedDiagnostics'];
  const said = outputOf(args, folder);
  const [, instantiations] = /^Instantiations:\s*(\d+)/m.exec(said) ?? [];
  if (instantiations === undefined) throw new Error(`typescript ${version}: ${said}`);
  const all = said.split('\n').filter((line) => /error TS\d+/.test(line));
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
    // The compiler ends with a status when it finds errors; they are on its standard output.
    return String((error as { stdout?: unknown }).stdout ?? error);
  }
}
