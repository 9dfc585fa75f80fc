import { join } from 'node:path';
import {
  Application,
  Converter,
  DefaultTheme,
  type DocumentReflection,
  JSX,
  MarkdownEvent,
  type NavigationElement,
  PageEvent,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  Slugger,
  StructureRouter,
  TSConfigReader,
} from 'typedoc';
import { headingText } from './heading-text.js';
import { improveHtml } from './improve-html.js';
import { OUT, PACKAGE, ROOT, type SitePage, sitePages, urlOf } from './pages.js';
import { withRunMarkers } from './run-markers.js';

const pages = new Map<Reflection, SitePage>();

/** Returns the anchors that GitHub generates, which the links in the documents use. */
class GitHubSlugger extends Slugger {
  readonly #seen = new Set<string>();

  override slug(value: string): string {
    const anchor = value
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let [found, count] = [anchor, 0];
    while (this.#seen.has(found)) found = `${anchor}-${++count}`;
    this.#seen.add(found);
    return found;
  }

  override hasAnchor(anchor: string): boolean {
    return this.#seen.has(anchor);
  }
}

/** Documents keep the path that they have in the repository. */
class SiteRouter extends StructureRouter {
  override getIdealBaseName(reflection: Reflection): string {
    const page = pages.get(reflection);
    return page ? urlOf(page.path) : `reference/${super.getIdealBaseName(reflection)}`;
  }

  override buildChildPages(...[target, outPages]: Parameters<StructureRouter['buildChildPages']>) {
    super.buildChildPages(target, outPages);
    if (pages.has(target as Reflection)) {
      this.sluggers.set(target, new GitHubSlugger({ lowercase: true }));
    }
  }
}

/**
 * Moves the link of an entry below it: the element that opens and closes an entry must not contain
 * a link.
 */
function withOwnLink(entry: NavigationElement): NavigationElement {
  const { path, children = [], ...rest } = entry;
  if (children.length === 0 || path === undefined) return entry;
  return { ...rest, children: [{ text: 'All exports', path }, ...children.map(withOwnLink)] };
}

/** One navigation for the documents, by their headings, and the reference. */
class SiteTheme extends DefaultTheme {
  override buildNavigation(project: ProjectReflection): NavigationElement[] {
    const modules = super
      .buildNavigation(project)
      .filter(({ kind }) => kind === ReflectionKind.Module)
      .map(withOwnLink);
    const groups = new Map<string, NavigationElement[]>();
    for (const [reflection, { group, title }] of pages) {
      const path = this.router.getFullUrl(reflection);
      groups.set(group, [...(groups.get(group) ?? []), { text: title, path }]);
    }
    const [top = [], ...rest] = [groups.get(''), ...[...groups].filter(([group]) => group)];
    return [
      { text: 'Overview', path: 'index.html' },
      ...top,
      ...rest.map(([text, children]) => ({ text: String(text), children }) as NavigationElement),
      { text: 'API', children: modules },
    ];
  }
}

/** The links below each page: its source, its Markdown copy and the version. */
function pageFooter({ model, url }: PageEvent): string {
  const reflection = model as Reflection;
  const declared = reflection.isDeclaration() ? reflection.sources?.[0]?.fileName : undefined;
  const document = reflection.isProject() ? 'README.md' : pages.get(reflection)?.path;
  const source = document ?? (declared && `src/${declared}`);
  const edit = source && `<a href="${PACKAGE.repository}/edit/main/${source}">Edit this page</a>`;
  const markdown = (document ?? url.replace(/\.html$/, '.md')).split('/').pop();
  const links = [edit, `<a href="${markdown}">As Markdown</a>`, `Version ${PACKAGE.version}`];
  return `<p class="page-footer">${links.filter(Boolean).join(' · ')}</p>`;
}

/** Writes the HTML of all documents and of the reference. `bundled` are the modules that run in a page. */
export async function writeHtml(bundled: ReadonlySet<string>): Promise<void> {
  const documents = sitePages().filter(({ path }) => path !== 'README.md');
  const app = await Application.bootstrapWithPlugins(
    {
      tsconfig: join(ROOT, 'tsconfig.json'),
      out: OUT,
      name: PACKAGE.name,
      theme: 'site',
      router: 'site',
      logLevel: 'Warn',
      includeVersion: true,
      includeHierarchySummary: false,
      projectDocuments: documents.map(({ path }) => join(ROOT, path)),
      sortEntryPoints: false,
      ignoredHighlightLanguages: ['mermaid'],
      searchInDocuments: true,
      navigationLinks: { GitHub: PACKAGE.repository },
      disableSources: false,
      disableGit: true,
      ...(process.env['QUICK'] ? { entryPoints: ['src/schemas/index.ts'] } : {}),
      gitRevision: 'main',
      basePath: ROOT,
      displayBasePath: join(ROOT, 'src'),
      sourceLinkTemplate: `${PACKAGE.repository}/blob/main/src/{path}#L{line}`,
      customCss: join(ROOT, 'site/client/style.css'),
      highlightLanguages: ['ts', 'tsx', 'js', 'json', 'bash', 'sh', 'html', 'diff', 'yaml', 'sql'],
      hideGenerator: true,
      markdownItLoader: headingText,
      cacheBust: false,
    },
    [new TSConfigReader()],
  );
  app.renderer.defineRouter('site', SiteRouter);
  app.renderer.defineTheme('site', SiteTheme);

  const byPath = new Map(documents.map((page) => [join(ROOT, page.path), page]));
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, reflection: DocumentReflection) => {
    const file = reflection.project.files.getReflectionPath(reflection);
    const page = byPath.get(file ?? '');
    if (page === undefined) return;
    reflection.name = page.title;
    pages.set(reflection, page);
  });
  // Runs after TypeDoc's own parser, which has priority 0.
  app.renderer.on(MarkdownEvent.PARSE, addMarkers, -100);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const root = project.getChildByName('index');
    if (root !== undefined) root.name = PACKAGE.name;
  });
  app.renderer.hooks.on('head.end', (context) =>
    JSX.createElement('script', { defer: true, src: context.relativeURL('assets/page.js') }),
  );
  app.renderer.hooks.on('content.end', (context) =>
    JSX.createElement(JSX.Raw, { html: pageFooter(context.page) }),
  );

  app.renderer.on(PageEvent.END, (page) => {
    const html = improveHtml(page.contents ?? '');
    const isDocument = page.model === page.project || pages.has(page.model as Reflection);
    // A document has a title of its own.
    page.contents = isDocument ? html.replace(/<div class="tsd-page-title">.*?<\/div>/s, '') : html;
  });

  function addMarkers(event: MarkdownEvent): void {
    const { model } = event.page;
    const path = model === event.page.project ? 'README.md' : pages.get(model as Reflection)?.path;
    if (path !== undefined) event.parsedText = withRunMarkers(path, event.parsedText, bundled);
  }

  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc found errors');
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('TypeDoc warned');
}
