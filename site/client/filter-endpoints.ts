import { choice, element } from './element.js';

const ALL = 'all';
/** The filters: the column of the table, and the values of a cell. */
const FILTERS = [
  {
    label: 'Namespace',
    column: 0,
    valuesOf: (text: string) => [text.split('.').slice(0, -1).join('.')],
  },
  { label: 'Credential', column: 2, valuesOf: (text: string) => text.split(', ') },
  { label: 'Retry class', column: 4, valuesOf: (text: string) => [text.split(' ')[0] ?? ''] },
];

/** Adds filters above the table of endpoints. They read the values in the table. */
export function filterEndpoints(): void {
  const table = document.querySelector('.col-content table');
  const rows = [...(table?.querySelectorAll<HTMLTableRowElement>('tbody tr') ?? [])];
  const count = element('span', { role: 'status' });
  const filters = FILTERS.map(({ label, column, valuesOf }) => {
    const of = (row: HTMLTableRowElement) => valuesOf(row.cells[column]?.textContent ?? '');
    const values = [...new Set(rows.flatMap(of))].sort();
    return { of, ...choice(label, [ALL, ...values], () => update()) };
  });
  function update(): void {
    for (const row of rows) {
      row.hidden = !filters.every(
        ({ of, select }) => select.value === ALL || of(row).includes(select.value),
      );
    }
    count.textContent = `${rows.filter(({ hidden }) => !hidden).length} of ${rows.length} endpoints`;
  }
  update();
  table?.before(element('div', { class: 'filters' }, ...filters.map(({ field }) => field), count));
}
