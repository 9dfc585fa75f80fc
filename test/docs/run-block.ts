import { Script } from 'node:vm';
import ts from 'typescript';
import type { Block } from './blocks.js';

/** What stands around a block: names that it uses without declaring them, and modules. */
export type Surroundings = {
  /** For example the clients `platform` and `user`. */
  names: Readonly<Record<string, unknown>>;
  /** Modules that are played by the test. All others are the real ones. */
  modules?: Readonly<Record<string, object>> | undefined;
};

/** What a block exports. */
export type Exported = Record<string, unknown>;

type Module = (
  require: (specifier: string) => unknown,
  exported: Exported,
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
 * Executes a block as a module of its own, and gives what it exports. The package is imported from
 * the source, by the aliases of the tests.
 */
export async function runBlock(
  { name, code }: Block,
  { names, modules = {} }: Surroundings,
): Promise<Exported> {
  const imported = new Map<string, unknown>();
  for (const { fileName } of ts.preProcessFile(code, true, true).importedFiles) {
    imported.set(fileName, modules[fileName] ?? (await import(/* @vite-ignore */ fileName)));
  }
  const { outputText } = ts.transpileModule(code, OPTIONS);
  const parameters = ['require', 'exports', ...Object.keys(names)].join(', ');
  // Braces of its own: a block may declare again what stands around it.
  const source = `(async (${parameters}) => { 'use strict'; { ${outputText} } })`;
  const run = new Script(source, { filename: name }).runInThisContext() as Module;
  const exported: Exported = {};
  await run((specifier) => imported.get(specifier), exported, ...Object.values(names));
  return exported;
}
