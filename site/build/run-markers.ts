import { builtinModules } from 'node:module';
import ts from 'typescript';
import { type Block, blocksOf } from '../../test/docs/blocks.js';
import { GUIDES } from '../../test/docs/guides.js';
import { readPage, type SitePage, sitePages } from './pages.js';

/** The pages whose code the tests execute. */
const isGuide = ({ path }: Pick<SitePage, 'path'>) => GUIDES.includes(path);

/** The blocks of a guide, as the tests number them. */
const blocksIn = (path: string) => blocksOf(path, readPage(path));

const importsOf = (code: string) =>
  ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);

/** Returns the modules that a block loads. Types are not loaded. */
function modulesOf({ code }: Pick<Block, 'code'>): string[] {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return importsOf(outputText);
}

const allBlocks = () =>
  sitePages()
    .filter(isGuide)
    .flatMap(({ path }) => blocksIn(path));

/** Every module that a block of a guide loads. */
export const modulesOfGuides = () => new Set(allBlocks().flatMap(modulesOf));

/** Every module that a block of a guide imports, even if only for its types. */
export const importsOfGuides = () => new Set(allBlocks().flatMap(({ code }) => importsOf(code)));

/** Returns the reason why a block cannot run in a page, or `undefined` if it can. */
function obstacle(block: Block, bundled: ReadonlySet<string>): string | undefined {
  if (block.notExecuted !== undefined) return block.notExecuted;
  if (block.notInBrowser !== undefined) return block.notInBrowser;
  const missing = modulesOf(block).find((name) => !bundled.has(name));
  if (missing === undefined) return undefined;
  const isNode = missing.startsWith('node:') || builtinModules.includes(missing);
  return isNode ? `${missing} is part of Node` : `${missing} does not run in a page`;
}

const CODE = /<pre><code class="(?:ts|typescript|js|javascript)">[\s\S]*?<\/pre>\n?/g;

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Adds a marker after each code block of a guide: the page puts the button there, or the reason. */
export function withRunMarkers(path: string, html: string, bundled: ReadonlySet<string>): string {
  if (!isGuide({ path })) return html;
  const blocks = blocksIn(path);
  const found = html.match(CODE)?.length ?? 0;
  if (found !== blocks.length) throw new Error(`${path}: ${found} of ${blocks.length} blocks`);
  let number = 0;
  return html.replace(CODE, (code) => {
    const block = blocks[number++];
    const why = block && obstacle(block, bundled);
    const attributes = why === undefined ? '' : ` data-why="${escapeHtml(why)}"`;
    return `${code}<div class="run" data-block="${number}"${attributes}></div>`;
  });
}
