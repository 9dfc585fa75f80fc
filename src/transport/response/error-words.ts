import { type Layer, textOf, unpacked } from './error-layers.js';

/** The fields that hold words, the plainest first. An array under them holds several sentences. */
const WORDS = ['message', 'error_description', 'detail', 'error'] as const;

/** The fields that hold the service's own code. */
const CODES = ['code', 'errorCode', 'error_code'] as const;

const SEVERAL = '; ';

/** Whether a text is one token that a program wrote: `E42`, `invalid_grant`, but not `Forbidden`. */
function isToken(text: string): boolean {
  return /^[\w.:/-]+$/.test(text.trim()) && !/^[A-Za-z][a-z]*[.]?$/.test(text.trim());
}

function wordsOf(value: unknown): string[] {
  const list = unpacked(value);
  if (Array.isArray(list)) return list.map(textOf).filter((one) => one !== undefined);
  return typeof list === 'string' && list.trim() !== '' ? [list] : [];
}

/** The texts that state the failure, by field: `message: ['a', 'b']` holds two. */
export function statementsIn(layers: readonly Layer[]): string[][] {
  return layers
    .flatMap((layer) => WORDS.map((name) => wordsOf(layer[name])))
    .filter((words) => words.length > 0);
}

function numberIn(layer: Layer, names: readonly string[], status: number): string | undefined {
  const values = names.map((name) => layer[name]);
  return values.find((one) => Number.isFinite(one) && one !== status)?.toString();
}

const first = <T>(layers: readonly Layer[], find: (layer: Layer) => T | undefined): T | undefined =>
  layers.map(find).find((one) => one !== undefined);

/**
 * The service's own code for the failure.
 *
 * @param isProblem - whether the body is RFC 9457 problem details, whose `type` names the problem
 * @param status - of the response: a code that repeats it adds nothing
 */
export function serverCodeIn(
  layers: readonly Layer[],
  isProblem: boolean,
  status: number,
): string | undefined {
  const isInformative = (code: string | undefined) => code !== undefined && code !== String(status);
  const named = (layer: Layer) =>
    CODES.map((name) => textOf(layer[name])).find(isInformative) ?? numberIn(layer, CODES, status);
  // OAuth puts its code into `error`.
  const token = (layer: Layer) => {
    const error = textOf(layer['error']);
    return error !== undefined && isToken(error) ? error : undefined;
  };
  const type = isProblem ? first(layers, (layer) => textOf(layer['type'])) : undefined;
  const code = first(layers, named) ?? first(layers, token);
  return code ?? (type === 'about:blank' ? undefined : type);
}

/**
 * The text that helps a person most: a sentence before a title, a title before a code, and a number
 * only where there is nothing else.
 */
export function bestStatement(
  layers: readonly Layer[],
  more: readonly string[],
  serverCode: string | undefined,
  status: number,
): string | undefined {
  const stated = statementsIn(layers).map((words) => words.join(SEVERAL));
  const titles = layers.map((layer) => textOf(layer['title'])).filter((one) => one !== undefined);
  const all = [...stated, ...titles, ...more];
  const sentence = all.find((one) => !isToken(one)) ?? all[0] ?? serverCode;
  return sentence ?? first(layers, (layer) => numberIn(layer, [...WORDS, ...CODES], status));
}
