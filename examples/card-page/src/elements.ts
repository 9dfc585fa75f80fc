import { messageFor } from './error-messages.js';

type Child = Node | string;

/** Creates an element with properties and children. Text is never parsed as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Creates a labelled input. */
export function field(text: string, properties: Partial<HTMLInputElement>) {
  const input = element('input', properties);
  return { input, label: element('label', { className: 'field' }, text, input) };
}

/** A labelled part of the page, with a status line that screen readers announce. */
export type Panel = {
  root: HTMLElement;
  body: HTMLElement;
  showStatus: (text: string, tone?: 'good' | 'bad' | 'quiet') => void;
};

/** Creates a part of the page, or with `h1` the complete page. */
export function panel(title: string, level: 'h1' | 'h2' = 'h2'): Panel {
  const heading = element(
    level,
    { id: `panel-${title.toLowerCase().replace(/\W+/g, '-')}` },
    title,
  );
  const body = element('div');
  const statusLine = element('p', { className: 'status-line', role: 'status' });
  const root = element('section', { className: 'panel' }, heading, body, statusLine);
  root.setAttribute('aria-labelledby', heading.id);
  return {
    root,
    body,
    showStatus(text, tone = 'quiet') {
      statusLine.textContent = text;
      statusLine.className = `status-line ${tone}`;
    },
  };
}

/** Runs an action, one at a time, and shows its error. */
export async function runAction(
  { showStatus: say }: Panel,
  control: HTMLButtonElement,
  work: () => Promise<void>,
): Promise<void> {
  if (control.disabled) return;
  control.disabled = true;
  say('');
  try {
    await work();
  } catch (error) {
    say(messageFor(error), 'bad');
  } finally {
    control.disabled = false;
  }
}

/** Creates a button that runs an action. */
export function button(
  owner: Panel,
  text: string,
  work: () => Promise<void>,
  properties: Partial<HTMLButtonElement> = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...properties }, text);
  made.addEventListener('click', () => runAction(owner, made, work));
  return made;
}

/** Creates a form that runs an action. */
export function form(
  owner: Panel,
  submitText: string,
  work: () => Promise<void>,
  ...children: readonly Child[]
): HTMLFormElement {
  const submit = element('button', { className: 'main' }, submitText);
  const made = element('form', {}, ...children, submit);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    runAction(owner, submit, work);
  });
  return made;
}
