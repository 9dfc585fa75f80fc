import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application, Converter, ReflectionKind, TSConfigReader } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { PACKAGE, PAGES, ROOT } from './pages.js';
import { describe } from './stage.js';

/** The folder of the API pages in the site. */
const API = 'api';

/** The title of an API page, as a sentence for search engines. */
const descriptionOf = (text: string) => {
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
  return describe(`${title.replace(/\\(.)/g, '$1').replaceAll('`', '')} of ${PACKAGE.name}.`);
};

/** Writes the API reference as Markdown pages. */
export async function writeReference(): Promise<void> {
  const out = join(PAGES, API);
  const markdown: Partial<PluginOptions> = {
    hideBreadcrumbs: true,
    hidePageHeader: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    expandParameters: false,
    sanitizeComments: true,
    entryFileName: 'index',
    mergeReadme: false,
    outputFileStrategy: 'members',
    membersWithOwnFile: ['Class', 'Interface', 'Function'],
  };
  const options = {
    tsconfig: join(ROOT, 'tsconfig.json'),
    plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme'],
    docsRoot: PAGES,
    sidebar: { autoConfiguration: false },
    out,
    name: 'API',
    readme: 'none',
    logLevel: 'Warn',
    disableGit: true,
    excludeProtected: true,
    gitRevision: 'main',
    basePath: ROOT,
    displayBasePath: join(ROOT, 'src'),
    sourceLinkTemplate: `${PACKAGE.repository}/blob/main/src/{path}#L{line}`,
    ...markdown,
  };
  const app = await Application.bootstrapWithPlugins(options as never, [new TSConfigReader()]);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const root = project.getChildByName('index');
    if (root !== undefined) root.name = PACKAGE.name;
  });
  // A parameter that is destructured, and that no comment describes, has no name of its own.
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
      if (parameter.name.startsWith('__namedParameters')) parameter.name = 'options';
    }
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc found errors');
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('TypeDoc warned');
  for (const name of readdirSync(out, { encoding: 'utf8', recursive: true })) {
    if (!name.endsWith('.md')) continue;
    const file = join(out, name);
    const text = readFileSync(file, 'utf8');
    const fields = `description: ${JSON.stringify(descriptionOf(text))}\neditLink: false`;
    writeFileSync(file, `---\n${fields}\n---\n\n${text}`);
  }
}
