import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The members of the type `ErrorCode`. */
function errorCodes(): string[] {
  const path = `${ROOT}src/errors/error-codes.ts`;
  const program = ts.createProgram([path], { module: ts.ModuleKind.NodeNext, strict: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const declared = source?.statements
    .filter(ts.isTypeAliasDeclaration)
    .find(({ name }) => name.text === 'ErrorCode');
  if (declared === undefined) throw new Error('ErrorCode is not declared');
  const type = checker.getTypeAtLocation(declared);
  return type.isUnion() ? type.types.map((one) => (one as ts.StringLiteralType).value).sort() : [];
}

it('documents every code of the type ErrorCode, and no other', { timeout: 60_000 }, () => {
  const catalogue = readFileSync(`${ROOT}docs/error-catalogue.md`, 'utf8');
  const documented = [...catalogue.matchAll(/^### (\w+)$/gm)].map(([, code]) => code ?? '');
  expect(errorCodes()).toEqual(documented.sort());
});
