import { expect, it } from 'vitest';
import { PAGES } from './site-files.js';
import { onDisk, useSite } from './site-page.js';

const { open } = useSite();

const AT_ONCE = 12;

/** Loads pages in frames. Nothing is painted, which takes most of the time of a page in a window. */
async function loadFrames(urls: readonly string[]): Promise<void> {
  const frames = urls.map((url) => {
    const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.src = url;
    return frame;
  });
  const loaded = frames.map((frame) => new Promise((resolve) => (frame.onload = resolve)));
  document.body.replaceChildren(...frames);
  await Promise.all(loaded);
}

/** The first heading of a page, once its scripts have shown the page and its navigation. */
async function shownHeading(): Promise<string> {
  const navigation = document.querySelector<HTMLElement>('#site-nav');
  await new Promise<void>((resolve) => {
    const check = () => navigation?.dataset['state'] === 'done' && resolve();
    new MutationObserver(check).observe(document, { subtree: true, attributes: true });
    check();
  });
  return document.querySelector('h1, h2')?.textContent ?? '';
}

it('opens every page from a folder on disk, without a problem and without another address', async () => {
  const left = [...PAGES];
  const opened: string[] = [];
  const openAll = async () => {
    const page = await open(onDisk('llms.txt'));
    while (left.length > 0) {
      await page.evaluate(loadFrames, left.splice(0, AT_ONCE).map(onDisk));
      const frames = page.frames().slice(1);
      const headings = await Promise.all(frames.map((frame) => frame.evaluate(shownHeading)));
      for (const [index, frame] of frames.entries()) {
        expect(headings[index], frame.url()).toMatch(/\w/);
        opened.push(frame.url());
      }
    }
  };
  await Promise.all([openAll(), openAll()]);
  expect(opened.sort()).toEqual(PAGES.map(onDisk).sort());
}, 600_000);
