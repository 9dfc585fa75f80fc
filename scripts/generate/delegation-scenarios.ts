import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The libraries of wallets, devices and nodes that the tests of delegations run. */
const LIBRARIES = [
  'viem',
  '@wagmi/core',
  'wagmi-core-2',
  'ethers',
  'ethers5',
  '@ledgerhq/errors',
  '@ledgerhq/hw-app-eth',
  '@ledgerhq/hw-app-solana',
  '@solana/web3.js',
  '@solana/kit',
  '@solana/wallet-adapter-base',
  '@solana/wallet-adapter-unsafe-burner',
];

const FOLDERS = ['test/evm', 'test/wagmi', 'test/solana', 'test/delegation'];

const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

function versioned(library: string): string {
  const { name, version } = JSON.parse(read(`node_modules/${library}/package.json`));
  return `${name} ${version}`;
}

type Module = { libraries: Set<string>; cases: string[]; count: number };

/** The libraries that a test file imports, also through its support files, and its tests. */
function moduleAt(path: string): Module {
  const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  const found: Module = { libraries: new Set(), cases: [], count: 0 };
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) addImport(found, path, statement);
    if (!ts.isExpressionStatement(statement)) continue;
    const title = titleOf(statement.expression);
    if (title !== undefined) found.cases.push(title);
  }
  const count = (node: ts.Node): void => {
    if (titleOf(node, /^it\b/) !== undefined) found.count++;
    node.forEachChild(count);
  };
  count(file);
  return found;
}

function addImport(found: Module, path: string, statement: ts.ImportDeclaration): void {
  const { text: from } = statement.moduleSpecifier as ts.StringLiteral;
  if (statement.importClause?.isTypeOnly) return;
  const library = LIBRARIES.find((name) => from === name || from.startsWith(`${name}/`));
  if (library !== undefined) found.libraries.add(library);
  if (!/^\.\.?\/(?:support|chain|evm\/support)\//.test(from)) return;
  const support = join(dirname(path), from.replace(/\.js$/, '.ts'));
  for (const each of moduleAt(support).libraries) found.libraries.add(each);
}

/** The title of a suite or a test; `undefined` for any other call. */
function titleOf(node: ts.Node, kind = /^(?:describe|it)\b/): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  const [title] = node.arguments;
  if (title === undefined || !ts.isStringLiteralLike(title)) return undefined;
  let called: ts.Node = node.expression;
  while (ts.isCallExpression(called) || ts.isPropertyAccessExpression(called)) {
    called = called.expression;
  }
  if (!ts.isIdentifier(called) || !kind.test(called.text)) return undefined;
  return title.text.replace(/[%$][\w.]+/g, '…');
}

function flowRows(): string[] {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  ).sort();
  return paths.flatMap((path) => {
    const { libraries, cases, count } = moduleAt(path);
    if (libraries.size === 0 || cases.length === 0) return [];
    const names = LIBRARIES.filter((name) => libraries.has(name)).map(versioned);
    return `| \`${path}\` | ${names.join(', ')} | ${count} | ${cases.join('; ')} |`;
  });
}

type Recorded = { library: string; version: string };

/** What each library throws after each failure, as `npm run record:errors` has stored it. */
function recordedRows(): string[] {
  const counts = new Map<string, number>();
  for (const chain of ['evm', 'solana']) {
    const all: Recorded[] = JSON.parse(read(`test/fixtures/library-errors/${chain}.json`));
    for (const { library, version } of all) {
      const name = `| ${chain === 'evm' ? 'EVM' : 'Solana'} | ${library} | ${version} |`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].map(([name, count]) => `${name} ${count} |`);
}

/** Returns the page about the tests of delegations with its two tables. */
export function delegationScenarios(): string {
  const tables = {
    flows: ['| file | libraries | tests | of |', '| --- | --- | --- | --- |', ...flowRows()],
    recorded: [
      '| chain | library | version | failures |',
      '| --- | --- | --- | --- |',
      ...recordedRows(),
    ],
  };
  let page = read('docs/evidence/delegation-tests.md');
  for (const [name, lines] of Object.entries(tables)) {
    const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [before, rest = ''] = page.split(start);
    page = `${before}${start}\n\n${lines.join('\n')}\n\n${end}${rest.split(end)[1]}`;
  }
  return page;
}
