import { readFileSync } from 'node:fs';
import type { Fixture } from '../../../src/sandbox/record/fixture.js';
import { blocksOf } from '../../docs/blocks.js';
import { runBlock } from '../../docs/run-block.js';

const PAGE = readFileSync(new URL('../../../docs/test/recording.md', import.meta.url), 'utf8');

type Replay = (fixtures: readonly Fixture[]) => typeof fetch;

/** Returns the function of the guide that responds to requests from fixtures. */
export async function documentedReplay(): Promise<Replay> {
  const block = blocksOf('recording.md', PAGE).find(({ code }) => code.includes('replay('));
  if (block === undefined) throw new Error('the page has no replay');
  const code = `${block.code}\nexport { replay };`;
  const names = { console: { log: () => undefined } };
  const { replay } = (await runBlock({ ...block, code }, { names })) as { replay: Replay };
  return replay;
}
