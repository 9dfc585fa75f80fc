import { writeMarkdownCopies } from './markdown-copies.js';
import { writeHtml } from './reference.js';
import { importsOfGuides } from './run-markers.js';
import { bundleScripts, writeScripts } from './scripts.js';
import { typeScripts } from './types.js';

// `npm run site` writes the documentation site to site/dist. It needs the built package.
const { files, bundled } = await bundleScripts();
await writeHtml(bundled);
writeScripts(files);
writeScripts(typeScripts(importsOfGuides()));
writeMarkdownCopies();
