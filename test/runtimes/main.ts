import { parseArgs } from 'node:util';
import { npm } from '../support/npm.js';
import { BROWSER_RUNTIMES } from './browsers.js';
import { reasonOf } from './cache.js';
import { COMMAND_RUNTIMES } from './commands.js';
import { copySuite, makeConsumer, ROOT } from './consumer.js';
import { REACT_NATIVES } from './react-native/react-native.js';
import type { CheckResult, Runtime } from './runtime.js';
import { startSandbox } from './sandbox.js';
import { formatTable } from './table.js';
import { workerd } from './workerd.js';

// `npm run test:runtimes` runs one suite in each real runtime that the package supports.
//   --only node22,bun   only these runtimes
//   --checks            print each check, too
//   --no-build          use the existing `dist`

const VIEM = 'viem@2.57.1';
const RUNTIMES: readonly Runtime[] = [
  ...COMMAND_RUNTIMES,
  workerd,
  ...BROWSER_RUNTIMES,
  ...REACT_NATIVES,
];

type RuntimeReport = { row: string[]; notes: string[]; isFailure: boolean };

function skippedReport({ name, isRequiredInCi }: Runtime, error: unknown): RuntimeReport {
  const isFailure = isRequiredInCi && Boolean(process.env['CI']);
  const verdict = isFailure ? 'skipped and required in CI' : 'skipped';
  return { row: [name, '-', `${verdict}: ${reasonOf(error)}`], notes: [], isFailure };
}

function reportOf(name: string, version: string, results: readonly CheckResult[], ms: number) {
  const failed = results.filter(({ failure }) => failure !== undefined);
  const notes = failed.map((result) => `${name}: ${result.name}\n    ${result.failure}`);
  const count = `${results.length - failed.length} passed, ${failed.length} failed`;
  const row = [name, version, count, `${(ms / 1000).toFixed(1)} s`];
  return { row, notes, isFailure: failed.length > 0 || results.length === 0 };
}

/** Prints one line for each check. */
function printChecks(runtime: string, results: readonly CheckResult[]): void {
  for (const { name, failure } of results) {
    console.log(`${failure === undefined ? 'ok    ' : 'FAILED'} ${runtime}: ${name}`);
  }
}

async function runOne(runtime: Runtime, folder: string, suite: string): Promise<RuntimeReport> {
  let ready: Awaited<ReturnType<Runtime['prepare']>>;
  try {
    ready = await runtime.prepare();
  } catch (error) {
    return skippedReport(runtime, error);
  }
  const { url, clientKey, clientId, stop } = await startSandbox(folder, runtime.origin);
  const startedAt = performance.now();
  try {
    const sandbox = { url, clientKey, clientId };
    const traits = { isBrowser: false, resends: false, hasWebCrypto: true, hasAbortReason: true };
    const results = await ready.run(suite, { sandbox, ...traits });
    if (values.checks) printChecks(runtime.name, results);
    return reportOf(runtime.name, ready.version, results, performance.now() - startedAt);
  } catch (error) {
    const row = [runtime.name, ready.version, 'failed to run'];
    return { row, notes: [`${runtime.name}: ${reasonOf(error)}`], isFailure: true };
  } finally {
    await stop();
  }
}

function selectRuntimes(only: string | undefined): readonly Runtime[] {
  if (only === undefined) return RUNTIMES;
  return only.split(',').map((name) => {
    const found = RUNTIMES.find((runtime) => runtime.name === name.trim());
    const names = RUNTIMES.map((runtime) => runtime.name).join(', ');
    if (found === undefined)
      throw new Error(`unknown runtime "${name}"; the runtimes are ${names}`);
    return found;
  });
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    checks: { type: 'boolean' },
    'no-build': { type: 'boolean' },
  },
});
const runtimes = selectRuntimes(values.only);
if (!values['no-build']) npm(['run', 'build'], ROOT);
const folder = makeConsumer('consumer', [VIEM]);
const suite = copySuite(folder);
const reports: RuntimeReport[] = [];
// One after the other: in parallel they would slow each other down, and the suite tests timeouts.
for (const runtime of runtimes) reports.push(await runOne(runtime, folder, suite));
for (const note of reports.flatMap(({ notes }) => notes)) console.error(note);
console.log(
  formatTable([['runtime', 'version', 'checks', 'time'], ...reports.map(({ row }) => row)]),
);
if (reports.some(({ isFailure }) => isFailure)) process.exitCode = 1;
