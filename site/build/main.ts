import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vitepress';
import { llmsIndex } from '../../scripts/generate/llms.js';
import { stageEndpoints } from './endpoint-pages.js';
import { stageHome } from './home.js';
import { OUT, PAGES, ROOT, sitePages } from './pages.js';
import { importsOfGuides, modulesOfGuides, programsOf } from './programs.js';
import { writeReference } from './reference.js';
import { bundleScripts, writeScripts } from './scripts.js';
import { stageDocuments } from './stage.js';
import { typeFiles } from './types.js';

const started = Date.now();
const done = (step: string) =>
  console.log(`${((Date.now() - started) / 1_000).toFixed(0)} s: ${step}`);

/** Writes the Markdown of each page beside it, and the index for language models. */
function writeMarkdown(): void {
  const copy = (from: string, to: string) => {
    mkdirSync(dirname(join(OUT, to)), { recursive: true });
    writeFileSync(join(OUT, to), readFileSync(join(ROOT, from), 'utf8'));
  };
  for (const { path } of sitePages()) copy(path, path);
  copy('README.md', 'README.md');
  cpSync(join(ROOT, 'docs/images'), join(OUT, 'docs/images'), { recursive: true });
  const api = readdirSync(join(PAGES, 'api'), { encoding: 'utf8', recursive: true });
  for (const name of api.filter((file) => file.endsWith('.md'))) {
    const text = readFileSync(join(PAGES, 'api', name), 'utf8').replace(/^---[\s\S]*?---\n\n/, '');
    writeFileSync(join(OUT, 'api', name), text);
  }
  writeFileSync(join(OUT, 'llms.txt'), llmsIndex());
}

// `npm run site` writes the documentation site to site/dist. It needs the built package.
rmSync(PAGES, { recursive: true, force: true });
rmSync(OUT, { recursive: true, force: true });
const { files, bundled } = await bundleScripts(modulesOfGuides());
done('bundled the scripts');
const types = typeFiles(importsOfGuides());
done('collected the declarations');
process.env['RUN_FOLDER'] = writeScripts(
  new Map<string, string | Uint8Array>([...files, ...types]),
  join(PAGES, 'public'),
);
stageDocuments((path) => programsOf(path, bundled));
stageHome(programsOf('README.md', bundled));
await stageEndpoints();
done('wrote the pages of guides and endpoints');
await writeReference();
done('wrote the API reference');
await build(join(ROOT, 'site'));
writeMarkdown();
done('built the site');
