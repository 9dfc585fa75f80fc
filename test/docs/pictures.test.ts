import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOCS } from './guides.js';

const ROOT = new URL('../../', import.meta.url);

const pictures = DOCS.flatMap((path) =>
  [...readFileSync(new URL(path, ROOT), 'utf8').matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)].map(
    ([, text = '', link = '']) => ({ path, text, link }),
  ),
);

it.each(pictures)('the picture $link in $path has a text', ({ text }) => {
  expect(text.length).toBeGreaterThan(30);
});

it.each([
  'delegation',
  'keys',
  'lost-withdrawal',
  'next-step',
  'session-life',
])('the picture %s is in a guide, and its text is readable on a phone', (name) => {
  expect(pictures.map(({ link }) => link)).toContain(`../images/${name}.svg`);
  const picture = readFileSync(new URL(`docs/images/${name}.svg`, ROOT), 'utf8');
  // A phone of 390 px shows 342 px of a page.
  expect(picture).toMatch(/viewBox="0 0 3[0-6]\d \d+"/);
  expect(picture).toContain('text{font:14px');
  expect(picture).toContain('prefers-color-scheme:dark');
});

it.each([
  'delegation',
  'lost-withdrawal',
])('no line of a lane goes through a text of the picture %s', (name) => {
  const picture = readFileSync(new URL(`docs/images/${name}.svg`, ROOT), 'utf8');
  const labels = picture.match(/<text(?: class="head")? x="\d+" y="\d+">/g) ?? [];
  expect(labels.length).toBeGreaterThan(15);
  expect(picture.match(/<rect class="back" x=[^>]+>\n<text/g)).toHaveLength(labels.length);
});
