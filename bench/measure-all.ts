import { measureColdStart } from './cold-start.js';
import { measureFirstRequest } from './first-request.js';
import { measureGrowth } from './growth.js';
import { measureInstallation } from './install-size.js';
import { startServer } from './measure.js';
import { measureMemory } from './memory.js';
import { measureMemoryPerCall } from './memory-per-call.js';
import { measureMockPlatform } from './mock-platform.js';
import { measureOwnCode } from './own-code.js';
import { comparePages } from './page-compare.js';
import { measurePages } from './page-sizes.js';
import { measureCalls } from './per-call.js';
import type { Section } from './report.js';
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
  browser: comparePages,
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
export function chosenMeasures(list: string | undefined): string[] {
  const known = Object.keys(MEASURES);
  const chosen = list?.split(',') ?? known;
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`--only takes ${known.join(', ')}, not ${unknown}`);
  return chosen;
}

/** Measures the chosen tables one after the other, because parallel ones would slow each other. */
export async function measureAll(chosen: readonly string[], isQuick: boolean): Promise<Section[]> {
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
