import { type AnyDeclaration, endpointOf } from '../custom-endpoint.js';
import type { CustomDeclaration, CustomInput, CustomResult, SentField } from '../custom-types.js';
import type { Certainty, Endpoint, ResponseKind } from '../endpoint.js';
import type { LookReads } from '../lookup.js';
import type { RetryClass } from '../retry-policy.js';
import type { Schema } from '../schema.js';

/**
 * Declares a call that deployed clients make although the contract does not document it, in the words
 * with which callers declare endpoints of their own.
 */
// @__NO_SIDE_EFFECTS__
export function defineObserved<
  const InputSchema extends Schema | undefined = undefined,
  const OutputSchema extends Schema | undefined = undefined,
  const Kind extends ResponseKind = 'json',
  const Class extends RetryClass = RetryClass,
  const Detail extends SentField<InputSchema> = SentField<InputSchema>,
>(
  declaration: CustomDeclaration<InputSchema, OutputSchema, Kind, Class, Detail, LookReads> & {
    /** How certain the sources make the call. */
    certainty: Certainty;
  },
): Endpoint<CustomInput<InputSchema>, CustomResult<OutputSchema, Kind>, Class> {
  // The types of a declaration say what its schemas accept and return.
  return endpointOf(declaration as AnyDeclaration) as Endpoint<
    CustomInput<InputSchema>,
    CustomResult<OutputSchema, Kind>,
    Class
  >;
}
