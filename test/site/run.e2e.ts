import { expect, it } from 'vitest';
import { blocksOf } from '../docs/blocks.js';
import { RUN_PAGES, some, sourceFile } from './site-files.js';
import { useSite } from './site-page.js';

const { open } = useSite();

/** The number of blocks of code that a page shows. */
function blocksIn(path: string): number {
  if (path === 'index.html' || path.startsWith('docs/reference/endpoints/')) return 1;
  return blocksOf(path, sourceFile(path.replace('.html', '.md'))).length;
}

it.each(
  some(RUN_PAGES),
)('every Run button of %s runs over http without an error, and every block without one says why', async (path) => {
  const page = await open(path);
  const runs = page.locator('.run');
  const reasons = await page.locator('.why').allTextContents();
  for (const reason of reasons) expect(reason).toMatch(/^Does not run here: .+\.$/);
  expect((await runs.count()) + reasons.length).toBe(blocksIn(path));
  for (const run of await runs.all()) {
    await run.getByRole('button', { name: 'Run', exact: true }).click();
    await run.locator('.output p').first().waitFor();
    expect(await run.getAttribute('data-state'), await run.innerText()).toBe('done');
  }
});

const FIRST = '.run >> nth=0';

it('a run shows each request with its status and outcome, and what each event does to them', async () => {
  const page = await open('index.html');
  const run = page.locator(FIRST);
  const cells = () =>
    run
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.querySelectorAll('td')].map((cell) => cell.textContent).join(' '),
        ),
      );
  const during = async (name: string) => {
    await run.getByRole('button', { name }).click();
    await run.locator('.output', { hasText: name }).waitFor();
    return cells();
  };
  await run.getByRole('button', { name: 'Run' }).click();
  await run.locator('table').waitFor();
  const FREEZE = 'POST /v1/card/freeze';
  await expect
    .poll(cells)
    .toEqual([`1 ${FREEZE} 200 succeeded`, '2 GET /v1/card/status 200 succeeded']);
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
  await run.getByRole('link', { name: 'not_authenticated' }).waitFor();
  expect(await during('freeze the card')).toEqual([`1 ${FREEZE} 400 rejected`]);
  await run.getByRole('link', { name: 'card_already_frozen' }).waitFor();
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

it('the editor comes with the first edit, and completes and checks code with the real declarations', async () => {
  const page = await open('index.html');
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const run = page.locator(FIRST);
  await run.getByRole('button', { name: 'Run' }).click();
  await run.locator('table').waitFor();
  expect(loaded.some((url) => url.endsWith('/main.js'))).toBe(true);
  expect(loaded.filter((url) => url.endsWith('/editor.js'))).toEqual([]);
  await run.getByRole('button', { name: 'Edit' }).click();
  const editor = run.locator('.cm-content');
  const line = editor.locator('.cm-line', { hasText: 'client.card.freeze' }).first();
  const { x, y } = await line.evaluate(placeOfFreeze);
  await page.mouse.move(x, y);
  await run.locator('.hint', { hasText: 'CardResource.freeze' }).waitFor();
  await editor.click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nclient.card.', { delay: 1 });
  await run.locator('.cm-tooltip-autocomplete li', { hasText: 'unfreeze' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('melt();');
  await run.locator('.cm-lintRange-error').first().waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type("console.log('edited');", { delay: 1 });
  await run.getByRole('button', { name: 'Run' }).click();
  await run.locator('.output pre', { hasText: /^edited$/ }).waitFor();
});
