import ts, {
  type CompilerOptions,
  type LanguageService,
  type LanguageServiceHost,
} from 'typescript';
import { typesFileOf } from './types-file.js';

const AMBIENT = '/ambient.mts';

/** A block as a module, as the tests check it. */
const asModule = (code: string) =>
  /^(?:import|export) /m.test(code) ? code : `${code}\nexport {};\n`;

/** The programs of all editors of the page, by their path. */
const programs = new Map<string, { code: string; version: number }>();

/** The declarations of the package, of its peers and of the browser, as TypeScript finds them. */
let declarations: Readonly<Record<string, string>> = {};
let folders: ReadonlySet<string> = new Set();
let shared: LanguageService | undefined;

/** The declarations of a module; none of one that has no file, such as a file of the package. */
async function declarationsOf(name: string): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(new URL(`./${typesFileOf(name)}`, import.meta.url));
  return response.ok ? response.json() : {};
}

/** The declarations that one program uses. */
export class Types {
  readonly file = `/example-${programs.size + 1}.mts`;
  #isLoaded = false;

  constructor(code: string) {
    this.update(code);
  }

  /** Loads the declarations of the modules that the code imports. */
  async load(code: string): Promise<void> {
    const { importedFiles } = ts.preProcessFile(code, true, true);
    // The base has the declarations of the package.
    const names = importedFiles
      .map(({ fileName }) => fileName)
      .filter((name) => !name.startsWith('card-platform-sdk'));
    const found = await Promise.all(['base', ...names].map(declarationsOf));
    declarations = Object.assign({}, declarations, ...found);
    folders = new Set(Object.keys(declarations).flatMap(foldersOf));
    this.#isLoaded = true;
  }

  update(code: string): void {
    const version = (programs.get(this.file)?.version ?? 0) + 1;
    programs.set(this.file, { code: asModule(code), version });
  }

  /** The language service, once the declarations are loaded. The editors of a page share it: it reads a lot. */
  get service(): LanguageService | undefined {
    if (!this.#isLoaded) return undefined;
    shared ??= ts.createLanguageService(host());
    return shared;
  }
}

const read = (name: string): string | undefined => programs.get(name)?.code ?? declarations[name];

function host(): LanguageServiceHost {
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
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [...programs.keys(), AMBIENT],
    getScriptVersion: (name) => `${programs.get(name)?.version ?? 1}`,
    getScriptSnapshot: (name) => {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => '/node_modules/typescript/lib/lib.es2023.d.ts',
    fileExists: (name) => read(name) !== undefined,
    readFile: read,
    directoryExists: (name) => folders.has(name),
    getDirectories: () => [],
  };
}

/** Every folder above a file. */
function foldersOf(file: string): string[] {
  const parts = file.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/') || '/');
}
