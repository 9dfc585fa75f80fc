import type { BusinessErrorCode } from './business-errors.js';

/** A refusal whose message is known: the contract documents it, or it was seen. */
export type DocumentedRefusal = {
  readonly code: BusinessErrorCode;
  /** The status that the contract documents for it, or our choice where it documents none. */
  readonly status: number;
  /** Its messages in lower case. A message must match as a whole: a longer one may mean something else. */
  readonly messages: readonly [string, ...string[]];
  /** Whether only a part of the message is known, so that a message that contains it counts. */
  readonly isPart?: boolean;
};

/** Declares a refusal. `npm run generate` adds its code to `BusinessErrorCode`. */
// @__NO_SIDE_EFFECTS__
export function refusal(
  code: BusinessErrorCode,
  status: number,
  ...messages: DocumentedRefusal['messages']
): DocumentedRefusal {
  return { code, status, messages };
}

export const cardNotFound = refusal('card_not_found', 404, 'card not found');
export const insufficientBalance = refusal(
  'insufficient_balance',
  400,
  'insufficient balance',
  'insufficient balance for withdrawal',
);
export const notAuthenticated = refusal('not_authenticated', 401, 'not authenticated');
export const notAuthorized = refusal('not_authorized', 403, 'not authorized');

/**
 * Finds the refusal that one of the messages states.
 *
 * @param texts - the messages of the service
 * @param documented - the refusals of the endpoint
 */
export function statedRefusal<Known extends Omit<DocumentedRefusal, 'code' | 'status'>>(
  texts: readonly string[],
  documented: readonly Known[],
): Known | undefined {
  const plain = texts.map((text) => text.trim().toLowerCase().replace(/\.$/, ''));
  return documented.find(({ messages, isPart }) =>
    messages.some((known) =>
      plain.some((text) => (isPart ? text.includes(known) : text === known)),
    ),
  );
}
