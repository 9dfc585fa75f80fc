import type { CompilerOptions, LanguageService } from 'typescript';
import { loadScript } from '../load-script.js';
import { typesFileOf } from '../module-file.js';

const FILE = '/example.mts';
const AMBIENT = '/ambient.mts';

/** A block as a module, as the tests check it. */
const asModule = (code: string) =>
  /^(?:import|export) /m.test(code) ? code : `${code}\nexport {};\n`;

/** The declarations of the package, of its peers and of the browser, as TypeScript finds them. */
export class Types {
  #code = '';
  #version = 0;
  #files: Record<string, string> = {};
  #service: LanguageService | undefined;

  /** Loads what the code imports. */
  async load(code: string): Promise<void> {
    this.update(code);
    await loadScript('types/base.js');
    const { importedFiles } = globalThis.ts.preProcessFile(code, true, true);
    const scripts = importedFiles.map(({ fileName }) => typesFileOf(fileName));
    const { typed } = globalThis.cardSite;
    await Promise.all(scripts.filter((path) => typed.includes(path)).map(loadScript));
    this.#files = Object.assign({}, ...Object.values(globalThis.cardSite.types));
    this.#service = globalThis.ts.createLanguageService(this.#host());
  }

  update(code: string): void {
    this.#code = asModule(code);
    this.#version++;
  }

  get service(): LanguageService | undefined {
    return this.#service;
  }

  readonly file = FILE;

  #read(name: string): string | undefined {
    return name === FILE ? this.#code : this.#files[name];
  }

  #host() {
    const { ts } = globalThis;
    const options: CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      types: [],
      resolveJsonModule: true,
    };
    const folders = new Set(Object.keys(this.#files).flatMap(foldersOf));
    return {
      getCompilationSettings: () => options,
      getScriptFileNames: () => [FILE, AMBIENT],
      getScriptVersion: (name: string) => (name === FILE ? `${this.#version}` : '1'),
      getScriptSnapshot: (name: string) => {
        const text = this.#read(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => '/',
      getDefaultLibFileName: () => '/node_modules/typescript/lib/lib.es2023.d.ts',
      fileExists: (name: string) => this.#read(name) !== undefined,
      readFile: (name: string) => this.#read(name),
      directoryExists: (name: string) => folders.has(name),
      getDirectories: () => [],
    };
  }
}

/** Every folder above a file. */
function foldersOf(file: string): string[] {
  const parts = file.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/') || '/');
}
