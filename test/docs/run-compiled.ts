import { Script } from 'node:vm';
import type { CompiledBlock } from './compile-block.js';

/** Names that a block uses without declaring them, and modules. */
export type BlockContext = {
  /** For example the clients `client` and `userClient`. */
  names: Readonly<Record<string, unknown>>;
  /** Modules that the test replaces. All others are real. */
  modules?: Readonly<Record<string, object>> | undefined;
  /** The file name of the block in stack traces. */
  filename?: string;
};

/** The exports of a block. */
export type Exported = Record<string, unknown>;

type Module = (
  require: (specifier: string) => unknown,
  exports: Exported,
  ...values: unknown[]
) => Promise<void>;

/** Executes a compiled block as a separate module and returns its exports. */
export async function runCompiled(
  { javascript, imports }: CompiledBlock,
  { names, modules = {}, filename = 'block' }: BlockContext,
): Promise<Exported> {
  const imported = new Map<string, unknown>();
  for (const name of imports) {
    imported.set(name, modules[name] ?? (await import(/* @vite-ignore */ name)));
  }
  const parameters = ['require', 'exports', ...Object.keys(names)].join(', ');
  // The inner braces let a block redeclare the surrounding names.
  const source = `(async (${parameters}) => { 'use strict'; { ${javascript} } })`;
  const run = new Script(source, { filename }).runInThisContext() as Module;
  const exported: Exported = {};
  await run((specifier) => imported.get(specifier), exported, ...Object.values(names));
  return exported;
}
