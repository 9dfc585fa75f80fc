import type { Endpoint } from '../contract/endpoint.js';
import type { ProxySettings } from './options.js';
import { Refusal } from './refusal.js';

/** The operation of a request, with the values of its path. */
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

/** The operations with this path, whatever their method. */
function operationsAt(segments: readonly string[], endpoints: readonly Endpoint[]): Operation[] {
  return endpoints.flatMap((endpoint) => {
    const params = paramsOf(endpoint.path, segments);
    return params === undefined ? [] : [{ endpoint, params }];
  });
}

/** The most characters of a request's path in a message. */
const SHOWN = 200;

/** A refusal with one message for the page and, as an error, one for the log of the server. */
const notAllowed = (message: string, inLog: string, operation?: string) =>
  new Refusal('operation_not_allowed', message, {}, new Error(inLog), operation);

/**
 * Finds the operation of a request. A path is compared as it is: case, slashes and encoding count.
 *
 * @throws Refusal when it is not allowed
 */
export function matchOperation(
  method: string,
  pathname: string,
  { basePath, allowed, known }: ProxySettings,
): Operation {
  if (!pathname.startsWith(`${basePath}/`)) {
    throw notAllowed(
      `The proxy serves only paths below ${basePath}/, and this path is not one. Check the baseUrl of the page, and the option basePath of createCardProxy.`,
      `basePath is ${basePath}, but the path of the request is ${pathname.slice(0, SHOWN)}`,
    );
  }
  const segments = pathname.slice(basePath.length).split('/');
  const operations = operationsAt(segments, allowed);
  const operation = operations.find(({ endpoint }) => endpoint.method === method);
  if (operation !== undefined) return operation;
  const methods = operations.map(({ endpoint }) => endpoint.method);
  if (methods.length > 0) {
    throw new Refusal('method_not_allowed', 'The proxy does not allow this method.', {
      allow: methods.join(', '),
    });
  }
  const closed = operationsAt(segments, known).find(({ endpoint }) => endpoint.method === method);
  throw closed === undefined
    ? notAllowed(
        'The proxy does not know an operation with this path.',
        `no operation that the proxy serves has the path ${pathname.slice(0, SHOWN)}`,
      )
    : notAllowed(
        `The proxy does not allow ${closed.endpoint.id}.`,
        `${closed.endpoint.id} is not among the operations that pages may call: ${howToAllow(closed.endpoint)}`,
        closed.endpoint.id,
      );
}

function howToAllow({ pageAccess }: Endpoint): string {
  return pageAccess === 'never'
    ? 'its response has a secret, so call it on your server'
    : 'list it in the option allow of createCardProxy, or call it on your server';
}
