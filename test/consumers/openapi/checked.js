import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { document } from './document.js';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

const pointer = (keys) =>
  keys
    .map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
    .map(encodeURIComponent)
    .join('/');

function validatorOf(response, keys) {
  const at = response.$ref === undefined ? pointer(keys) : response.$ref.slice(2);
  return ajv.getSchema(`document#/${at}/content/application~1json/schema`);
}

/**
 * Returns the part of a response that the description does not cover: its status, its media type or
 * its body. `default` covers no status: the description must name each one.
 */
export function differencesOf({ path, method, responses }, { status, type, text }) {
  const response = responses[status];
  if (response === undefined) return [`status ${status} is not documented`];
  if (text === '') return [];
  if (!type.startsWith('application/json')) return [`media type ${type} is not documented`];
  const keys = ['paths', path, method.toLowerCase(), 'responses', String(status)];
  const validate = validatorOf(response, keys);
  if (validate(JSON.parse(text))) return [];
  return validate.errors.map(
    ({ instancePath, message }) => `${status}: ${instancePath} ${message}`,
  );
}
