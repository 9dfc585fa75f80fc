import { expect, it } from 'vitest';
import { blocksOf } from '../docs/blocks.js';
import { GUIDES, STEP, sourceFile } from './site-files.js';
import { onDisk, useSite } from './site-page.js';

const { open } = useSite();

/** The source of a page. */
const sourceOf = (path: string) =>
  sourceFile(path.replace('index.html', 'README.md').replace('.html', '.md'));

const pages = GUIDES.filter((_, index) => index % STEP === 0);

it.each(
  pages,
)('every Run button of %s runs without an error, and every block without one says why', async (path) => {
  const page = await open(onDisk(path));
  const markers = page.locator('.run');
  const blocks = blocksOf(path, sourceOf(path));
  expect(await markers.count()).toBe(blocks.length);
  for (const [index, marker] of (await markers.all()).entries()) {
    const start = marker.getByRole('button', { name: 'Run' });
    if ((await start.count()) === 0) {
      expect(await marker.textContent()).toMatch(/^Does not run here: .+\.$/);
      continue;
    }
    await start.click();
    await marker.locator('.output p').first().waitFor();
    expect(await marker.getAttribute('data-state'), await marker.innerText()).toBe('done');
    // The editor renders the lines that are in view.
    const lines = (await marker.locator('.cm-line').allTextContents()).join('\n');
    expect(lines).not.toBe('');
    expect(blocks[index]?.code.startsWith(lines)).toBe(true);
  }
});

const FIRST = '.run >> nth=0';

it('a run shows each request with its status and outcome, and what each event does to them', async () => {
  const page = await open(onDisk('index.html'));
  const marker = page.locator(FIRST);
  const cells = () =>
    marker
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll('td')].map((cell) => cell.textContent).join(' '),
        ),
      );
  const during = async (name: string) => {
    await marker.getByRole('button', { name }).click();
    await marker.locator('.output', { hasText: name }).waitFor();
    return cells();
  };
  await marker.getByRole('button', { name: 'Run' }).click();
  await marker.locator('table').waitFor();
  const FREEZE = 'POST /v1/card/freeze';
  expect(await cells()).toEqual([
    `1 ${FREEZE} 200 succeeded`,
    '2 GET /v1/card/status 200 succeeded',
  ]);
  expect(await during('lose the response')).toEqual([
    `1 ${FREEZE} no response unknown`,
    expect.stringContaining(`2 ${FREEZE} 400`),
    '3 GET /v1/card/status 200 succeeded',
  ]);
  expect(await during('fail with 503')).toEqual([
    `1 ${FREEZE} 503 unknown`,
    `2 ${FREEZE} 200 succeeded`,
    '3 GET /v1/card/status 200 succeeded',
  ]);
  expect(await during('let six hours pass')).toEqual([`1 ${FREEZE} 401 rejected`]);
  await marker.getByRole('link', { name: 'not_authenticated' }).waitFor();
  expect(await during('freeze the card')).toEqual([`1 ${FREEZE} 400 rejected`]);
  await marker.getByRole('link', { name: 'card_already_frozen' }).waitFor();
});

/** The place of the word `freeze` in a line of the editor. */
function placeOfFreeze(line: Element): { x: number; y: number } {
  const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const from = node.textContent?.indexOf('freeze') ?? -1;
    if (from < 0) continue;
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, from + 'freeze'.length);
    const { x, y, width, height } = range.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }
  throw new Error('the line does not contain the word');
}

it('the editor completes and checks code with the real declarations', async () => {
  const page = await open(onDisk('index.html'));
  const marker = page.locator(FIRST);
  await marker.getByRole('button', { name: 'Run' }).click();
  await marker.locator('table').waitFor();
  const editor = marker.locator('.cm-content');
  const line = editor.locator('.cm-line', { hasText: 'client.card.freeze' }).first();
  const { x, y } = await line.evaluate(placeOfFreeze);
  await page.mouse.move(x, y);
  await marker.locator('.hint', { hasText: 'CardResource.freeze' }).waitFor();
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nclient.card.', { delay: 1 });
  await marker.locator('.cm-tooltip-autocomplete li', { hasText: 'unfreeze' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('melt();');
  await marker.locator('.cm-lintRange-error').first().waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type("console.log('edited');", { delay: 1 });
  await marker.getByRole('button', { name: 'Run' }).click();
  await marker.locator('.output pre', { hasText: /^edited$/ }).waitFor();
});
