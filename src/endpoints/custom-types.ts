import type { CustomDeclaration, SentField } from '../contract/custom-types.js';
import type { ResponseKind } from '../contract/endpoint.js';
import type { RetryClass } from '../contract/retry-policy.js';
import type { Schema } from '../contract/schema.js';
import type { LookTools } from '../journal/journal-types.js';

export type {
  CustomDeclaration,
  CustomInput,
  CustomResult,
  ResponseBytes,
  SentField,
} from '../contract/custom-types.js';

/** The declaration of an endpoint of your own; see {@link defineEndpoint}. */
export type CustomEndpoint<
  InputSchema extends Schema | undefined = undefined,
  OutputSchema extends Schema | undefined = undefined,
  Kind extends ResponseKind = 'json',
  Class extends RetryClass = RetryClass,
  Detail extends SentField<InputSchema> = SentField<InputSchema>,
> = CustomDeclaration<InputSchema, OutputSchema, Kind, Class, Detail, LookTools<NoInfer<Detail>>>;
