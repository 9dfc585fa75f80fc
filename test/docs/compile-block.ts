import ts from 'typescript';

/** A block as JavaScript. */
export type CompiledBlock = {
  javascript: string;
  /** Every module that it imports. */
  imports: readonly string[];
  /** Those that it loads. The others are imported only for their types. */
  loads: readonly string[];
};

const OPTIONS = { target: ts.ScriptTarget.ES2022, esModuleInterop: true };

const importsOf = (code: string) =>
  ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);

const compiled = (code: string, module: ts.ModuleKind) =>
  ts.transpileModule(code, { compilerOptions: { ...OPTIONS, module } }).outputText;

/** Compiles a block, without checking its types. */
export function compileBlock(code: string): CompiledBlock {
  return {
    javascript: compiled(code, ts.ModuleKind.CommonJS),
    imports: importsOf(code),
    loads: importsOf(compiled(code, ts.ModuleKind.ESNext)),
  };
}
