import { RECOGNISED_ERRORS, type RecognitionRule, type RefusalCode } from './recognised-errors.js';
import { type DocumentedRefusal, statedRefusal } from './refusals.js';

/** A refusal of the service, as it was read. */
export type Refusal = {
  readonly endpoint: { readonly id: string; readonly businessErrors: readonly DocumentedRefusal[] };
  /** `undefined` for `success: false` beside a success status. */
  readonly status: number | undefined;
  readonly texts: readonly string[];
  readonly serverCode: string | undefined;
  /** Whether the body has a form of the service, so that the status is its own and not a proxy's. */
  readonly isDocumentedForm: boolean;
  /** Returns whether the call sent an input field. */
  readonly hasInput: (name: string) => boolean;
};

/** A 404 of a router: the path is wrong, which says nothing about the user's data. */
const NO_ROUTE =
  /^(?:cannot (?:get|post|put|patch|delete)\b.*|no route .*|(?:(?:route|endpoint|path|page) )?not found)$/;

/** The words of a text, without prefixes, endings or punctuation that carry no meaning. */
function words(text: string): string {
  const spaced = text.slice(0, 300).replace(/([a-z])([A-Z])/g, '$1 $2');
  const plain = spaced.toLowerCase().replace(/[^a-z0-9]+/g, ' ');
  return plain
    .trim()
    .replace(/^error /, '')
    .replace(
      / (?:please )?(?:try again(?: later)?|contact support|request a new (?:one|code))$/,
      '',
    );
}

/** The words of a code; for a URI, as in RFC 9457, those of its last part. */
const codeWords = (code: string) => words(code.split(/[/#:]/).at(-1) ?? '');

function fits(
  rule: RecognitionRule,
  refusal: Refusal,
  texts: readonly string[],
  own: string,
): boolean {
  const { endpoint, status, isDocumentedForm, hasInput } = refusal;
  const isWorded = rule.words !== undefined || rule.ownCode !== undefined;
  if (rule.endpoints !== '*' && !rule.endpoints.some((id) => id === endpoint.id)) return false;
  if (status === undefined ? !isWorded : !rule.statuses.includes(status)) return false;
  if (rule.withInput !== undefined && !hasInput(rule.withInput)) return false;
  if (rule.ownCode?.test(own)) return true;
  if (isWorded) return [...texts, own].some((text) => rule.words?.test(text));
  return isDocumentedForm && !texts.some((text) => NO_ROUTE.test(text));
}

/**
 * Finds the code of a refusal: a message that the contract documents, the service's own code of the
 * same name, or a refusal that the contract describes without a message. It names what happened, and
 * never decides whether a request may be sent again.
 */
export function refusalCodeOf(refusal: Refusal): RefusalCode | undefined {
  const { endpoint, status = 400, serverCode = '' } = refusal;
  const stated = statedRefusal(refusal.texts, endpoint.businessErrors)?.code;
  if (stated !== undefined || status >= 500) return stated;
  const own = codeWords(serverCode);
  const texts = refusal.texts.map(words);
  return (
    endpoint.businessErrors.find(({ code }) => code.replaceAll('_', ' ') === own)?.code ??
    RECOGNISED_ERRORS.find((rule) => fits(rule, refusal, texts, own))?.code
  );
}
