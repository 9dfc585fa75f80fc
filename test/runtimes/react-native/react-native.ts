import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type CheckResult, type Runtime, SUITE_TIMEOUT_MS, type SuiteOptions } from '../runtime.js';
import { type Bundled, type Bundles, exampleIn, writeBundles } from './bundles.js';
import { checkExample, compile } from './compile.js';
import { NativeSide } from './native-side.js';
import { installToolchain, type ReactNativeVersion, type Toolchain, VERSIONS } from './packages.js';
import { startScriptedServer } from './scripted-server.js';
import { startWalletNetwork } from './wallet-network.js';

const execute = promisify(execFile);
/** The first React Native whose Hermes and signals have the features that `engine.js` adds. */
const NEWER_MINOR = 88;

const scriptOf = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** Returns the results of the helpers of both chains in this Node. */
async function computedByNode(app: string): Promise<unknown> {
  const script = `import { computeAll } from './computed.mjs'; console.log(JSON.stringify(computeAll()))`;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await execute(process.execPath, args, { cwd: app });
  return JSON.parse(stdout);
}

/** Runs a bundle in Hermes, where it calls `runInApp`, and returns the results of its checks. */
async function runInHermes(
  { hermes }: Toolchain,
  { minor }: ReactNativeVersion,
  bundle: Bundled,
  suiteOptions: SuiteOptions & { computedByNode?: unknown },
): Promise<readonly CheckResult[]> {
  if (bundle.failure !== undefined) throw new Error(`Metro: ${bundle.failure}`);
  const isNewer = minor >= NEWER_MINOR;
  const server = await startScriptedServer();
  const wallets = await startWalletNetwork();
  const native = new NativeSide(hermes, server.note);
  try {
    native.evaluate(`globalThis.__isHermesOf088 = ${isNewer}`);
    for (const name of ['engine.js', 'host.js']) native.evaluate(scriptOf(name));
    native.evaluate(readFileSync(bundle.file, 'utf8'));
    const traits = { isBrowser: true, hasWebCrypto: false, hasAbortReason: isNewer };
    const app = { reactNative: { minor }, scripted: server.url, walletNetwork: wallets.url };
    const results = await native.run({ ...suiteOptions, ...traits, ...app }, SUITE_TIMEOUT_MS);
    return results as CheckResult[];
  } finally {
    native.stop();
    server.stop();
    wallets.stop();
  }
}

let written: Bundles | undefined;

/** Runs the checks of one version, and compiles its bundles. */
async function runChecks(
  toolchain: Toolchain,
  version: ReactNativeVersion,
  root: string,
  suiteOptions: SuiteOptions,
): Promise<readonly CheckResult[]> {
  // All at once, because Metro takes longer to start than to bundle.
  written ??= writeBundles(toolchain, root);
  const { app, apps, example, entries } = written;
  const bundle = apps.get(version.folder);
  if (bundle === undefined) throw new Error('no bundle');
  const options = { ...suiteOptions, computedByNode: await computedByNode(app) };
  const results = [...(await runInHermes(toolchain, version, bundle, options))];
  // The same for each version.
  if (version === VERSIONS.at(-1)) {
    results.push(...(await checkExample(exampleIn(root), toolchain.folder, example)));
  }
  for (const one of entries) {
    results.push(await compile(toolchain.compilerOf(version), one));
    if (one.failure !== undefined) continue;
    const loaded = await runInHermes(toolchain, version, one, suiteOptions);
    results.push(...loaded.map((result) => ({ ...result, name: `${one.name}: ${result.name}` })));
  }
  return results;
}

/** React Native's own JavaScript in Hermes, over our own native side. */
export const REACT_NATIVES: readonly Runtime[] = VERSIONS.map((version) => ({
  name: `react-native-0.${version.minor}`,
  isRequiredInCi: true,
  prepare: () => {
    const toolchain = installToolchain();
    return {
      version: version.version,
      run: (suite, options) => runChecks(toolchain, version, dirname(suite), options),
    };
  },
}));
