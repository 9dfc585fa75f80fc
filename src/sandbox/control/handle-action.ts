import { type Exchange, sendJson } from '../http.js';
import { publicState } from '../public-state.js';
import { ACTIONS, findAction } from './actions.js';
import { type Control, type ControlAction, runAction } from './control-action.js';
import { readForm } from './schema.js';

const JSON_TYPE = /^application\/json(?:;|$)/;
const FORM_TYPE = /^application\/x-www-form-urlencoded(?:;|$)/;

/** Returns the input of an action, from JSON or from a form. `undefined` for any other type. */
function readInput(action: ControlAction, type: string, text: string): unknown {
  if (text === '') return {};
  if (FORM_TYPE.test(type)) return readForm(action.input, new URLSearchParams(text));
  if (!JSON_TYPE.test(type)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the body is not JSON');
  }
}

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : 'the action failed';

const unknownAction = () => `action must be one of ${Object.keys(ACTIONS).join(', ')}`;

/** Runs the action of a route, `POST /sandbox/actions/<name>`. */
export async function handleAction(
  { request, response }: Exchange,
  control: Control,
  { name, text }: { name: string; text: string },
): Promise<void> {
  const action = findAction(name);
  if (action === undefined) return sendJson(response, 404, { error: unknownAction() });
  try {
    const input = readInput(action, request.headers['content-type'] ?? '', text);
    if (input === undefined) {
      return sendJson(response, 415, { error: 'content-type must be application/json' });
    }
    const result = await runAction(action, control, input);
    sendJson(response, 200, action.result === undefined ? publicState(control) : result);
  } catch (error) {
    sendJson(response, 400, { error: messageOf(error) });
  }
}

/** Runs the action that a form names. Shows the page again, or sends the state as JSON. */
export async function handleForm(
  { request, response }: Exchange,
  control: Control,
  text: string,
): Promise<void> {
  const form = new URLSearchParams(text);
  const action = findAction(form.get('action') ?? '');
  if (action === undefined) return sendJson(response, 400, { error: unknownAction() });
  try {
    await runAction(action, control, readForm(action.input, form));
    const isScript = request.headers.accept?.includes('json') === true;
    if (isScript) sendJson(response, 200, publicState(control));
    else response.writeHead(303, { location: '/' }).end();
  } catch (error) {
    sendJson(response, 400, { error: messageOf(error) });
  }
}
