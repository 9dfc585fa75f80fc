import type { ResponseShape } from './endpoint.js';
import { Field } from './field.js';
import { filledText, list, mapOf, maybe, responseBody, said } from './fields.js';

/** The path of a field, with `*` for the items of a list. */
type Path = readonly string[];

/** The paths that go on below a field, without its name. */
function below(essential: readonly Path[], name: string): readonly Path[] {
  return essential.filter(([first]) => first === name).map(([, ...rest]) => rest);
}

/**
 * Derives what a caller's program survives from what the contract promises: every field but the
 * essential ones may be absent, null, and of an unknown value or format.
 *
 * @param essential - the essential fields at or below this field
 * @returns `undefined` where anything is tolerated
 */
function toleratedField(field: Field, essential: readonly Path[]): Field | undefined {
  const { inner, fields, item, isText, tolerated } = field.parts;
  if (inner !== undefined) return toleratedField(inner, essential);
  const isEssential = essential.length > 0;
  if (fields !== undefined) {
    const kept = Object.entries(fields).flatMap(([name, one]) => {
      const derived = toleratedField(one, below(essential, name));
      return derived === undefined ? [] : [[name, derived] as const];
    });
    if (!isEssential && kept.length === 0) return undefined;
    const body = responseBody(Object.fromEntries(kept));
    return isEssential ? body : maybe(body);
  }
  if (item !== undefined) {
    const inItem = below(essential, '*');
    if (!isEssential && toleratedField(item, inItem) === undefined) return undefined;
    // An item is never null: a program that goes through the list would fail at it.
    const items = list(toleratedField(item, [[], ...inItem]) ?? item);
    return isEssential ? items : maybe(items);
  }
  if (!isEssential) return tolerated;
  return isText ? filledText : field;
}

/**
 * The response to a success status: the promise of the contract, and what is tolerated of it.
 *
 * @param promise - exactly what the contract documents
 * @param essential - the fields without which the response is useless, as dotted paths with `*` for
 *   the items of a list
 */
// @__NO_SIDE_EFFECTS__
export function response(
  promise: Field,
  essential: readonly string[] = [],
  more: Pick<ResponseShape, 'mayBeEmpty' | 'isPartial'> = {},
): ResponseShape {
  const paths = essential.map((path) => path.split('.'));
  // The empty path: the body itself must be there.
  const tolerance = new Field(() => (toleratedField(promise, [[], ...paths]) ?? promise).zod);
  return { promise, tolerance, ...more };
}

const success = responseBody({ success: said });

/** `{ success: true }`, the response to a command that moves money. An empty one proves nothing. */
export const successResponse = response(success, ['success']);

/** `{ success: true }` or nothing: the response to a command that moves no money. */
export const doneResponse = response(success, ['success'], { mayBeEmpty: true });

/** Lets every field be absent or null, at any depth. */
// @__NO_SIDE_EFFECTS__
export function withOptionalFields(field: Field): Field {
  const { inner, fields, item, values } = field.parts;
  if (inner !== undefined) return withOptionalFields(inner);
  if (item !== undefined) return list(withOptionalFields(item));
  if (values !== undefined) return mapOf(maybe(withOptionalFields(values)));
  if (fields === undefined) return field;
  const optionalFields = Object.entries(fields).map(([name, one]) => [
    name,
    maybe(withOptionalFields(one)),
  ]);
  return responseBody(Object.fromEntries(optionalFields));
}

/**
 * The response of an endpoint that the contract only names: the shape that was observed, of which any
 * field may be absent or null. Any response is read, unless it lacks an essential field.
 */
// @__NO_SIDE_EFFECTS__
export function observedResponse(
  shape: Field,
  essential: readonly string[] = [],
  more: Pick<ResponseShape, 'mayBeEmpty'> = {},
): ResponseShape {
  const { tolerance } = response(shape, essential);
  const promise = withOptionalFields(shape);
  return { promise, ...(essential.length > 0 && { tolerance }), ...more };
}
