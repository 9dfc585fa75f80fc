import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

it('the options of /query have the right types in an app with the Vue adapter', () => {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  // This repository has the React adapter too, whose query-core is another version. An app has one.
  const core =
    './node_modules/@tanstack/vue-query/node_modules/@tanstack/query-core/build/modern/index.d.ts';
  const paths = { ...options.paths, '@tanstack/query-core': [core] };
  const file = fileURLToPath(new URL('query-vue.ts', import.meta.url));
  const program = ts.createProgram([file], { ...options, paths });
  const problems = ts.getPreEmitDiagnostics(program).map(({ messageText, file, start = 0 }) => {
    const line = file && file.getLineAndCharacterOfPosition(start).line + 1;
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(problems).toEqual([]);
});
