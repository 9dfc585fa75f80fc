import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
// The first call loads ky. Loading it here keeps that time out of the pages.
import 'ky';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { blocksOf } from './blocks.js';
import { createDocsPlatform } from './docs-platform.js';
import { GUIDES } from './guides.js';
import { PAGE_SETUPS } from './page-setups.js';
import { type PageRun, runPage } from './run-page.js';

const ROOT = new URL('../../', import.meta.url);
const pages = GUIDES.map((path) => ({
  name: basename(path),
  page: readFileSync(new URL(path, ROOT), 'utf8'),
}));

async function runGuide(name: string, page: string): Promise<PageRun> {
  const docsPlatform = createDocsPlatform();
  return runPage(blocksOf(name, page), docsPlatform, await PAGE_SETUPS[name]?.(docsPlatform));
}

it('every guide has a file name of its own, by which its setup is found', () => {
  const names = pages.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(30);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(PAGE_SETUPS).filter((name) => !names.includes(name))).toEqual([]);
});

describe('all code blocks run and print what they document', () => {
  it.each(pages)('$name', async ({ name, page }) => {
    const blocks = blocksOf(name, page);
    const toExecute = blocks.filter(({ notExecuted }) => notExecuted === undefined);
    expect(toExecute.length, 'blocks to execute').toBeGreaterThan(0);
    const { executed, reached } = await runGuide(name, page);
    expect(executed).toBe(toExecute.length);
    const code = toExecute.map((block) => block.code).join('');
    for (const { id } of ENDPOINTS) {
      if (code.includes(`.${id}(`)) expect(reached, 'endpoints that were called').toContain(id);
    }
    // A block in another notation would be skipped silently.
    expect(blocks).toHaveLength([...page.matchAll(/^\s*```\s*[tj]s/gim)].length);
  });
});

describe('the guide runner', () => {
  const guide = (code: string, before = '') => `# A guide\n\n${before}\`\`\`ts\n${code}\n\`\`\`\n`;

  it.each([
    ['throws', "throw new Error('broken');", 'broken'],
    ['has a syntax error', 'const = 1;', /./],
    ['calls a missing method', 'await userClient.card.melt();', 'melt is not a function'],
    ['makes a call that the platform rejects', 'await userClient.card.unfreeze();', 'not frozen'],
    ['prints something else', 'console.log(1 + 1); // 3', "include '3'"],
    [
      'sends a request to another host',
      "await fetch('https://elsewhere.example/');",
      'elsewhere.example',
    ],
  ])('fails for a block that %s', async (_, code, message) => {
    await expect(runGuide('a-guide.md', guide(code))).rejects.toThrow(message);
  });

  it('skips a block that is marked as not executed', async () => {
    const marked = guide("throw new Error('broken');", '<!-- not executed: it is broken -->\n');
    expect(await runGuide('a-guide.md', marked)).toMatchObject({ executed: 0 });
  });
});
