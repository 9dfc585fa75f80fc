import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { DOCUMENT_FILE, document } from './document.js';
import { startSandbox } from './sandbox.js';

const OUT = new URL('generated/', import.meta.url);
const OPTIONS = {
  compilerOptions: {
    strict: true,
    target: 'ES2022',
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    outDir: 'dist',
    types: [],
  },
  include: ['**/*.ts'],
};

let sandbox;
before(async () => {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT);
  const folder = fileURLToPath(OUT);
  writeFileSync(new URL('package.json', OUT), '{"type":"module"}');
  writeFileSync(new URL('tsconfig.json', OUT), JSON.stringify(OPTIONS));
  writeFileSync(new URL('schema.d.ts', OUT), astToString(await openapiTS(document)));
  await createClient({
    input: DOCUMENT_FILE,
    output: { path: `${folder}hey`, tsConfigPath: `${folder}tsconfig.json` },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  cpSync(new URL('programs/', import.meta.url), OUT, { recursive: true });
  const tsc = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');
  try {
    execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  } catch (error) {
    throw new Error(`the generated clients do not compile: ${error.stdout}`);
  }
  sandbox = await startSandbox();
});
after(() => sandbox?.stop());

for (const name of ['with-openapi-fetch', 'with-hey-api']) {
  test(`the program ${name} compiles and runs against the sandbox`, async () => {
    const { run } = await import(new URL(`dist/${name}.js`, OUT).href);
    const result = await run(sandbox);
    assert.deepEqual(result, {
      refused: 400,
      verificationState: 'UNVERIFIED',
      ordered: 400,
      transactions: 3,
      issued: true,
      noKey: 499,
    });
  });
}
