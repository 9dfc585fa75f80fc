import ts from 'typescript';
import type { Declarations } from './declarations.js';

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
export function reportOf(entry: string, root: string, declarations: Declarations): string {
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
