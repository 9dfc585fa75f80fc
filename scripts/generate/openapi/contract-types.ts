import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const CONTRACT = new URL('../../../src/contract/', import.meta.url);

/** A field of a type: its type, and the text of its TSDoc. */
export type TypeField = { type: ts.TypeNode; text: string };

/** The types of an endpoint. A result that is text or bytes has none here. */
export type EndpointTypes = { input: ts.TypeNode; output: ts.TypeNode | undefined };

const aliases = new Map<string, ts.TypeAliasDeclaration>();
const typesByConstant = new Map<string, EndpointTypes>();

/** The constants of a file that are calls: `const tokens = responseOf<OAuthTokens>({ … })`. */
function callsIn(source: ts.SourceFile): Map<string, ts.CallExpression> {
  const calls = new Map<string, ts.CallExpression>();
  for (const statement of source.statements.filter(ts.isVariableStatement)) {
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer === undefined || !ts.isCallExpression(initializer)) continue;
      calls.set(name.getText(), initializer);
    }
  }
  return calls;
}

/** Functions whose first type argument is the type of a value: `inputOf<OnboardingInput>({ … })`. */
const TYPED = ['inputOf', 'inputWith', 'inputWithCopies', 'responseOf', 'objectOf'];

/** Returns the type that a function reads a body as: `(value) => value as Cashback`. */
function typeRead(node: ts.Expression | undefined, source: ts.SourceFile): ts.TypeNode | undefined {
  if (node === undefined) return undefined;
  if (ts.isArrowFunction(node)) {
    return ts.isAsExpression(node.body) ? node.body.type : undefined;
  }
  const functions = source.statements.filter(ts.isFunctionDeclaration);
  return functions.find(({ name }) => name?.text === node.getText())?.type;
}

/** Returns the type of the values of a schema. */
function typeOfSchema(
  node: ts.Expression | undefined,
  calls: ReadonlyMap<string, ts.CallExpression>,
): ts.TypeNode | undefined {
  if (node === undefined) return undefined;
  if (!ts.isCallExpression(node)) return typeOfSchema(calls.get(node.getText()), calls);
  const name = node.expression.getText();
  if (TYPED.includes(name)) return node.typeArguments?.[0];
  const reads = { bodyOf: node.arguments[1], schemaOf: node.arguments[2] }[name];
  return typeRead(reads, node.getSourceFile());
}

/** Returns the property of a declaration. */
function propertyOf(call: ts.CallExpression, name: string): ts.Expression | undefined {
  const [declaration] = call.arguments;
  if (declaration === undefined || !ts.isObjectLiteralExpression(declaration)) return undefined;
  const properties = declaration.properties.filter(ts.isPropertyAssignment);
  return properties.find((one) => one.name.getText() === name)?.initializer;
}

function sourcesIn(folder: URL): ts.SourceFile[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  return names.map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  });
}

/** Reads the types that a declaration names: `defineEndpoint<LoginInput, LoginResult>`. */
function readContract(source: ts.SourceFile): void {
  for (const [name, call] of callsIn(source)) {
    const [input, output] = call.typeArguments ?? [];
    if (call.expression.getText() !== 'defineEndpoint' || !input || !output) continue;
    typesByConstant.set(name, { input, output });
  }
}

/** Reads the types of the schemas that a declaration has. */
function readObserved(source: ts.SourceFile, shared: ReadonlyMap<string, ts.CallExpression>): void {
  const calls = new Map([...shared, ...callsIn(source)]);
  for (const [name, call] of callsIn(source)) {
    if (call.expression.getText() !== 'defineEndpoint') continue;
    const input = typeOfSchema(propertyOf(call, 'input'), calls);
    if (input === undefined) throw new Error(`${name}: the type of its input cannot be read`);
    typesByConstant.set(name, { input, output: typeOfSchema(propertyOf(call, 'output'), calls) });
  }
}

const contract = sourcesIn(CONTRACT);
const observed = sourcesIn(new URL('observed/', CONTRACT));
for (const alias of [...contract, ...observed].flatMap(({ statements }) =>
  statements.filter(ts.isTypeAliasDeclaration),
)) {
  aliases.set(alias.name.text, alias);
}
contract.forEach(readContract);
const shared = new Map(observed.flatMap((source) => [...callsIn(source)]));
for (const source of observed) readObserved(source, shared);

/** Returns the types that the declaration of an endpoint names. */
export function typesOfEndpoint(constant: string): EndpointTypes {
  const types = typesByConstant.get(constant);
  if (types === undefined) throw new Error(`${constant} declares no types`);
  return types;
}

// Sentences of the TSDoc that are about the package and not about the service.
const ABOUT_THE_PACKAGE = /redacted|`null` |\/evm|you passed/;

/** Returns the first text of the TSDoc of a declaration on one line, without links. */
export function docText(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(doc?.comment) ?? '';
  return text
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the sentences about the service from the TSDoc of a declaration. */
function serviceText(node: ts.Node): string {
  const text = docText(node).replace(/ \(`[A-Z_]+`\)|, from `\w+Error\.\w+`/g, '');
  const sentences = text.split(/(?<=\.) /);
  return sentences.filter((sentence) => !ABOUT_THE_PACKAGE.test(sentence)).join(' ');
}

/** Returns the type without `null`, `undefined`, `readonly` and parentheses. */
export function bareType(type: ts.TypeNode): ts.TypeNode {
  if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type)) return bareType(type.type);
  if (!ts.isUnionTypeNode(type)) return type;
  const [only, ...others] = type.types.filter((one) => !/^(null|undefined)$/.test(one.getText()));
  return only !== undefined && others.length === 0 ? bareType(only) : type;
}

function aliasOf(type: ts.TypeNode): ts.TypeAliasDeclaration | undefined {
  return ts.isTypeReferenceNode(type) ? aliases.get(type.typeName.getText()) : undefined;
}

/** Returns the name of the type if it is an exported object type of the contract. */
export function nameOf(type: ts.TypeNode): string | undefined {
  const alias = aliasOf(bareType(type));
  // `ByRegion<…>` is another type wherever it is used.
  if (alias?.typeParameters !== undefined) return undefined;
  const isExported = alias?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  return isExported && alias !== undefined && fieldsOf(type).size > 0 ? alias.name.text : undefined;
}

/** Returns the description of a named type from its TSDoc. */
export function textOf(type: ts.TypeNode): string {
  const alias = aliasOf(bareType(type));
  return alias === undefined ? '' : serviceText(alias);
}

const NOTHING = /^(null|undefined| \| )+$/;

/** Returns the fields of an object type, of an intersection or of the members of a union. */
export function fieldsOf(type: ts.TypeNode): ReadonlyMap<string, TypeField> {
  const bare = bareType(type);
  const alias = aliasOf(bare);
  if (alias !== undefined) return fieldsOf(alias.type);
  // `Omit<AddressInput, 'usState'>`: the schema says which fields are left.
  const [whole] = ts.isTypeReferenceNode(bare) ? (bare.typeArguments ?? []) : [];
  if (whole !== undefined && /^(?:Omit|Pick|NonNullable)</.test(bare.getText())) {
    return fieldsOf(whole);
  }
  const fields = new Map<string, TypeField>();
  if (ts.isTypeLiteralNode(bare)) {
    for (const member of bare.members.filter(ts.isPropertySignature)) {
      if (member.type === undefined) continue;
      fields.set(member.name.getText(), { type: member.type, text: serviceText(member) });
    }
  }
  if (!ts.isIntersectionTypeNode(bare) && !ts.isUnionTypeNode(bare)) return fields;
  for (const [name, field] of bare.types.flatMap((one) => [...fieldsOf(one)])) {
    const known = fields.get(name);
    // `dateFrom?: undefined` in one member of a union says less than the type in the other member.
    if (known === undefined || NOTHING.test(known.type.getText())) fields.set(name, field);
  }
  return fields;
}

/** Returns the type of the items of an array, and `undefined` for other types. */
export function itemOf(type: ts.TypeNode): ts.TypeNode | undefined {
  const bare = bareType(type);
  return ts.isArrayTypeNode(bare) ? bare.elementType : undefined;
}

/** Returns the known texts of a type that also accepts others, such as the status of a card. */
export function knownValuesOf(type: ts.TypeNode): readonly string[] {
  const bare = bareType(type);
  const alias = aliasOf(bare);
  if (alias !== undefined && !['Open', 'OpenEnum'].includes(alias.name.text))
    return knownValuesOf(alias.type);
  if (ts.isTypeReferenceNode(bare)) return bare.typeArguments?.flatMap(knownValuesOf) ?? [];
  if (ts.isUnionTypeNode(bare)) return bare.types.flatMap(knownValuesOf);
  const isText = ts.isLiteralTypeNode(bare) && ts.isStringLiteral(bare.literal);
  return isText ? [bare.literal.text] : [];
}
