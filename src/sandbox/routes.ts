import type { Control } from './control/control-action.js';
import { controlOpenApi } from './control/control-openapi.js';
import { handleAction, handleForm } from './control/handle-action.js';
import { type Exchange, sendJson, sendPage } from './http.js';
import { completeOpenApi, contractOpenApi, observedOpenApi } from './openapi-file.js';
import { referencePage } from './pages/reference-page.js';
import { startPage } from './pages/start-page.js';
import { publicState } from './public-state.js';

const ACTION_PATH = '/sandbox/actions/';

/** Returns whether a URL is under `/sandbox`, which controls the sandbox and shows its state. */
export const isControlUrl = (url: string): boolean => /^\/sandbox(?:[/?]|$)/.test(url);

/** Responds to a request for the sandbox itself. Returns `false` when it is for the API. */
export async function handleControlRoute(
  exchange: Exchange,
  control: Control,
  text: string,
): Promise<boolean> {
  const { request, response } = exchange;
  const { platform } = control;
  const [path = '', query] = (request.url ?? '').split('?');
  const { baseUrl, isObserved } = platform;
  const referenceOf = isObserved ? completeOpenApi : contractOpenApi;
  const routes: Readonly<Record<string, () => unknown>> = {
    'GET /': () => {
      const isWatched = query === 'watch';
      sendPage(response, (nonce) => startPage(publicState(control), { nonce, isWatched }));
    },
    'GET /sandbox/reference': () =>
      sendPage(response, (nonce) => referencePage(referenceOf(baseUrl), nonce)),
    'GET /openapi.json': () => sendJson(response, 200, contractOpenApi(baseUrl)),
    ...(isObserved && {
      'GET /openapi-observed.json': () => sendJson(response, 200, observedOpenApi(baseUrl)),
    }),
    'GET /sandbox/openapi.json': () => sendJson(response, 200, controlOpenApi(baseUrl)),
    'GET /sandbox/state': () => sendJson(response, 200, publicState(control)),
    'GET /sandbox/snapshot': () => sendJson(response, 200, platform.snapshot()),
    'POST /sandbox/actions': () => handleForm(exchange, control, text),
  };
  const target = `${request.method} ${path}`;
  if (Object.hasOwn(routes, target)) {
    await routes[target]?.();
    return true;
  }
  if (request.method === 'POST' && path.startsWith(ACTION_PATH)) {
    await handleAction(exchange, control, { name: path.slice(ACTION_PATH.length), text });
    return true;
  }
  if (!isControlUrl(path)) return false;
  const known = [...Object.keys(routes), `POST ${ACTION_PATH}<name>`];
  sendJson(response, 404, {
    error: `this route is not known. The sandbox has ${known.join(', ')}`,
  });
  return true;
}
