import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slow files that take longest. Without a record of its time, Vitest orders a file by its size.
 */
const LONGEST = [
  'test/docs/contributing.slow.test.ts',
  'test/simulation/planted-bugs.slow.test.ts',
  'test/simulation/simulation.slow.test.ts',
  'test/api/api-reports.slow.test.ts',
  'test/package/package.slow.test.ts',
  'test/docs/examples.slow.test.ts',
  'test/faults/pooled-socket.slow.test.ts',
  'test/evm/http-node.slow.test.ts',
];

function rank({ moduleId }: TestSpecification): number {
  const index = LONGEST.findIndex((file) => moduleId.endsWith(file));
  return index < 0 ? LONGEST.length : index;
}

function shuffledRank({ moduleId }: TestSpecification, seed: number): string {
  return createHash('sha1').update(`${seed} ${moduleId}`).digest('hex');
}

/**
 * Starts the longest of the slow files first, so that no worker is idle while another one finishes
 * a long file.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    // With a sequencer of our own, Vitest shuffles the tests in a file but not the files.
    if (shuffle)
      return files.sort((a, b) => shuffledRank(a, seed).localeCompare(shuffledRank(b, seed)));
    const sorted = await super.sort(files);
    const isSlow = ({ project }: TestSpecification) => project.name === 'slow';
    const slow = sorted.filter(isSlow).sort((a, b) => rank(a) - rank(b));
    return [...sorted.filter((file) => !isSlow(file)), ...slow];
  }
}
