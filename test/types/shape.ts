import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Field } from '../../src/contract/field.js';
import type { Schema } from '../../src/contract/schema.js';

/** The fields of a type or of a schema, level by level; `true` for what has none. */
export type Shape = true | { readonly [field: string]: { optional: boolean; shape: Shape } };

type ZodDef = {
  type: string;
  shape?: Record<string, ZodSchema>;
  innerType?: ZodSchema;
  element?: ZodSchema;
};
type ZodSchema = { _zod: { def: ZodDef } };

/** The shape of a schema of the contract. */
export function shapeOfField(field: Schema): { optional: boolean; shape: Shape } {
  return shapeOfSchema((field as Field).zod);
}

function shapeOfSchema(schema: unknown): { optional: boolean; shape: Shape } {
  const { def } = (schema as ZodSchema)._zod;
  if (def.type === 'optional') return { ...shapeOfSchema(def.innerType), optional: true };
  if (def.type === 'nullable') return { ...shapeOfSchema(def.innerType), optional: false };
  if (def.type === 'array') return { optional: false, shape: shapeOfSchema(def.element).shape };
  if (def.type !== 'object') return { optional: false, shape: true };
  const fields = Object.entries(def.shape ?? {}).map(([name, field]) => [
    name,
    shapeOfSchema(field),
  ]);
  return { optional: false, shape: Object.fromEntries(fields) };
}

/**
 * Whether a type matches a schema: the same fields, which are optional if the schema lets them be
 * absent. More fields may be optional in the type, because a tolerant client passes on incoming
 * data unchanged.
 */
export function differences(schema: Shape, type: Shape, path = ''): string[] {
  if (schema === true || type === true) return schema === type ? [] : [`${path}: one has fields`];
  const names = new Set([...Object.keys(schema), ...Object.keys(type)]);
  return [...names].flatMap((name) => {
    const [said, shown] = [schema[name], type[name]];
    const at = `${path}.${name}`;
    // Live responses have fields that the contract does not promise.
    if (said === undefined && shown?.optional) return [];
    if (said === undefined || shown === undefined) return [`${at}: only in one`];
    const lie = said.optional && !shown.optional ? [`${at}: shown as always there`] : [];
    return [...lie, ...differences(said.shape, shown.shape, at)];
  });
}

/** The fields that a type promises, at any depth. */
export function promisedFields(shape: Shape, path = ''): string[] {
  if (shape === true) return [];
  return Object.entries(shape).flatMap(([name, field]) => [
    ...(field.optional ? [] : [`${path}.${name}`]),
    ...promisedFields(field.shape, `${path}.${name}`),
  ]);
}

const OBJECT = ts.TypeFlags.Object | ts.TypeFlags.Intersection;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The shapes of the input and output types of the endpoints, by the name of their constant. */
export class EndpointTypes {
  readonly #checker: ts.TypeChecker;
  readonly #types = new Map<string, readonly ts.Type[]>();

  constructor() {
    const config = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile).config;
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
    const program = ts.createProgram([`${ROOT}src/contract/endpoints.ts`], options);
    this.#checker = program.getTypeChecker();
    for (const source of program.getSourceFiles()) {
      if (!source.fileName.includes('/src/contract/')) continue;
      ts.forEachChild(source, (node) => this.#collect(node));
    }
  }

  #collect(node: ts.Node): void {
    if (!ts.isVariableStatement(node)) return;
    for (const { name, initializer } of node.declarationList.declarations) {
      if (initializer === undefined || !ts.isCallExpression(initializer)) continue;
      if (initializer.expression.getText() !== 'defineEndpoint') continue;
      const types = initializer.typeArguments?.map((one) => this.#checker.getTypeFromTypeNode(one));
      this.#types.set(name.getText(), types ?? []);
    }
  }

  /** The shape of the input (0) or the output (1) of a call. */
  shapeOf(constant: string, which: 0 | 1): Shape {
    const type = this.#types.get(constant)?.[which];
    if (type === undefined) throw new Error(`${constant} is no endpoint`);
    return this.#shape(type);
  }

  /** Every field of the output of an endpoint that has no fields of its own, with its type. */
  outputFieldsOf(constant: string): readonly { path: string; type: string }[] {
    const type = this.#types.get(constant)?.[1];
    if (type === undefined) throw new Error(`${constant} is not an endpoint`);
    return this.#leaves(type, '', '');
  }

  #leaves(type: ts.Type, path: string, name: string): { path: string; type: string }[] {
    const checker = this.#checker;
    const bare = checker.getNonNullableType(type);
    const text = checker.typeToString(bare);
    if (checker.isArrayType(bare)) {
      const [element] = checker.getTypeArguments(bare as ts.TypeReference);
      return element === undefined ? [] : this.#leaves(element, `${path}.*`, name);
    }
    const index = bare.getStringIndexType();
    if (/^Json(Value|Object)$/.test(text)) return [{ path, type: text }];
    if (index !== undefined) return this.#leaves(index, `${path}.*`, name);
    const parts = bare.isUnion() ? bare.types : [bare];
    const objects = parts.filter(({ flags }) => (flags & OBJECT) !== 0);
    if (objects.length === 0 && text !== 'LoginResult') return [{ path, type: text }];
    return parts.flatMap((part) =>
      part
        .getProperties()
        .flatMap((field) =>
          this.#leaves(checker.getTypeOfSymbol(field), `${path}.${field.name}`, field.name),
        ),
    );
  }

  #shape(type: ts.Type): Shape {
    const checker = this.#checker;
    const bare = checker.getNonNullableType(type);
    if (checker.isArrayType(bare)) {
      const [element] = checker.getTypeArguments(bare as ts.TypeReference);
      return element === undefined ? true : this.#shape(element);
    }
    const index = bare.getStringIndexType();
    // `NoInput` has keys of type never: none at all.
    if (index !== undefined) return (index.flags & ts.TypeFlags.Never) !== 0 ? {} : true;
    const isObject = (bare.isUnion() ? bare.types : [bare]).every(
      ({ flags }) => (flags & OBJECT) !== 0,
    );
    const fields = isObject ? bare.getProperties() : [];
    if (fields.length === 0) return isObject ? {} : true;
    if (fields.some(({ name }) => name === 'charAt')) return true;
    return Object.fromEntries(
      fields.map((field) => [
        field.name,
        {
          optional: (field.flags & ts.SymbolFlags.Optional) !== 0,
          shape: this.#shape(checker.getTypeOfSymbol(field)),
        },
      ]),
    );
  }
}
