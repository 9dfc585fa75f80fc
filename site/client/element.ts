type Attributes = Readonly<Record<string, string>>;

/** Creates an element with attributes and children. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children);
  return created;
}

/** Creates a button that runs an action. */
export function button(text: string, action: () => void, attributes: Attributes = {}) {
  const created = element('button', { type: 'button', ...attributes }, text);
  created.addEventListener('click', action);
  return created;
}

/** Creates a labelled list of choices. */
export function choice(label: string, options: readonly string[], changed: () => void) {
  const select = element(
    'select',
    { 'aria-label': label },
    ...options.map((text) => element('option', { value: text }, text)),
  );
  select.addEventListener('change', changed);
  return { select, field: element('label', { class: 'field' }, `${label} `, select) };
}
