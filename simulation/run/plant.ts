import ts from 'typescript';
import type { PlantedBug } from '../planted/planted-bug.js';

type Change = PlantedBug['changes'][number];
/** A part of the text, and what takes its place. */
type Edit = { readonly from: number; readonly to: number; readonly text: string };

type Declaration =
  | ts.FunctionDeclaration
  | ts.MethodDeclaration
  | (ts.VariableDeclaration & { initializer: ts.Expression });

function isDeclaration(node: ts.Node): node is Declaration {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node))
    return node.body !== undefined;
  return ts.isVariableDeclaration(node) && node.initializer !== undefined;
}

/** `name`, or `Class.name` and `factory.name` of what is declared inside. */
function pathOf(node: Declaration, owner: string | undefined): string {
  const name = node.name?.getText() ?? '';
  return owner === undefined ? name : `${owner}.${name}`;
}

function findDeclarations(source: ts.SourceFile, path: string): Declaration[] {
  const found: Declaration[] = [];
  const visit = (node: ts.Node, owner: string | undefined): void => {
    if (isDeclaration(node) && pathOf(node, owner) === path) found.push(node);
    const isOwner = ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node);
    const inside = isOwner && node.name !== undefined ? node.name.text : owner;
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(source, undefined);
  return found;
}

const ORIGINAL = '$original';

function editsOf(node: Declaration, becomes: string): Edit[] {
  if (ts.isVariableDeclaration(node)) {
    const from = node.initializer.getStart();
    return [
      { from, to: node.initializer.end, text: `(${becomes})(${node.initializer.getText()})` },
    ];
  }
  const { name } = node;
  if (name === undefined) return [];
  if (ts.isFunctionDeclaration(node)) {
    const original = name.getText() + ORIGINAL;
    const modifiers = node.modifiers ?? [];
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    const replacement = `function ${name.getText()}(...given) { return (${becomes})(${original})(...given); }`;
    return [
      ...modifiers
        .filter(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
        .map((modifier) => ({ from: modifier.getStart(), to: modifier.end, text: '' })),
      { from: name.getStart(), to: name.end, text: original },
      { from: node.end, to: node.end, text: `\n${isExported ? 'export ' : ''}${replacement}\n` },
    ];
  }
  const method = name.getText();
  if (ts.isObjectLiteralExpression(node.parent)) {
    const modifiers = (node.modifiers ?? []).map((modifier) => modifier.getText()).join(' ');
    const rest = node.getSourceFile().text.slice(name.end, node.end);
    const text = `${method}: (${becomes})(${modifiers} function ${rest})`;
    return [{ from: node.getStart(), to: node.end, text }];
  }
  const original = method + ORIGINAL;
  const call = `(...args) => this.${original}(...args)`;
  const replacement = `${method}(...given) { return (${becomes})(${call})(...given); }`;
  return [
    { from: name.getStart(), to: name.end, text: original },
    { from: node.end, to: node.end, text: `\n${replacement}\n` },
  ];
}

function change(bug: string, { file, declaration, becomes }: Change, text: string): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const found = findDeclarations(source, declaration);
  const [node] = found;
  if (node === undefined || found.length > 1) {
    throw new Error(`${bug}: ${found.length} declarations of ${declaration} in ${file}`);
  }
  return editsOf(node, becomes)
    .sort((one, other) => other.from - one.from)
    .reduce((all, { from, to, text: next }) => all.slice(0, from) + next + all.slice(to), text);
}

/**
 * Plants a bug in the text of a file.
 *
 * @throws Error unless each declaration is in the file exactly once
 */
export function plant(bug: PlantedBug, file: string, text: string): string {
  return bug.changes
    .filter((one) => one.file === file)
    .reduce((changed, one) => change(bug.name, one, changed), text);
}
