import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import type { DeclaredEndpoint } from '../declared-endpoints.js';
import { docText } from './contract-types.js';

const FOLDERS = ['resources/', 'observed/namespaces/'].map(
  (folder) => new URL(`../../../src/${folder}`, import.meta.url),
);

type MethodDoc = { name: string; sends: readonly string[]; text: string; resource: string };

function methodsIn(folder: URL, file: string): MethodDoc[] {
  const text = readFileSync(new URL(file, folder), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return source.statements.filter(ts.isClassDeclaration).flatMap((resource) =>
    resource.members.filter(ts.isMethodDeclaration).map((method) => ({
      name: method.name.getText(),
      sends: Array.from(
        method.getText().matchAll(/this\.(?:send|endpoint)\(\s*(\w+)/g),
        ([, sent = '']) => sent,
      ),
      text: docText(method),
      resource: docText(resource),
    })),
  );
}

const METHODS: readonly MethodDoc[] = FOLDERS.flatMap((folder) =>
  readdirSync(folder).flatMap((file) => methodsIn(folder, file)),
);

/**
 * The sentences of the client's TSDoc about an endpoint, and about the resource that it is part of.
 */
export type ClientDoc = { summary: string; resource: string };

const firstSentence = (text: string) =>
  /^.*?(?=\. |\.$|$)/.exec(text.replaceAll('**', ''))?.[0] ?? '';

/** Returns the first sentences of the client's method that calls an endpoint, and of its resource. */
export function clientDocOf({
  constant,
  endpoint: { id },
}: DeclaredEndpoint): ClientDoc | undefined {
  const found = METHODS.find(
    ({ name, sends }) => id.endsWith(`.${name}`) && sends.includes(constant),
  );
  // A new endpoint has no method yet: another test requires it.
  if (found === undefined) return undefined;
  // A method with overloads has its TSDoc at the first of them.
  const documented = METHODS.find(
    ({ name, resource, text }) => name === found.name && resource === found.resource && text !== '',
  );
  const summary = firstSentence(documented?.text ?? '');
  return { summary, resource: firstSentence(found.resource) };
}
