import { readdirSync, readFileSync } from 'node:fs';
import { problemsOfRelease } from './release-problems.js';

// `npx tsx scripts/check-release.ts v1.2.3` fails if this tag must not be published.
const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const guides = readdirSync(new URL('../docs/', import.meta.url), {
  encoding: 'utf8',
  recursive: true,
}).filter((name) => name.endsWith('.md'));
const documents = ['README.md', 'SECURITY.md', ...guides.map((name) => `docs/${name}`)];
const problems = problemsOfRelease({
  tag: process.argv[2] ?? '',
  manifest: JSON.parse(read('package.json')),
  changelog: read('CHANGELOG.md'),
  documents: Object.fromEntries(documents.map((path) => [path, read(path)])),
});
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
