import { element } from './element.js';

/** Adds a search by code above the error catalogue. */
export function searchErrors(): void {
  const headings = [...document.querySelectorAll<HTMLElement>('.tsd-typography h3')];
  const sections = headings.map((heading) => {
    const parts: HTMLElement[] = [heading];
    for (
      let next = heading.nextElementSibling;
      next instanceof HTMLElement && !/^H[123]$/.test(next.tagName);
      next = next.nextElementSibling
    ) {
      parts.push(next);
    }
    return { code: heading.id, parts };
  });
  const count = element('span', { role: 'status' });
  const input = element('input', { type: 'search', 'aria-label': 'Search by code' });
  input.placeholder = 'not_authenticated';
  function update(): void {
    const wanted = input.value
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_');
    const shown = sections.filter(({ code, parts }) => {
      const isShown = code.includes(wanted);
      for (const part of parts) part.hidden = !isShown;
      return isShown;
    });
    count.textContent = `${shown.length} of ${sections.length} codes`;
  }
  input.addEventListener('input', update);
  // A link to a code must show it, even if the search hides it.
  addEventListener('hashchange', () => {
    input.value = '';
    update();
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  });
  update();
  const field = element('label', { class: 'field' }, 'Search by code ', input);
  document
    .querySelector('.tsd-typography h2')
    ?.before(element('div', { class: 'filters' }, field, count));
}
