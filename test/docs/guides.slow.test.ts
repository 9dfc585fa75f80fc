import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
// The first call loads ky, for which a page should not have to wait.
import 'ky';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { blocksOf } from './blocks.js';
import { type Played, runPage } from './run-page.js';
import { SCENES } from './scenes.js';
import { setStage } from './stage.js';

const ROOT = new URL('../../', import.meta.url);
const paths = readdirSync(new URL('docs/guides/', ROOT)).map((name) => `docs/guides/${name}`);
const pages = ['README.md', ...paths].map((path) => {
  return { name: basename(path), page: readFileSync(new URL(path, ROOT), 'utf8') };
});

async function play(name: string, page: string): Promise<Played> {
  const stage = setStage();
  return runPage(blocksOf(name, page), stage, await SCENES[name]?.(stage));
}

describe('the code of README and every guide runs', () => {
  it.each(pages)('$name', async ({ name, page }) => {
    const blocks = blocksOf(name, page);
    const toExecute = blocks.filter(({ notExecuted }) => notExecuted === undefined);
    expect(toExecute.length, 'blocks to execute').toBeGreaterThan(0);
    const { executed, reached } = await play(name, page);
    expect(executed).toBe(toExecute.length);
    const code = toExecute.map((block) => block.code).join('');
    for (const { id } of ENDPOINTS) {
      if (code.includes(`.${id}(`)) expect(reached, 'endpoints that were called').toContain(id);
    }
    // A block that is written in another way would be left out unseen.
    expect(blocks).toHaveLength([...page.matchAll(/^\s*```\s*[tj]s/gim)].length);
  });
});

describe('what does not run is found', () => {
  const guide = (code: string, before = '') => `# A guide\n\n${before}\`\`\`ts\n${code}\n\`\`\`\n`;

  it.each([
    ['throws', "throw new Error('broken');", 'broken'],
    ['is no code', 'const = 1;', /./],
    ['calls what is not there', 'await user.card.melt();', 'melt is not a function'],
    ['asks for what the platform refuses', 'await user.card.unfreeze();', 'not frozen'],
    ['prints something else', 'console.log(1 + 1); // 3', "include '3'"],
    ['has no network', "await fetch('https://elsewhere.example/');", 'elsewhere.example'],
  ])('a block that %s', async (_, code, words) => {
    await expect(play('a-guide.md', guide(code))).rejects.toThrow(words);
  });

  it('but for a block that says why', async () => {
    const marked = guide("throw new Error('broken');", '<!-- not executed: it is broken -->\n');
    expect(await play('a-guide.md', marked)).toMatchObject({ executed: 0 });
  });
});
