import type { Move } from './moves.js';
import type { Setting } from './world.js';

/** A sequence of moves that once failed, the smallest that fast-check found. */
export type Seed = { found: string; setting: Setting; moves: readonly Move[] };

const click: Move = { do: 'click', tab: 0, from: { newest: true }, again: false };
const plain: Setting = { expires: false, hasStranger: false };
/** Settles the oldest interaction in its normal way, this many times. */
const steps = (count: number): Move => ({
  do: 'settle',
  steps: Array.from({ length: count }, (): [number, number] => [0, 0]),
});

/** The first two were faults of the package, the others of the toy chain, its driver or the model. */
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
  {
    found: 'a failed approval of the user’s own while the prompt of a closed page is open',
    setting: plain,
    moves: [
      click,
      steps(4),
      {
        do: 'settle',
        steps: [
          [0, 0],
          [0, 0],
          [0, 6],
          [0, 0],
        ],
      },
      { do: 'next approval fails' },
      { do: 'approve elsewhere' },
      click,
      steps(4),
      { do: 'speed up', which: 0 },
    ],
  },
  {
    found: 'an approval whose id was lost, and a later one that failed',
    setting: plain,
    moves: [
      click,
      { do: 'run to end' },
      { do: 'next approval fails' },
      { do: 'click', tab: 0, from: { older: 0 }, again: false },
      { do: 'run to end' },
      { do: 'click', tab: 0, from: { older: 9 }, again: false },
      steps(1),
    ],
  },
  {
    found: 'an old prompt that is confirmed after a newer flow whose limit was edited',
    setting: plain,
    moves: [
      click,
      steps(4),
      {
        do: 'settle',
        steps: [
          [0, 0],
          [0, 0],
          [0, 6],
          [0, 0],
        ],
      },
      { do: 'click', tab: 0, from: { nothing: true }, again: false },
      {
        do: 'settle',
        steps: [
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 0],
          [0, 4],
        ],
      },
      { do: 'abort', tab: 0 },
    ],
  },
  {
    found: 'a new flow whose approval has the nonce of one that a reorganization removed',
    setting: { expires: true, hasStranger: false },
    moves: [
      { do: 'approve elsewhere' },
      click,
      { do: 'run to end' },
      { do: 'reorganize', depth: 1, areLost: true },
      click,
      { do: 'run to end' },
      { do: 'click', tab: 0, from: { nothing: true }, again: false },
    ],
  },
];
