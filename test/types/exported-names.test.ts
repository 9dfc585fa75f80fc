import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);

/** Every name that an entry exports; those that are types alone are marked. */
function exportedNames(checker: ts.TypeChecker, file: ts.SourceFile): string[] {
  const symbol = checker.getSymbolAtLocation(file);
  const names = symbol === undefined ? [] : checker.getExportsOfModule(symbol);
  return names.map((name) => `${name.name}${isType(checker, name) ? ' (type)' : ''}`).sort();
}

function isType(checker: ts.TypeChecker, symbol: ts.Symbol): boolean {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  const isOnlyType = symbol.declarations?.some(ts.isTypeOnlyImportOrExportDeclaration) ?? false;
  return isOnlyType || (target.flags & ts.SymbolFlags.Value) === 0;
}

// A name that is exported is a promise for years: each one is added, or taken away, on purpose.
it('each entry exports these names', { timeout: 60_000 }, async () => {
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
    return [`# ${entry}`, ...exportedNames(checker, source)].join('\n');
  });
  await expect(`${lists.join('\n\n')}\n`).toMatchFileSnapshot('exported-names.txt');
});
