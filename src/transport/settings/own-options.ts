import { ConfigurationError } from '../../errors/index.js';

/**
 * Reads each own option once, so that a getter cannot return something else later. Inherited options
 * do not count, and a misspelled one is refused instead of ignored.
 *
 * @throws ConfigurationError that names the option
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
    if (!names.includes(name)) {
      const shown = /^[A-Za-z][A-Za-z.]{0,39}$/.test(name) ? `${prefix}${name}` : 'an option';
      throw new ConfigurationError(shown, `${shown} is not a known option.`);
    }
    copy[name] = (value as Record<string, unknown>)[name];
  }
  return copy as Options;
}
