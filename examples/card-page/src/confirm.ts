import { element } from './elements.js';

/** Asks the user in a modal dialog. Escape, like the second button, changes nothing. */
export function confirmInDialog(
  question: string,
  details: string,
  yes: string,
  no: string,
): Promise<boolean> {
  const title = element('h2', { id: 'question' }, question);
  const dialog = element('dialog', {}, title, element('p', {}, details));
  dialog.setAttribute('aria-labelledby', title.id);
  // The first button, which does no harm, has the focus.
  for (const [text, className] of [
    [no, ''],
    [yes, 'danger'],
  ] as const) {
    const choice = element('button', { type: 'button', className }, text);
    choice.addEventListener('click', () => dialog.close(text));
    dialog.append(choice);
  }
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === yes);
    });
  });
}
