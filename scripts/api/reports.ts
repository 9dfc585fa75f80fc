import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The entries of the package with the file that each one is compiled from. */
type Entries = Readonly<Record<string, string>>;

/** A program of the declaration files (`.d.ts`) of the package. */
type Declarations = {
  readonly checker: ts.TypeChecker;
  /** Returns the declaration file of an entry. */
  fileOf(entry: string): ts.SourceFile;
  /** Whether a node is declared by this package. */
  isOurs(node: ts.Node): boolean;
};

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options;
}

/** Returns the entries that `tsconfig.json` names, without the OpenAPI documents. */
function entriesOfPackage(): Entries {
  const paths = Object.entries(compilerOptions().paths ?? {});
  return Object.fromEntries(
    paths
      .filter(([, [path = '']]) => path.endsWith('.ts'))
      .map(([entry, [path = '']]) => [entry, `${ROOT}${path}`]),
  );
}

/**
 * Compiles the entries to declarations in memory. Declarations show inferred types in full, and
 * neither comments nor code, so a report made of them changes only when a type does.
 */
function declarationsOf(entries: Entries): Declarations {
  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, removeComments: true },
  };
  const written = new Map<string, string>();
  const sources = ts.createProgram(Object.values(entries), options);
  sources.emit(undefined, (file, text) => written.set(file, text));

  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  // A declaration file takes the place of its source.
  const isReplaced = (file: string) => written.has(file.replace(/\.ts$/, '.d.ts'));
  host.fileExists = (file) => written.has(file) || (!isReplaced(file) && fileExists(file));
  host.readFile = (file) => written.get(file) ?? readFile(file);
  const declarationFile = (entry: string) => (entries[entry] ?? '').replace(/\.ts$/, '.d.ts');
  const program = ts.createProgram(Object.keys(entries).map(declarationFile), options, host);
  return {
    checker: program.getTypeChecker(),
    isOurs: (node) => written.has(node.getSourceFile().fileName),
    fileOf(entry) {
      const file = program.getSourceFile(declarationFile(entry));
      if (file === undefined) throw new Error(`${entry} has no declarations`);
      return file;
    },
  };
}

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

/** Follows re-exports to the symbol that is declared. */
function declaredSymbol(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Returns the whole statement of a variable, and any other declaration unchanged. */
function statementOf(node: ts.Declaration): ts.Node {
  return ts.isVariableDeclaration(node) ? node.parent.parent : node;
}

const isPrivate = (node: ts.Node) =>
  ts.isClassElement(node) &&
  ((node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
    (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private) !== 0);

function textOf(node: ts.Node): string {
  const withoutPrivate: ts.TransformerFactory<ts.Node> = (context) => (root) => {
    const visit = (each: ts.Node): ts.Node | undefined =>
      isPrivate(each) ? undefined : ts.visitEachChild(each, visit, context);
    return visit(root) ?? root;
  };
  const { transformed } = ts.transform(node, [withoutPrivate]);
  const text = printer.printNode(
    ts.EmitHint.Unspecified,
    transformed[0] ?? node,
    node.getSourceFile(),
  );
  return text.replace(/^(?:export |default |declare )+/, '');
}

/**
 * Returns the API report of an entry: the declaration of every exported name, and of every type
 * that these mention. A name that the root exports too is a reference to the report of the root.
 */
function reportOf(entry: string, root: string, declarations: Declarations): string {
  const { checker, fileOf, isOurs } = declarations;
  const exportsOf = (name: string) => {
    const symbol = checker.getSymbolAtLocation(fileOf(name));
    return symbol === undefined ? [] : checker.getExportsOfModule(symbol);
  };
  const inRoot = new Set(exportsOf(root).map((symbol) => declaredSymbol(checker, symbol)));
  const isElsewhere = (symbol: ts.Symbol) => entry !== root && inRoot.has(symbol);

  const exported = new Map<ts.Symbol, string>();
  for (const symbol of exportsOf(entry)) {
    exported.set(declaredSymbol(checker, symbol), symbol.name);
  }
  const mentioned = new Set<ts.Symbol>();
  const collect = (node: ts.Node): void => {
    const found = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (found !== undefined) {
      const symbol = declaredSymbol(checker, found);
      const [declaration] = symbol.declarations ?? [];
      const isTopLevel =
        declaration !== undefined &&
        isOurs(declaration) &&
        !ts.isSourceFile(declaration) &&
        ts.isSourceFile(statementOf(declaration).parent);
      const isKnown = exported.has(symbol) || mentioned.has(symbol) || isElsewhere(symbol);
      if (isTopLevel && !isKnown) {
        mentioned.add(symbol);
        follow(symbol);
      }
    }
    ts.forEachChild(node, collect);
  };
  const follow = (symbol: ts.Symbol) => {
    for (const declaration of symbol.declarations ?? []) collect(statementOf(declaration));
  };
  const show = (symbol: ts.Symbol, name: string) => {
    if (isElsewhere(symbol)) return `// ${name}: see ${root}`;
    const texts = (symbol.declarations ?? []).map((one) => textOf(statementOf(one)));
    return symbol.name === name ? texts.join('\n') : [`// as ${name}`, ...texts].join('\n');
  };
  for (const symbol of exported.keys()) if (!isElsewhere(symbol)) follow(symbol);

  const sorted = (parts: [ts.Symbol, string][]) =>
    parts.sort(([, a], [, b]) => (a < b ? -1 : 1)).map(([symbol, name]) => show(symbol, name));
  const other = [...mentioned].map((symbol): [ts.Symbol, string] => [symbol, symbol.name]);
  return [
    ...sorted([...exported]),
    ...(other.length > 0 ? ['// Not exported, but mentioned by what is exported:'] : []),
    ...sorted(other),
  ]
    .join('\n\n')
    .concat('\n');
}

const ROOT_ENTRY = 'card-platform-sdk';

/** Where the report of an entry is kept, from the root of the repository. */
function pathOf(entry: string): string {
  const name = entry === ROOT_ENTRY ? 'index' : entry.slice(ROOT_ENTRY.length + 1);
  return `api/${name.replaceAll('/', '-')}.api.md`;
}

/** Returns the API report of every entry, by the path of its file. */
export function apiReports(): Map<string, string> {
  const entries = entriesOfPackage();
  const declarations = declarationsOf(entries);
  return new Map(
    Object.keys(entries).map((entry) => {
      const heading = `# API of \`${entry}\`\n\nWritten by \`npm run generate\`: do not edit it.`;
      const report = reportOf(entry, ROOT_ENTRY, declarations);
      return [pathOf(entry), `${heading}\n\n\`\`\`ts\n${report}\`\`\`\n`];
    }),
  );
}
