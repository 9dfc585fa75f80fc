import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as endpoints from 'card-platform-sdk/endpoints';
import { observedEndpoints } from 'card-platform-sdk/observed';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { DOCUMENT_FILE, OBSERVED_FILE } from './document.js';
import { ANYWHERE, ON_PURPOSE } from './on-purpose.js';
import { differencesBetween, shapeOf } from './type-shape.js';

const OUT = new URL('generated-types/', import.meta.url);
const isEndpoint = (value) => typeof value?.path === 'string' && typeof value.id === 'string';

/** Every endpoint: where its type is exported, and which document describes it. */
const CALLS = [
  ...Object.entries(endpoints)
    .filter(([, value]) => isEndpoint(value))
    .map(([constant, endpoint]) => ({
      endpoint,
      type: `typeof endpoints.${constant}`,
      operations: 'Contract',
    })),
  ...Object.values(observedEndpoints).map((endpoint) => ({
    endpoint,
    type: `(typeof observedEndpoints)['${endpoint.id}']`,
    operations: 'Observed',
  })),
];

/** The operation of a call. Two grants at one path are one operation, whose request has both types. */
function operationOf({ endpoint: { path, method } }, document) {
  return document.paths[path][method.toLowerCase()];
}

const documents = {
  Contract: JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8')),
  Observed: JSON.parse(readFileSync(OBSERVED_FILE, 'utf8')),
};

/** The types of both sides of every call, as source. */
function caseOf(call) {
  const operation = operationOf(call, documents[call.operations]);
  const theirs = `${call.operations}['${operation.operationId}']`;
  return `'${call.endpoint.id}': {
    ourInput: InputOf<${call.type}>; ourResult: ResultOf<${call.type}>;
    path: PartOf<${theirs}['parameters'], 'path'>; query: PartOf<${theirs}['parameters'], 'query'>;
    header: PartOf<${theirs}['parameters'], 'header'>;
    body: BodyOf<${theirs}>; result: JsonOf<${theirs}['responses'][${successOf(operation)}]>;
  };`;
}

const successOf = ({ responses }) => Object.keys(responses).find((status) => status < '300');

const HEAD = `import type * as endpoints from 'card-platform-sdk/endpoints';
import type { observedEndpoints } from 'card-platform-sdk/observed';
import type { operations as Contract } from './Contract.js';
import type { operations as Observed } from './Observed.js';
type InputOf<E> = E extends endpoints.Endpoint<infer Input, infer _, infer __> ? Input : never;
type ResultOf<E> = E extends endpoints.Endpoint<infer _, infer Result, infer __> ? Result : never;
type PartOf<T, Name> = Name extends keyof T ? NonNullable<T[Name]> : {};
type JsonOf<T> = T extends { content: { 'application/json': infer Json } } ? Json : {};
type BodyOf<T> = T extends { requestBody?: infer Body } ? JsonOf<NonNullable<Body>> : {};
`;

let checker;
let cases;
before(async () => {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT);
  writeFileSync(new URL('package.json', OUT), '{"type":"module"}');
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(new URL(`${name}.d.ts`, OUT), astToString(await openapiTS(document)));
  }
  const source = `${HEAD}export type Cases = {\n${CALLS.map(caseOf).join('\n')}\n};\n`;
  const file = fileURLToPath(new URL('cases.ts', OUT));
  writeFileSync(file, source);
  const program = ts.createProgram([file], {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
    noEmit: true,
  });
  const written = ['cases.ts', 'Contract.d.ts', 'Observed.d.ts'].map((name) =>
    program.getSourceFile(fileURLToPath(new URL(name, OUT))),
  );
  const problems = written.flatMap((one) => [...ts.getPreEmitDiagnostics(program, one)]);
  assert.deepEqual(
    problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
    [],
  );
  checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(program.getSourceFile(file));
  const [alias] = checker.getExportsOfModule(symbol);
  cases = checker.getDeclaredTypeOfSymbol(alias);
});

function typesOf({ endpoint: { id } }) {
  const parts = checker.getTypeOfSymbol(cases.getProperty(id));
  const typeOf = (name) => checker.getTypeOfSymbol(parts.getProperty(name));
  return (name) => shapeOf(checker, typeOf(name));
}

/** Our input under the names on the wire, without the fields that are never sent. */
function sentFields(
  { wireNames = {}, localFields = [], extraBodyField, headerFields = {} },
  shape,
) {
  const local = [...localFields, extraBodyField];
  return new Map(
    [...shape].flatMap(([path, place]) => {
      const [head, ...rest] = path.split('.');
      if (path === '' || local.includes(head)) return [];
      return [[[headerFields[head] ?? wireNames[head] ?? head, ...rest].join('.'), place]];
    }),
  );
}

/** The input of the operation: path, query, body, and the headers that a call sets. */
function requestOf(shapes, { headerFields = {} }) {
  const known = Object.values(headerFields);
  const header = [...shapes('header')].filter(([name]) => known.includes(name.split('.')[0]));
  const fields = [...header, ...shapes('path'), ...shapes('query'), ...shapes('body')];
  return new Map(fields.filter(([path]) => path !== ''));
}

/** The differences that any endpoint may have, as far as one has them. */
const seen = new Set();

for (const call of CALLS) {
  const { endpoint } = call;
  test(`${endpoint.id} has the fields of its operation`, () => {
    const shapes = typesOf(call);
    // The request of two grants at one path is either of two types.
    const isGrant = operationOf(call, documents[call.operations])['x-operations'] !== undefined;
    const isFile = (endpoint.response ?? 'json') !== 'json';
    const theirs = requestOf(shapes, endpoint);
    const ours = sentFields(endpoint, shapes('ourInput'));
    const all = [
      ...(isGrant ? [] : differencesBetween(theirs, ours, false)).map((one) => `input ${one}`),
      ...(isFile ? [] : differencesBetween(shapes('result'), shapes('ourResult'), true)).map(
        (one) => `result ${one}`,
      ),
    ];
    for (const line of all.filter((one) => Object.hasOwn(ANYWHERE, one))) seen.add(line);
    const found = all.filter((one) => !Object.hasOwn(ANYWHERE, one));
    assert.deepEqual(found.sort(), Object.keys(ON_PURPOSE[endpoint.id] ?? {}).sort());
  });
}

test('every difference on purpose is one', () => {
  assert.deepEqual([...seen].sort(), Object.keys(ANYWHERE).sort());
  const ids = CALLS.map(({ endpoint }) => endpoint.id);
  assert.ok(ids.length > 80);
  assert.deepEqual(
    Object.keys(ON_PURPOSE).filter((id) => !ids.includes(id)),
    [],
  );
});
