import ts from 'typescript';

/**
 * A type as data: what may stand at each path. `*` is an item of a list, `{}` a value of a map.
 *
 * @typedef {{ kinds: Set<string>, values: Set<string>, mayBeAbsent: boolean }} Place
 * @typedef {Map<string, Place>} Shape
 */

const DEEPEST = 12;
const JSON_KINDS = ['text', 'number', 'flag', 'list', 'object'];

const below = (path, name) => (path === '' ? name : `${path}.${name}`);

/** Whether a type is `string & {}`, by which a union of texts stays open. */
const isOpenText = (type) =>
  type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);

/**
 * Reads a type as data. `null` is a kind, `undefined` makes a place absent.
 *
 * @param {ts.TypeChecker} checker
 * @returns {Shape}
 */
export function shapeOf(checker, whole) {
  const shape = new Map();

  function placeAt(path) {
    const known = shape.get(path) ?? { kinds: new Set(), values: new Set(), mayBeAbsent: false };
    shape.set(path, known);
    return known;
  }

  function readObjects(types, path, depth) {
    const names = new Set(types.flatMap((one) => one.getProperties().map(({ name }) => name)));
    for (const name of names) {
      const properties = types.map((one) => one.getProperty(name));
      for (const property of properties.filter(Boolean)) {
        read(checker.getTypeOfSymbol(property), below(path, name), depth + 1);
        if (property.flags & ts.SymbolFlags.Optional) placeAt(below(path, name)).mayBeAbsent = true;
      }
      if (properties.includes(undefined)) placeAt(below(path, name)).mayBeAbsent = true;
    }
    for (const one of types) {
      const values = checker.getIndexTypeOfType(one, ts.IndexKind.String);
      // An object without any field has no values.
      if (values !== undefined && !(values.flags & ts.TypeFlags.Never)) {
        read(values, below(path, '{}'), depth + 1);
      }
    }
  }

  function read(type, path, depth) {
    const place = placeAt(path);
    const members = type.isUnion() ? type.types : [type];
    const objects = [];
    for (const one of members) {
      const { flags } = one;
      if (flags & ts.TypeFlags.Undefined) place.mayBeAbsent = true;
      else if (flags & ts.TypeFlags.Null) place.kinds.add('null');
      else if (flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) place.kinds.add('anything');
      else if (flags & ts.TypeFlags.BooleanLike) place.kinds.add('flag');
      else if (flags & ts.TypeFlags.NumberLike) place.kinds.add('number');
      else if (flags & ts.TypeFlags.StringLike || isOpenText(one)) {
        place.kinds.add('text');
        if (one.isStringLiteral()) place.values.add(one.value);
      } else if (checker.isArrayType(one)) {
        place.kinds.add('list');
        const [item] = checker.getTypeArguments(one);
        if (item !== undefined && depth < DEEPEST) read(item, below(path, '*'), depth + 1);
      } else if (!(flags & ts.TypeFlags.Never)) {
        place.kinds.add('object');
        objects.push(one);
      }
    }
    // A union of everything that JSON has is any value.
    if (JSON_KINDS.every((kind) => place.kinds.has(kind))) place.kinds = new Set(['anything']);
    else if (objects.length > 0 && depth < DEEPEST) readObjects(objects, path, depth);
  }

  read(whole, '', 0);
  return shape;
}

const written = (values) => [...values].sort().join(' or ');
const withoutNull = ({ kinds }) => new Set([...kinds].filter((kind) => kind !== 'null'));

/** Whether a path lies in a place where one of the types allows anything. */
function isFree(path, shapes) {
  const parts = path.split('.');
  const above = parts.map((_, index) => parts.slice(0, index).join('.'));
  return above.some((one) => shapes.some((shape) => shape.get(one)?.kinds.has('anything')));
}

/**
 * Compares two types at every path. Returns one line for each difference.
 *
 * @param {Shape} theirs - from the OpenAPI document
 * @param {Shape} ours - of the package
 * @param {boolean} isTolerant - whether ours may lack a field, or have null, where theirs does not:
 *   a program reads a response that breaks the contract
 */
export function differencesBetween(theirs, ours, isTolerant) {
  const found = [];
  for (const path of new Set([...theirs.keys(), ...ours.keys()])) {
    if (isFree(path, [theirs, ours])) continue;
    const [their, our] = [theirs.get(path), ours.get(path)];
    const at = path === '' ? 'the whole' : path;
    if (our === undefined) found.push(`${at}: only in OpenAPI`);
    else if (their === undefined) found.push(`${at}: only in the package`);
    else {
      const [one, other] = [withoutNull(their), withoutNull(our)].map(written);
      if (one !== other) found.push(`${at}: ${one} in OpenAPI, ${other} in the package`);
      const values = [their.values, our.values].map(written);
      if (one === other && values[0] !== values[1]) {
        found.push(`${at}: ${values[0] || 'any'} in OpenAPI, ${values[1] || 'any'} in the package`);
      }
      const isAbsent = [their, our].map(({ mayBeAbsent }) => mayBeAbsent);
      if (isAbsent[0] && !isAbsent[1]) found.push(`${at}: required only in the package`);
      if (isAbsent[1] && !isAbsent[0] && !isTolerant) found.push(`${at}: required only in OpenAPI`);
      const isNull = [their, our].map(({ kinds }) => kinds.has('null'));
      if (isNull[0] && !isNull[1]) found.push(`${at}: null only in OpenAPI`);
      if (isNull[1] && !isNull[0] && !isTolerant) found.push(`${at}: null only in the package`);
    }
  }
  return found;
}
