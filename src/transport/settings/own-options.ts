import { nearestName } from '../../contract/formats/nearest-name.js';
import { ConfigurationError } from '../../errors/index.js';

/** What other clients call an option, in lower case, and its name here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  apikey: 'clientKey',
  publickey: 'clientKey',
  secret: 'secretKey',
  apisecret: 'secretKey',
  token: 'accessToken',
  bearer: 'accessToken',
  bearertoken: 'accessToken',
  authtoken: 'accessToken',
  url: 'baseUrl',
  host: 'baseUrl',
  endpoint: 'baseUrl',
  apiurl: 'baseUrl',
  maxretries: 'retry.maxRetries',
  retries: 'retry.maxRetries',
  timeoutms: 'timeout',
  deadline: 'totalTimeout',
  now: 'clock',
  httpagent: 'agent',
  httpsagent: 'agent',
  defaultheaders: 'headers',
  strict: 'responseValidation',
  storage: 'store',
};

/** A name that differs from the nearest one in more than this share of its letters is no misspelling. */
const MOST_LETTERS_WRONG = 0.4;

/** Returns the option that the caller probably means. */
function meantOption(name: string, names: readonly string[]): string | undefined {
  const other = Object.hasOwn(OTHER_NAMES, name.toLowerCase())
    ? OTHER_NAMES[name.toLowerCase()]
    : undefined;
  const isHere = names.some((known) => other === known || other?.startsWith(`${known}.`));
  if (isHere) return other;
  return nearestName(name, names, MOST_LETTERS_WRONG);
}

function unknownOption(name: string, names: readonly string[], prefix: string): ConfigurationError {
  // The name of an option may hold a value that was put in the wrong place.
  if (!/^[A-Za-z][A-Za-z.]{0,39}$/.test(name)) {
    return new ConfigurationError('an option', 'an option is not a known option.');
  }
  const meant = meantOption(name, names);
  const advice = meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`;
  const shown = `${prefix}${name}`;
  return new ConfigurationError(shown, `${shown} is not a known option.${advice}`);
}

/**
 * Reads each own option once, so that a getter cannot return something else later. Inherited options
 * do not count, and a misspelled one is refused instead of ignored.
 *
 * @throws ConfigurationError that names the option, and the one that the caller probably means
 */
export function ownOptions<Options>(
  value: unknown,
  names: readonly string[],
  prefix = '',
): Options {
  if (typeof value !== 'object' || value === null) {
    const shown = prefix === '' ? 'the options' : prefix.slice(0, -1);
    throw new ConfigurationError('options', `${shown} must be an object.`);
  }
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (!names.includes(name)) throw unknownOption(name, names, prefix);
    copy[name] = (value as Record<string, unknown>)[name];
  }
  return copy as Options;
}
