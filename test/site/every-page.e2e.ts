import { expect, it } from 'vitest';
import { PAGES, STEP } from './site-files.js';
import { onDisk, useSite } from './site-page.js';

const { open } = useSite();

const AT_ONCE = 12;

const isReference = (path: string) => path.startsWith('reference/');
const reference = PAGES.filter(isReference);
const PAGES_TO_OPEN = [
  ...PAGES.filter((path) => !isReference(path)),
  ...reference.filter((_, index) => index % STEP === 0),
];

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

const pages = STEP === 1 ? 'every page' : `${PAGES_TO_OPEN.length} of ${PAGES.length} pages`;
it(`opens ${pages} from a folder on disk, without an error or a request to another address`, async () => {
  const left = [...PAGES_TO_OPEN];
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
  expect(opened.sort()).toEqual(PAGES_TO_OPEN.map(onDisk).sort());
}, 600_000);
