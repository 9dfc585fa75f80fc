import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The rules of a stylesheet of an example, each as one line. */
function rulesOf(example: string): string[] {
  const css = readFileSync(
    new URL(`../../examples/${example}/src/style.css`, import.meta.url),
    'utf8',
  );
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split(/^\}/m)
    .map((rule) => rule.replace(/\s+/g, ' ').trim())
    .filter((rule) => rule !== '');
}

it('the React app has the looks of the card page', () => {
  const ofCardPage = rulesOf('card-page');
  const ofReactApp = rulesOf('react-app');
  expect(ofReactApp.length).toBeGreaterThan(15);
  expect(ofReactApp.filter((rule) => !ofCardPage.includes(rule))).toEqual([]);
});
