import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureBundles } from './bundle.js';
import { measureColdStart } from './cold-start.js';
import { measureMemory } from './memory.js';
import { measureMockPlatform } from './mock-platform.js';
import { measureCalls } from './per-call.js';
import { report } from './report.js';

// `npm run bench` writes bench/RESULTS.md; `npm run bench -- --quick` only prints.
const isQuick = process.argv.includes('--quick');
const sections = [
  await measureCalls(isQuick),
  measureColdStart(isQuick),
  await measureMemory(isQuick),
  await measureBundles(),
  await measureMockPlatform(isQuick),
];
const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}`;
const page = report(sections, machine);
console.log(page);
if (!isQuick) writeFileSync(new URL('./RESULTS.md', import.meta.url), page);
