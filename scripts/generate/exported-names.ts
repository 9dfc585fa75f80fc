import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The list of exported names, by its path from the root of the repository. */
export const EXPORTED_NAMES = 'test/types/exported-names.txt';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function isType(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  const isOnlyType = symbol.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) ?? false;
  return isOnlyType || (target.flags & ts.SymbolFlags.Value) === 0;
}

/** Every name that an entry exports; those that are types alone are marked. */
function namesOf(checker: ts.TypeChecker, file: ts.SourceFile): string[] {
  const symbol = checker.getSymbolAtLocation(file);
  const names = symbol === undefined ? [] : checker.getExportsOfModule(symbol);
  return names.map((name) => `${name.name}${isType(checker, name) ? ' (type)' : ''}`).sort();
}

/** Lists the names that each entry of the package exports. */
export function exportedNames(): string {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const entries = Object.entries<string[]>(options.paths ?? {});
  const files = entries.map(([entry, [path = '']]) => ({ entry, file: `${ROOT}${path}` }));
  const program = ts.createProgram(
    files.map(({ file }) => file),
    options,
  );
  const checker = program.getTypeChecker();
  const lists = files.map(({ entry, file }) => {
    const source = program.getSourceFile(file);
    if (source === undefined) throw new Error(`${entry} has no source ${file}`);
    return [`# ${entry}`, ...namesOf(checker, source)].join('\n');
  });
  return `${lists.join('\n\n')}\n`;
}
