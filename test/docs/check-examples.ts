import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { blocksOf } from './blocks.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A TypeScript block in the documentation. */
export type Example = { name: string; code: string };

function filesIn(folder: string, extension: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(ROOT, folder, name));
}

function examplesOf(file: string, text: string): Example[] {
  return blocksOf(relative(ROOT, file), text).filter(({ language }) => language.startsWith('t'));
}

/** Returns the text of all TSDoc comments, without the asterisks. */
function docComments(source: string): string {
  return [...source.matchAll(/\/\*\*([\s\S]*?)\*\//g)]
    .map(([, comment = '']) => comment.replace(/^[ \t]*\* ?/gm, ''))
    .join('\n');
}

/** Returns all examples of README, docs and TSDoc. */
export function allExamples(): Example[] {
  const pages = [join(ROOT, 'README.md'), ...filesIn('docs', '.md')];
  const sources = filesIn('src', '.ts');
  return [
    ...pages.flatMap((file) => examplesOf(file, readFileSync(file, 'utf8'))),
    ...sources.flatMap((file) => examplesOf(file, docComments(readFileSync(file, 'utf8')))),
  ];
}

/** Names that examples may use, which the text around them introduces. */
export const AMBIENT = `
  import type { CardPlatformClient as Client } from 'card-platform-sdk';
  import type { MockPlatform, MockUser } from 'card-platform-sdk/testing';
  declare global {
    const client: Client;
    const userClient: Client;
    const mock: MockPlatform;
    const ada: MockUser;
  }
`;

function asModule({ code }: Example): string {
  return /^(?:import|export) /m.test(code) ? code : `${code}\nexport {};\n`;
}

/** Type-checks all examples together. Returns the errors, each with the name of its example. */
export function checkExamples(examples: readonly Example[]): string[] {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const files = new Map(
    examples.map((one, index) => [join(ROOT, 'test', `example-${index}.mts`), one]),
  );
  const ambient = join(ROOT, 'test', 'example-ambient.mts');
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const sourceOf = (file: string) => {
    const example = files.get(file);
    return file === ambient ? AMBIENT : example && asModule(example);
  };
  host.getSourceFile = (file, ...rest) => {
    const source = sourceOf(file);
    return source === undefined
      ? read(file, ...rest)
      : ts.createSourceFile(file, source, {
          languageVersion: ts.ScriptTarget.ES2022,
          impliedNodeFormat: ts.ModuleKind.ESNext,
        });
  };
  const exists = host.fileExists.bind(host);
  host.fileExists = (file) => sourceOf(file) !== undefined || exists(file);
  const program = ts.createProgram([ambient, ...files.keys()], options, host);
  return [...files].flatMap(([file, { name }]) => {
    const source = program.getSourceFile(file);
    const problems = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ];
    return problems.map(
      ({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}
