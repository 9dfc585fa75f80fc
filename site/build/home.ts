import { PACKAGE, readPage } from './pages.js';
import type { PageProgram } from './programs.js';
import { runTag, stagePage, stagePrograms } from './stage.js';

const MARKER = '<!-- first program -->';

/** Writes the first page, with the first program of README. */
export function stageHome(programs: readonly PageProgram[]): void {
  const [first] = programs;
  const home = readPage('site/home.md');
  if (first === undefined || !home.includes(MARKER))
    throw new Error('the first page has no program');
  const program = `\`\`\`ts\n${first.code}\`\`\`\n\n${runTag('README.md', 1, first)}`;
  stagePrograms('README.md', programs);
  stagePage('index.md', PACKAGE.description, home.replace(MARKER, program), {
    title: `${PACKAGE.name}: did money move?`,
    titleTemplate: false,
    sidebar: false,
    aside: false,
    pageClass: 'home',
    prev: false,
    next: false,
  });
}
