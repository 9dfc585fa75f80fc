// Writes the client that @hey-api/openapi-ts generates from `openapi.json`, as JavaScript.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('generated/', import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const tsConfigPath = join(folder, 'tsconfig.json');
const compilerOptions = { module: 'NodeNext', moduleResolution: 'NodeNext' };
writeFileSync(tsConfigPath, JSON.stringify({ compilerOptions }));
await createClient({
  input: fileURLToPath(new URL('../../openapi.json', import.meta.url)),
  output: { path: folder, tsConfigPath, clean: false },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
});
const sources = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.ts'));
const files = sources.map((name) => join(folder, name));
await build({
  entryPoints: files,
  outdir: folder,
  outbase: folder,
  format: 'esm',
});
// `npm run types` would check them.
for (const file of files) rmSync(file);
