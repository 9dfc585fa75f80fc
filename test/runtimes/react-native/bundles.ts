import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../cache.js';
import { type ReactNativeVersion, type Toolchain, VERSIONS } from './packages.js';

/** A bundle to write. */
type Bundle = {
  entry: string;
  out: string;
  /** The folder of the React Native that it contains. */
  reactNative: ReactNativeVersion['folder'];
  isDevelopment: boolean;
  usesPackageExports: boolean;
};

/** What Metro reported. */
type MetroReport = { out: string; failure?: string; warnings: string[] };

/** A bundle that was written, or the reason why it was not. */
export type Bundled = { name: string; file: string; failure: string | undefined };

/** The bundles of one run. */
export type Bundles = {
  /** Folder of the app, next to the suite. */
  app: string;
  /** The app with all checks, for each version of React Native. */
  apps: ReadonlyMap<ReactNativeVersion, Bundled>;
  /** Every entry in each way that an app can be bundled. */
  entries: readonly Bundled[];
};

const PACKAGE = 'node_modules/card-platform-sdk/';
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Copies the app next to the suite, so that its imports resolve as in this folder. */
function copyApp(root: string): string {
  const app = join(root, 'react-native', 'app');
  rmSync(join(root, 'react-native'), { recursive: true, force: true });
  cpSync(join(import.meta.dirname, 'app'), app, { recursive: true });
  return app;
}

/** Bundles with Metro. Files that have not changed are taken from the cache. */
function runMetro(toolchain: Toolchain, root: string, bundles: readonly Bundle[]): MetroReport[] {
  const cache = join(CACHE, 'metro');
  mkdirSync(cache, { recursive: true });
  const job = join(root, 'react-native', 'job.json');
  writeFileSync(job, JSON.stringify({ packages: toolchain.folder, root, cache, bundles }));
  const script = join(import.meta.dirname, 'bundle.mjs');
  const output = execFileSync(toolchain.node, [script, job], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as MetroReport[];
}

function bundled(
  name: string,
  { out, failure, warnings }: MetroReport | ({ out: string } & Partial<MetroReport>),
): Bundled {
  const ours = warnings?.find((warning) => warning.includes(PACKAGE));
  return { name, file: out, failure: failure ?? ours };
}

/** Writes every bundle that the checks need. `root` is the folder of the suite and of the package. */
export function writeBundles(toolchain: Toolchain, root: string): Bundles {
  const app = copyApp(root);
  const folder = join(root, 'react-native', 'bundles');
  mkdirSync(folder, { recursive: true });
  const newest = VERSIONS.at(-1)?.folder ?? '';
  const named: { name: string; bundle: Bundle }[] = VERSIONS.map(({ folder: reactNative }) => ({
    name: reactNative,
    bundle: {
      entry: join(app, 'main.mjs'),
      out: join(folder, `${reactNative}.js`),
      reactNative,
      isDevelopment: false,
      usesPackageExports: true,
    },
  }));
  for (const isDevelopment of [false, true]) {
    for (const usesPackageExports of [true, false]) {
      const kind = `${isDevelopment ? 'development' : 'release'}, package exports ${usesPackageExports ? 'on' : 'off'}`;
      const out = join(folder, `${kind.replace(/\W+/g, '-')}.js`);
      const entry = join(app, 'every-entry.mjs');
      const options = { reactNative: newest, isDevelopment, usesPackageExports };
      named.push({ name: kind, bundle: { entry, out, ...options } });
    }
  }
  const reports = runMetro(
    toolchain,
    root,
    named.map(({ bundle }) => bundle),
  );
  const all = named.map(({ name }, index) => bundled(name, reports[index] ?? { out: '' }));
  return {
    app,
    apps: new Map(
      VERSIONS.map((version, index) => [version, all[index] ?? bundled('', { out: '' })]),
    ),
    entries: all.slice(VERSIONS.length),
  };
}
