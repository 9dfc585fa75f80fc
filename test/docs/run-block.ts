import { Script } from 'node:vm';
import ts from 'typescript';
import type { Block } from './blocks.js';

/** Names that a block uses without declaring them, and modules. */
export type BlockContext = {
  /** For example the clients `platform` and `user`. */
  names: Readonly<Record<string, unknown>>;
  /** Modules that the test replaces. All others are real. */
  modules?: Readonly<Record<string, object>> | undefined;
};

/** The exports of a block. */
export type Exported = Record<string, unknown>;

type Module = (
  require: (specifier: string) => unknown,
  exports: Exported,
  ...values: unknown[]
) => Promise<void>;

const OPTIONS: ts.TranspileOptions = {
  compilerOptions: {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    esModuleInterop: true,
  },
};

/**
 * Executes a block as a separate module and returns its exports. The package is imported from its
 * source, by the aliases of the tests.
 */
export async function runBlock(
  { name, code }: Block,
  { names, modules = {} }: BlockContext,
): Promise<Exported> {
  const imported = new Map<string, unknown>();
  for (const { fileName } of ts.preProcessFile(code, true, true).importedFiles) {
    imported.set(fileName, modules[fileName] ?? (await import(/* @vite-ignore */ fileName)));
  }
  const { outputText } = ts.transpileModule(code, OPTIONS);
  const parameters = ['require', 'exports', ...Object.keys(names)].join(', ');
  // The inner braces let a block redeclare the surrounding names.
  const source = `(async (${parameters}) => { 'use strict'; { ${outputText} } })`;
  const run = new Script(source, { filename: name }).runInThisContext() as Module;
  const exported: Exported = {};
  await run((specifier) => imported.get(specifier), exported, ...Object.values(names));
  return exported;
}
