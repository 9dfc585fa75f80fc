import type { Endpoint } from '../contract/endpoint.js';
import { Refusal } from './refusal.js';

/** An operation that a request names, with the values of its path. */
export type Operation = {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
};

const isPlaceholder = (segment: string) => segment.startsWith('{');

/** The value of a segment that is spelled as a client spells it; no value has two spellings. */
function decodedOnce(segment: string): string | undefined {
  try {
    const value = decodeURIComponent(segment);
    return value !== '' && encodeURIComponent(value) === segment ? value : undefined;
  } catch {
    return undefined;
  }
}

function paramsOf(path: string, segments: readonly string[]): Operation['params'] | undefined {
  const template = path.split('/');
  if (template.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? '';
    if (!isPlaceholder(part)) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decodedOnce(segment);
    if (value === undefined) return undefined;
    params[part.slice(1, -1)] = value;
  }
  return params;
}

/**
 * Finds the operation of a request. A path is compared as it is: case, slashes and encoding count.
 *
 * @param basePath - where the proxy is mounted, without a slash at the end
 * @param allowed - the endpoints that are served, the paths with the fewest placeholders first
 * @throws Refusal when it is not allowed
 */
export function matchOperation(
  method: string,
  pathname: string,
  basePath: string,
  allowed: readonly Endpoint[],
): Operation {
  const segments = pathname.startsWith(`${basePath}/`)
    ? pathname.slice(basePath.length).split('/')
    : [];
  const operations = allowed.flatMap((endpoint) => {
    const params = paramsOf(endpoint.path, segments);
    return params === undefined ? [] : [{ endpoint, params }];
  });
  const operation = operations.find(({ endpoint }) => endpoint.method === method);
  if (operation !== undefined) return operation;
  const methods = operations.map(({ endpoint }) => endpoint.method);
  throw methods.length === 0
    ? new Refusal('operation_not_allowed', 'The proxy does not allow this operation.')
    : new Refusal('method_not_allowed', 'The proxy does not allow this method.', {
        allow: methods.join(', '),
      });
}
