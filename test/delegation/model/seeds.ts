import type { Move } from './moves.js';
import type { Setting } from './world.js';

/** A sequence of moves that once failed, the smallest that fast-check found. */
export type Seed = { found: string; setting: Setting; moves: readonly Move[] };

const click: Move = { do: 'click', tab: 0, from: { newest: true }, again: false };
const plain: Setting = { expires: false, hasStranger: false };
/** Settles the oldest interaction in its normal way, so many times. */
const steps = (count: number): Move => ({
  do: 'settle',
  steps: Array.from({ length: count }, (): [number, number] => [0, 0]),
});

/** The first two were faults of the package, the others of the toy chain or its driver. */
export const SEEDS: readonly Seed[] = [
  {
    found: 'a page that is closed while a registered approval is verified again',
    setting: plain,
    moves: [
      click,
      { do: 'run to end' },
      click,
      // The list is stale, then the page is closed after a read of the chain.
      {
        do: 'settle',
        steps: [
          [0, 1],
          [0, 0],
          [0, 5],
        ],
      },
      click,
      { do: 'wait', milliseconds: 2_000 },
    ],
  },
  {
    found: 'a registered approval that a reorganization removes',
    setting: plain,
    moves: [
      click,
      { do: 'run to end' },
      { do: 'reorganize', depth: 1, areLost: true },
      { do: 'click', tab: 0, from: { newest: true }, again: false },
    ],
  },
  {
    found: 'a failed approval that succeeds after a reorganization',
    setting: plain,
    moves: [
      { do: 'next approval fails' },
      click,
      steps(10),
      { do: 'reorganize', depth: 1, areLost: false },
    ],
  },
  {
    found: 'an approval that is replaced with another limit before a node has seen it',
    setting: plain,
    moves: [click, steps(7), { do: 'replace', which: 0 }],
  },
  {
    found: 'an approval that is dropped while the limit of another page is there',
    setting: plain,
    moves: [
      click,
      { do: 'approve elsewhere' },
      { do: 'run to end' },
      { do: 'reorganize', depth: 1, areLost: false },
      { do: 'drop', which: 1 },
      { do: 'close page', tab: 0 },
    ],
  },
  {
    found: 'a dropped approval behind a transaction of the user',
    setting: plain,
    moves: [
      { do: 'approve elsewhere' },
      click,
      steps(7),
      { do: 'drop', which: 0 },
      { do: 'close page', tab: 0 },
    ],
  },
];
