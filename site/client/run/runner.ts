import type { openEditor } from '../editor/editor.js';
import { button, choice, element } from '../element.js';
import { loadModule } from '../load-script.js';
import { type Played, type Program, play } from './play.js';
import { EVENTS, type EventName, Stage } from './stage.js';
import { errorView, requestTable } from './views.js';

const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** Only one program runs at a time: runs replace globals of the page. */
let lastRun: Promise<unknown> = Promise.resolve();

function runAlone(program: Program, stage: Stage): Promise<Played> {
  const run = lastRun.then(() => play(program, stage));
  lastRun = run;
  return run;
}

/** Replaces a block of a page by an editor, runs it, and shows what happened. */
export async function openRunner(block: Program & { marker: HTMLElement }): Promise<void> {
  const { marker, guide, earlier } = block;
  const editors = await loadModule<{ openEditor: typeof openEditor }>('editor', 'editor.js');
  const editor = editors.openEditor(block.code, runPlain);
  const output = element('div', { class: 'output', role: 'status' });
  const at = choice('before request', ['1'], () => {});
  const events = EVENT_NAMES.map((name) => button(name, () => run(name), { class: 'event' }));
  const start = button('Run', runPlain);
  const buttons = [start, ...events];
  let isNew = true;

  async function run(name?: EventName): Promise<void> {
    for (const one of buttons) one.disabled = true;
    marker.dataset['state'] = 'running';
    const program = { guide, earlier, code: editor.code() };
    const event = name && { name, before: Number(at.select.value) };
    const stage = new Stage(event);
    const played = await runAlone(program, stage);
    if (event === undefined) offerRequests(stage);
    const what = event ? ` With “${event.name}” before request ${event.before}.` : '';
    const failed = 'error' in played;
    output.replaceChildren(
      element('p', {}, `The program ended${failed ? ' with an error' : ''}.${what}`),
      ...(played.printed.length > 0 ? [element('pre', {}, played.printed.join('\n'))] : []),
      ...(failed ? [errorView(played.error)] : []),
      requestTable(stage.requests),
    );
    for (const one of buttons) one.disabled = false;
    for (const one of events) one.disabled = stage.requests.length === 0;
    marker.dataset['state'] = failed ? 'failed' : 'done';
    isNew = false;
  }

  /**
   * Offers the requests of a run, so that the reader can choose before which one an event happens.
   */
  function offerRequests(stage: Stage): void {
    const numbers = stage.requests.map((_, index) => `${index + 1}`);
    const options = numbers.map((text) => element('option', { value: text }, text));
    at.select.replaceChildren(...options);
    if (isNew) at.select.value = `${stage.mainRequest}`;
  }

  function runPlain(): void {
    run();
  }

  marker.previousElementSibling?.setAttribute('hidden', '');
  marker.replaceChildren(
    editor.dom,
    element('p', { class: 'controls' }, start, ...events, at.field),
    output,
  );
  await run();
}
