import { compareBundles, measureBundles } from './bundle.js';
import { measureColdStart } from './cold-start.js';
import { measureGrowth } from './growth.js';
import { measureInstallation } from './install-size.js';
import { startServer } from './measure.js';
import { measureMemory } from './memory.js';
import { measureMemoryPerCall } from './memory-per-call.js';
import { measureMockPlatform } from './mock-platform.js';
import { measureCalls } from './per-call.js';
import type { Section } from './report.js';
import { measureValidation } from './validation.js';

/** Every table, one after the other: side by side they would take each other's time. */
export async function measureAll(isQuick: boolean): Promise<Section[]> {
  const { baseUrl, stop } = await startServer();
  const sections: Section[] = [];
  const add = async (
    title: string,
    measure: () => Section | Section[] | Promise<Section | Section[]>,
  ) => {
    const startedAt = performance.now();
    sections.push(...[await measure()].flat());
    console.error(`${title}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  await add('calls', () => measureCalls(baseUrl, isQuick));
  await add('memory of calls', () => measureMemoryPerCall(baseUrl, isQuick));
  await add('cold starts', () => measureColdStart(baseUrl, isQuick));
  await add('bundles', compareBundles);
  await add('installations', measureInstallation);
  await add('validation', () => measureValidation(isQuick));
  await add('growth', () => measureGrowth(baseUrl, isQuick));
  await add('held memory', () => measureMemory(isQuick));
  await add('sizes', measureBundles);
  await add('platform', () => measureMockPlatform(isQuick));
  stop();
  return sections;
}
