import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const guide = readFileSync('CONTRIBUTING.md', 'utf8');

/** Returns the paths in backticks in a section of CONTRIBUTING. */
function pathsIn(heading: string): string[] {
  const [, section = ''] = guide.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/`((?:src|simulation)\/[^`\s]*)`/g)].map(([, path = '']) => path);
}

/** The files that a file loads: imports of types alone load nothing. */
function loadedBy(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    if (!moduleSpecifier.text.startsWith('.') || isOfTypes(statement)) return [];
    return [join(dirname(file), moduleSpecifier.text).replace(/\.js$/, '.ts')];
  });
}

function isOfTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const { importClause } = statement;
  if (importClause === undefined) return false;
  const { isTypeOnly, namedBindings } = importClause;
  if (isTypeOnly) return true;
  return (
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every((element) => element.isTypeOnly)
  );
}

function reachableFrom(entries: readonly string[]): Set<string> {
  const found = new Set(entries);
  for (const file of found) for (const next of loadedBy(file)) found.add(next);
  return found;
}

describe('the map in CONTRIBUTING', () => {
  it('describes every folder of src, and no other', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((one) => one.isDirectory());
    const described = pathsIn('Layout').filter((path) => path.startsWith('src/'));
    expect(described.sort()).toEqual(folders.map(({ name }) => `src/${name}/`).sort());
  });

  it.each([
    'Layout',
    'Read a call',
    'Read a delegation',
    'Read a lookup',
  ])('names only what exists: %s', (heading) => {
    const paths = pathsIn(heading);
    expect(paths.length).toBeGreaterThanOrEqual(8);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  it.each([
    // The caller passes the journal to the client.
    ['Read a call', ['src/client.ts', 'src/journal/index.ts']],
    ['Read a delegation', ['src/evm/index.ts']],
    ['Read a lookup', ['src/journal/index.ts']],
  ])('walks only through files that are loaded: %s', (heading, entries) => {
    const loaded = reachableFrom(entries);
    const files = pathsIn(heading).filter((path) => path.endsWith('.ts'));
    expect(files.filter((file) => !loaded.has(file))).toEqual([]);
  });
});
