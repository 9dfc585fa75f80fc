import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../cache.js';
import { ROOT } from '../consumer.js';
import { type ReactNativeVersion, type Toolchain, VERSIONS } from './packages.js';

/** A bundle to write. */
type Bundle = {
  name: string;
  entry: string;
  out: string;
  /** The folder of the React Native that it contains. */
  reactNative: ReactNativeVersion['folder'];
  isDevelopment: boolean;
  usesPackageExports: boolean;
  /** Modules that are replaced by an empty file. */
  without: readonly string[];
};

/** The warnings that Metro reported. */
type MetroReport = { failure?: string; warnings?: string[] };

/** A bundle that was written, or the reason why it was not. */
export type Bundled = {
  name: string;
  file: string;
  isDevelopment: boolean;
  failure: string | undefined;
};

/** The bundles of one run. */
export type Bundles = {
  /** Folder of the app, next to the suite. */
  app: string;
  /** The app with all checks, by the folder of its React Native. */
  apps: ReadonlyMap<string, Bundled>;
  example: Bundled | undefined;
  /** Every entry in each way that an app can be bundled. */
  entries: readonly Bundled[];
};

const TYPES = 'example-types.d.ts';

/** Folder of the copy of `examples/react-native`. */
export const exampleIn = (root: string): string => join(root, 'react-native', 'example');

const PACKAGE = 'node_modules/card-platform-sdk/';
/** Libraries that an app installs itself: an empty file replaces each of them. */
const PEERS = ['msw', '@solana/web3.js'];
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Returns a module that loads every entry of the installed package, by `import` and by `require`. */
function loadersOf(root: string): string {
  const manifest = readFileSync(join(root, PACKAGE, 'package.json'), 'utf8');
  const { exports: entries } = JSON.parse(manifest) as { exports: Record<string, unknown> };
  const names = Object.entries(entries)
    .filter(([, target]) => typeof target === 'object')
    .map(([name]) => `card-platform-sdk${name.slice(1)}`);
  const lines = names.map(
    (name) => `'${name}': [() => import('${name}'), () => require('${name}')],`,
  );
  return `export const LOADERS = {\n${lines.join('\n')}\n};\n`;
}

/** Copies the app and the example next to the suite, so that their imports resolve. */
function copyApp(root: string): string {
  const folder = join(root, 'react-native');
  const app = join(folder, 'app');
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(import.meta.dirname, 'app'), app, { recursive: true });
  writeFileSync(join(app, 'loaders.mjs'), loadersOf(root));
  cpSync(join(ROOT, 'examples', 'react-native'), exampleIn(root), { recursive: true });
  cpSync(join(import.meta.dirname, TYPES), join(exampleIn(root), TYPES));
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

/** The app, as release builds of each version are bundled by default. */
const appBundles = (app: string, folder: string): Bundle[] =>
  VERSIONS.map(({ folder: reactNative, usesPackageExports }) => ({
    name: reactNative,
    entry: join(app, 'main.mjs'),
    out: join(folder, `${reactNative}.js`),
    reactNative,
    isDevelopment: false,
    usesPackageExports,
    without: PEERS,
  }));

/** The example app, with empty files for the native modules that only an app installs. */
const exampleBundle = (root: string, folder: string): Bundle => ({
  name: 'examples/react-native',
  entry: join(exampleIn(root), 'App.tsx'),
  out: join(folder, 'example.js'),
  reactNative: VERSIONS.at(-1)?.folder ?? '',
  isDevelopment: false,
  usesPackageExports: true,
  without: [
    'react-native-webview',
    'expo-secure-store',
    '@walletconnect/react-native-compat',
    '@walletconnect/ethereum-provider',
  ],
});

/** Every entry, without viem: it is most of the bytes that a compiler would read. */
const entryBundles = (app: string, folder: string): Bundle[] =>
  [false, true].flatMap((isDevelopment) =>
    [true, false].map((usesPackageExports) => {
      const mode = isDevelopment ? 'development' : 'release';
      const name = `${mode}, package exports ${usesPackageExports ? 'on' : 'off'}`;
      return {
        name,
        entry: join(app, 'every-entry.mjs'),
        out: join(folder, `${name.replace(/\W+/g, '-')}.js`),
        reactNative: VERSIONS[0]?.folder ?? '',
        isDevelopment,
        usesPackageExports,
        without: [...PEERS, 'viem', 'viem/accounts'],
      };
    }),
  );

/** Writes every bundle that the checks need. `root` is the folder of the suite and of the package. */
export function writeBundles(toolchain: Toolchain, root: string): Bundles {
  const app = copyApp(root);
  const folder = join(root, 'react-native', 'bundles');
  mkdirSync(folder, { recursive: true });
  const bundles = [
    ...appBundles(app, folder),
    exampleBundle(root, folder),
    ...entryBundles(app, folder),
  ];
  const reports = runMetro(toolchain, root, bundles);
  const bundled = bundles.map(({ name, out, isDevelopment }, index) => {
    const { failure, warnings = [] } = reports[index] ?? { failure: 'Metro reported nothing' };
    const warning = warnings.find((text) => text.includes(PACKAGE));
    return { name, file: out, isDevelopment, failure: failure ?? warning };
  });
  return {
    app,
    apps: new Map(bundled.slice(0, VERSIONS.length).map((one) => [one.name, one])),
    example: bundled[VERSIONS.length],
    entries: bundled.slice(VERSIONS.length + 1),
  };
}
