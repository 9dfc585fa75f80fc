import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { AMBIENT } from '../../test/docs/check-examples.js';
import { typesFileOf } from '../client/editor/types-file.js';
import { ROOT } from './pages.js';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  preserveSymlinks: true,
  types: [],
};

/** The fields of a package.json by which TypeScript finds declarations. */
const RESOLUTION = [
  'name',
  'version',
  'type',
  'main',
  'types',
  'typings',
  'typesVersions',
  'exports',
];

type Files = Record<string, string>;

/** The package.json of the package that a file belongs to. */
function manifestOf(file: string): string {
  const [, folder = file] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return join(folder, 'package.json');
}

function readManifest(file: string): string {
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const kept = RESOLUTION.filter((field) => field in manifest);
  return JSON.stringify(Object.fromEntries(kept.map((field) => [field, manifest[field]])));
}

/** Returns the declarations that a module leads to, by their path in the editor. */
function declarationsOf(name: string): Files {
  const start = join(ROOT, 'site', 'start.mts');
  const host = ts.createCompilerHost(OPTIONS);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) =>
    file === start
      ? ts.createSourceFile(file, `import '${name}';`, ts.ScriptTarget.ES2022)
      : read(file, ...rest);
  const program = ts.createProgram([start], OPTIONS, host);
  const sources = program
    .getSourceFiles()
    .map(({ fileName }) => fileName)
    .filter((file) => file.includes('/node_modules/') && !file.includes('/@types/node/'));
  const manifests = new Set(sources.map(manifestOf).filter((file) => existsSync(file)));
  return Object.fromEntries([
    ...sources.map((file) => [inEditor(file), readFileSync(file, 'utf8')] as const),
    ...[...manifests].map((file) => [inEditor(file), readManifest(file)] as const),
  ]);
}

/** TypeScript's own libraries may have another path, where `node_modules` is a link. */
const inEditor = (file: string) => `/${file.slice(file.indexOf('node_modules/'))}`;

/** The declarations of the package, as if it were installed. */
function ownDeclarations(): Files {
  const dist = join(ROOT, 'dist');
  const names = ts.sys.readDirectory(dist, ['.d.ts', '.d.cts'], undefined, undefined, 1);
  // Without them the editor would show `any` for everything, and nobody would notice.
  if (names.length === 0) throw new Error('dist has no declarations: run npm run build first');
  const folder = '/node_modules/card-platform-sdk';
  return Object.fromEntries([
    ...names.map((file) => [`${folder}/dist/${relative(dist, file)}`, readFileSync(file, 'utf8')]),
    [`${folder}/package.json`, readManifest(join(ROOT, 'package.json'))],
    ['/ambient.mts', AMBIENT],
  ]);
}

/** Returns the declarations that the editor uses, as JSON, by their path below the scripts. */
export function typeFiles(modules: Iterable<string>): Map<string, string> {
  // `import 'typescript'` would add more than the libraries; a relative import of a missing file
  // adds nothing.
  const base = { ...declarationsOf('./nothing'), ...ownDeclarations() };
  const files = new Map([[typesFileOf('base'), JSON.stringify(base)]]);
  for (const name of modules) {
    if (name.startsWith('card-platform-sdk')) continue;
    const found = Object.entries(declarationsOf(name)).filter(([file]) => !(file in base));
    files.set(typesFileOf(name), JSON.stringify(Object.fromEntries(found)));
  }
  return files;
}
