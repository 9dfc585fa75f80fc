import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A regular expression in the source, and its location. */
export type RegexLiteral = { location: string; source: string; flags: string };

function literalsIn(path: string): RegexLiteral[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true);
  const found: RegexLiteral[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({
        location: `${path}:${line + 1}`,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns every regular expression literal in a folder. */
export function regexLiterals(folder: string): RegexLiteral[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => literalsIn(join(folder, name)));
}
