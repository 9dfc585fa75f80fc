import { DENIAL, type PlantedBug } from './planted-bug.js';

const SETTINGS = 'src/transport/settings/settings.ts';

/**
 * Bugs that show only where the options of clients differ, reads lag, histories move, or programs die at
 * a write of their store.
 */
export const WORLD_BUGS: readonly PlantedBug[] = [
  {
    name: 'a call without a limit of its own may last five minutes',
    changes: [
      { file: SETTINGS, declaration: 'DEFAULT_TOTAL_TIMEOUT_MS', becomes: '() => 300_000' },
    ],
    foundBy: ['ends-in-time'],
  },
  {
    name: 'retry: false is ignored',
    changes: [
      {
        file: SETTINGS,
        declaration: 'requireRetry',
        becomes:
          '(original) => (value, ...rest) => original(value === false ? true : value, ...rest)',
      },
    ],
    foundBy: ['never-sent-again'],
  },
  {
    name: 'a look stops after the first page of a history',
    changes: [
      {
        file: 'src/journal/history.ts',
        declaration: 'readTwice',
        becomes: '(original) => (readPage) => original(readPage, () => true)',
      },
    ],
    foundBy: ['reconcile-is-true', ...DENIAL, 'moves-at-most-once'],
  },
  {
    name: 'an entry that occurs twice ends a history',
    changes: [
      {
        file: 'src/flows/pagination.ts',
        declaration: 'iteratePages',
        becomes: `(original) => async function* (...given) {
          const seen = new Set();
          for await (const item of original(...given)) {
            const text = JSON.stringify(item);
            if (seen.has(text)) return;
            seen.add(text);
            yield item;
          }
        }`,
      },
    ],
    foundBy: ['history-is-whole'],
  },
  {
    name: 'a state counts although the read may show what was before',
    changes: [
      {
        file: 'src/journal/finding.ts',
        declaration: 'findingByState',
        becomes: `(original) => (question, ...rest) =>
          original({ ...question, settleTime: -Infinity }, ...rest)`,
      },
    ],
    foundBy: ['reconcile-is-true'],
    actors: ['offices'],
  },
  {
    name: 'an entry is removed before its result is remembered',
    changes: [
      {
        file: 'src/journal/pages.ts',
        declaration: 'Pages.change',
        becomes: `(original) => async (id, change, isForgotten) => {
          let next;
          await original(
            id,
            (stored) => {
              next = change(stored);
              return next?.state === 'executed' ? undefined : next;
            },
            isForgotten,
          );
          if (next?.state === 'executed') await this.add(next);
        }`,
      },
    ],
    foundBy: ['crash-leaves-entry'],
  },
];
