import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { BUSINESS_ERRORS } from '../../src/contract/business-errors.js';
import { RECOGNISED_ERRORS } from '../../src/contract/recognised-errors.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The members of a type of src/errors/error-codes.ts; none if it is not a closed union. */
function membersOf(name: string): string[] {
  const path = `${ROOT}src/errors/error-codes.ts`;
  const program = ts.createProgram([path], { module: ts.ModuleKind.NodeNext, strict: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const declared = source?.statements
    .filter(ts.isTypeAliasDeclaration)
    .find((one) => one.name.text === name);
  if (declared === undefined) throw new Error(`${name} is not declared`);
  const type = checker.getTypeAtLocation(declared);
  return type.isUnion() ? type.types.map((one) => (one as ts.StringLiteralType).value).sort() : [];
}

it('documents every code of the type ErrorCode, and no other', { timeout: 60_000 }, () => {
  const catalogue = readFileSync(`${ROOT}docs/reference/error-catalogue.md`, 'utf8');
  const documented = [...catalogue.matchAll(/^### (\w+)$/gm)].map(([, code]) => code ?? '');
  expect(membersOf('ErrorCode')).toEqual(documented.sort());
});

it('the code types of error responses and refusals contain every known refusal', {
  timeout: 60_000,
}, () => {
  const known = [...Object.keys(BUSINESS_ERRORS), ...RECOGNISED_ERRORS.map(({ code }) => code)];
  const refused = membersOf('OperationRejectedCode');
  expect(refused).toEqual([...new Set([...known, 'operation_rejected'])].sort());
  expect(membersOf('ApiErrorCode')).toEqual(expect.arrayContaining(known));
});
