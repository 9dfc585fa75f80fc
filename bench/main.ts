import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureColdStart } from './cold-start.js';
import { measureFirstRequest } from './first-request.js';
import { measureGrowth } from './growth.js';
import { measureInstallation } from './install-size.js';
import { measureJourneys } from './journey.js';
import { startServer } from './measure.js';
import { measureMemory, measureMemoryPerCall } from './memory.js';
import { measureMockPlatform } from './mock-platform.js';
import { measureOwnCode } from './own-code.js';
import { installPackedPackage, linkPackedPackage } from './packed-package.js';
import { measurePages } from './pages.js';
import { measureCalls } from './per-call.js';
import { buildPackage, installContestants } from './prepare.js';
import { report, type Section, withSections } from './report.js';
import { measureSimulation } from './simulation.js';
import { measureValidation } from './validation.js';

type Measured = Section | Section[];
type Measure = (baseUrl: string, isQuick: boolean) => Measured | Promise<Measured>;

/** All measurements by the name that `--only` accepts. */
const MEASURES: Readonly<Record<string, Measure>> = {
  speed: measureCalls,
  memory: measureMemoryPerCall,
  cold: measureColdStart,
  first: measureFirstRequest,
  journey: measureJourneys,
  installed: measureInstallation,
  validation: (_, isQuick) => measureValidation(isQuick),
  growth: measureGrowth,
  held: (_, isQuick) => measureMemory(isQuick),
  size: measurePages,
  own: measureOwnCode,
  platform: (_, isQuick) => measureMockPlatform(isQuick),
  simulation: (_, isQuick) => measureSimulation(isQuick),
};

/** Returns the names in a list such as `speed,size`, or every name without a list. */
function chosenMeasures(list: string | undefined): string[] {
  const known = Object.keys(MEASURES);
  const chosen = list?.split(',') ?? known;
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`--only takes ${known.join(', ')}, not ${unknown}`);
  return chosen;
}

/** Measures the chosen tables one after the other, because parallel ones would slow each other. */
async function measureAll(chosen: readonly string[], isQuick: boolean): Promise<Section[]> {
  const { baseUrl, stop } = await startServer();
  const sections: Section[] = [];
  for (const name of chosen) {
    const startedAt = performance.now();
    sections.push(...[(await MEASURES[name]?.(baseUrl, isQuick)) ?? []].flat());
    console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  stop();
  return sections;
}

// `npm run bench` writes bench/RESULTS.md. `npm run bench -- --quick` only prints, within a minute,
// and `--only speed,size` measures a part and replaces its sections.
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const isQuick = values.quick === true;
const chosen = chosenMeasures(values.only);
buildPackage();
installPackedPackage();
installContestants();
linkPackedPackage();
const sections = await measureAll(chosen, isQuick);
const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}`;
const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
  encoding: 'utf8',
}).trim();
const when = `${new Date().toISOString().slice(0, 10)} at commit ${commit}`;
const page = report(sections, machine, when);
console.log(page);
if (!isQuick) {
  const results = new URL('./RESULTS.md', import.meta.url);
  const isWhole = values.only === undefined;
  const written = isWhole ? page : withSections(readFileSync(results, 'utf8'), sections, when);
  writeFileSync(results, written);
  await import('./write-charts.js');
}
