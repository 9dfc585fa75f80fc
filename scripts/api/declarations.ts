import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The entries of the package with the file that each one is compiled from. */
export type Entries = Readonly<Record<string, string>>;

/** A program of the declaration files (`.d.ts`) of the package. */
export type Declarations = {
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
export function entriesOfPackage(): Entries {
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
export function declarationsOf(entries: Entries): Declarations {
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
