import { button, element } from './element.js';
import { loadModule, loadScript } from './load-script.js';
import type { openRunner } from './run/runner.js';

type Runner = { openRunner: typeof openRunner };

/** The code of a block. TypeDoc ends its lines with elements. */
function codeOf(marker: HTMLElement): string {
  const code = marker.previousElementSibling?.querySelector('code')?.cloneNode(true);
  if (!(code instanceof HTMLElement)) return '';
  for (const end of code.querySelectorAll('br')) end.replaceWith('\n');
  return code.textContent ?? '';
}

/**
 * Adds a button after each block of code that runs in the page, and after each other block the
 * reason why it does not.
 */
export function offerRuns(): void {
  const markers = [...document.querySelectorAll<HTMLElement>('.run')];
  const blocks = markers.map((marker) => ({
    marker,
    code: codeOf(marker),
    canRun: marker.dataset['why'] === undefined,
  }));
  blocks.forEach(({ marker, code, canRun }, index) => {
    if (!canRun) {
      marker.append(element('p', { class: 'why' }, `Does not run here: ${marker.dataset['why']}.`));
      return;
    }
    const start = button('Run', async () => {
      start.disabled = true;
      status.textContent = 'Loading the editor and the in-memory platform…';
      try {
        await loadScript('typescript.js');
        const { openRunner } = await loadModule<Runner>('runner', 'run.js');
        const earlier = blocks.slice(0, index).map((one) => (one.canRun ? one.code : undefined));
        await openRunner({ marker, code, earlier, guide: guideName() });
      } catch (error) {
        start.disabled = false;
        status.textContent = String(error);
      }
    });
    const status = element('span', { role: 'status' });
    marker.append(element('p', {}, start, status));
  });
}

/** The file name of the guide, by which its setup is found. */
function guideName(): string {
  const name = location.pathname.split('/').pop() ?? '';
  return name === '' || name === 'index.html' ? 'README.md' : name.replace(/\.html$/, '.md');
}
