import { CREDENTIALS } from '../../testing/credentials.js';
import { ENDPOINT_IDS, findEndpoint } from '../../testing/endpoint-ids.js';
import type { RouteMethod, RouteOptions, ServedRoute } from '../../testing/index.js';
import { METHODS } from '../../testing/served-routes.js';
import { type Control, type ControlAction, type Input, textOf } from './control-action.js';
import { HEADERS, requireHeaders } from './fault-actions.js';
import { complete, fields, type Schema } from './schema.js';

const ID: Schema = { type: 'string', description: 'Returned by serve.' };
const PATH = '/v1/limits/{limitId}';

/** A response that is the same for every request. The schema has checked it. */
type CannedResponse = { status?: number; body?: unknown; headers?: Record<string, string> };

function serve({ platform }: Control, input: Input): ServedRoute {
  const { endpoint: id, method, path, credentials } = input;
  const response: CannedResponse = { ...Object(input['response']) };
  requireHeaders('response.headers', response.headers);
  const options = (credentials === undefined ? {} : { credentials }) as RouteOptions;
  const endpoint = findEndpoint(id);
  if ((endpoint === undefined) === (method === undefined && path === undefined)) {
    throw new Error('pass endpoint, or method and path');
  }
  if (endpoint === undefined) {
    return platform.serve(method as RouteMethod, textOf(input, 'path'), () => response, options);
  }
  // The test decides which status has which body, as the service would.
  const handler = () => response as { status: 200; body: unknown };
  return platform.serve(endpoint, handler, options);
}

/** Actions that serve routes of a test. */
export const routeActions: Readonly<Record<string, ControlAction>> = {
  serve: {
    summary: 'Serves a fixed response, at an endpoint or at a method and a path of your own',
    input: fields(
      {
        endpoint: { enum: ENDPOINT_IDS, description: 'Replaces this endpoint.' },
        method: { enum: METHODS },
        path: { type: 'string', description: `Such as ${PATH}.` },
        response: fields({
          status: { type: 'integer', minimum: 200, maximum: 599, description: 'Default 200.' },
          body: { description: 'JSON; a text is sent unchanged. Default: an empty body.' },
          headers: HEADERS,
        }),
        credentials: {
          type: 'array',
          items: { enum: CREDENTIALS },
          description:
            'The credentials to check. Default: those of the endpoint, and none for a path.',
        },
      },
      'response',
    ),
    example: {
      method: 'GET',
      path: PATH,
      response: { status: 200, body: { daily: '100' } },
    },
    result: complete({ id: ID }),
    run(control, input) {
      const route = serve(control, input);
      // The last response counts: an older one would come back when the newer route ends.
      control.routes.get(route.id)?.remove();
      control.routes.set(route.id, route);
      return { id: route.id };
    },
  },
  stopServing: {
    summary: 'Removes a route that serve added; an endpoint that it replaced works again',
    input: complete({ id: ID }),
    example: { id: `GET ${PATH}` },
    run({ routes }, input) {
      const id = textOf(input, 'id');
      const route = routes.get(id);
      if (route === undefined) throw new Error(`no route "${id}" is served`);
      route.remove();
      routes.delete(id);
    },
  },
};
