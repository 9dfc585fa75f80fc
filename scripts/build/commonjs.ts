import { basename } from 'node:path';
import { rollup } from 'rollup';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

/**
 * Converts the ESM that esbuild writes to CommonJS. Lazy imports become `require`, because Jest runs
 * CommonJS without `import()`. tsup's own conversion keeps the `import()`.
 */
export function commonJs(): Plugin {
  return {
    name: 'commonjs',
    async renderChunk(code, { path }) {
      if (!path.endsWith('.cjs')) return undefined;
      const bundle = await rollup({
        input: path,
        preserveEntrySignatures: 'exports-only',
        plugins: [
          {
            name: 'one-file',
            resolveId: (source) => (source === path ? path : { id: source, external: true }),
            load: () => code,
          },
        ],
        makeAbsoluteExternalsRelative: false,
      });
      const { output } = await bundle.generate({
        format: 'cjs',
        file: basename(path),
        exports: 'named',
        interop: 'auto',
        dynamicImportInCjs: false,
      });
      return { code: output[0].code };
    },
  };
}
