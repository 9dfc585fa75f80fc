import { wordsFor } from './wording.js';

type Child = Node | string;

/** An element with properties and children. Text is always text: nothing here is parsed as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A labelled input. */
export function field(text: string, properties: Partial<HTMLInputElement>) {
  const input = element('input', properties);
  return { input, label: element('label', { className: 'field' }, text, input) };
}

/** A labelled part of the page, with one line of news that screen readers read out. */
export type Panel = {
  root: HTMLElement;
  body: HTMLElement;
  say: (text: string, tone?: 'good' | 'bad' | 'quiet') => void;
};

/** A part of the page, or with `h1` the whole of it. */
export function panel(title: string, level: 'h1' | 'h2' = 'h2'): Panel {
  const heading = element(
    level,
    { id: `panel-${title.toLowerCase().replace(/\W+/g, '-')}` },
    title,
  );
  const body = element('div');
  const news = element('p', { className: 'news', role: 'status' });
  const root = element('section', { className: 'panel' }, heading, body, news);
  root.setAttribute('aria-labelledby', heading.id);
  return {
    root,
    body,
    say(text, tone = 'quiet') {
      news.textContent = text;
      news.className = `news ${tone}`;
    },
  };
}

/** Does something for the user, once at a time, and tells how it failed. */
export async function attempt(
  { say }: Panel,
  control: HTMLButtonElement,
  work: () => Promise<void>,
): Promise<void> {
  if (control.disabled) return;
  control.disabled = true;
  say('');
  try {
    await work();
  } catch (error) {
    say(wordsFor(error), 'bad');
  } finally {
    control.disabled = false;
  }
}

/** A button that does something for the user. */
export function button(
  owner: Panel,
  text: string,
  work: () => Promise<void>,
  properties: Partial<HTMLButtonElement> = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', ...properties }, text);
  made.addEventListener('click', () => attempt(owner, made, work));
  return made;
}

/** A form whose button does something for the user. */
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
    attempt(owner, submit, work);
  });
  return made;
}
