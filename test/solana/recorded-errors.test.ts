import { describe, expect, it } from 'vitest';
import { isCardPlatformError } from '../../src/errors/index.js';
import { refusalOf } from '../../src/solana/flow/refusals.js';
import { readRecordedErrors } from '../recorded-errors/recorded-error.js';
import { SOLANA_FAILURES } from '../recorded-errors/solana-failures.js';

const RECORDED = readRecordedErrors('solana');
const libraries = [...new Set(RECORDED.map(({ library }) => library))];

/** Errors for which the libraries have no text of the node left, so that nothing can be proved. */
const WITHOUT_THE_NODES_WORDS = 'signature not valid';

describe('the recorded errors of the Solana libraries', () => {
  it('are those of every failure with every library', () => {
    expect(libraries).toHaveLength(5);
    expect(RECORDED).toHaveLength(SOLANA_FAILURES.length * libraries.length);
    for (const { error, failure, library } of RECORDED) {
      expect(error, `${library}: ${failure.name}`).toBeDefined();
      expect(SOLANA_FAILURES).toContainEqual(failure);
    }
  });

  describe.each(libraries)('%s', (library) => {
    const own = RECORDED.filter((one) => one.library === library);

    it.each(
      own.filter(({ failure }) => failure.forwards === 'maybe'),
    )('proves nothing after $failure.name', ({ error }) => {
      expect(refusalOf(error)).toBeUndefined();
    });

    it.each(
      own.filter(({ failure }) => failure.forwards === 'never'),
    )('proves that nothing was sent after $failure.name', ({ error, failure }) => {
      const refusal = refusalOf(error, 'signature');
      expect(refusal).toMatchObject({ code: failure.code });
      if (!isCardPlatformError(refusal)) throw new Error('no refusal');
      expect(['not_sent', 'rejected']).toContain(refusal.outcome);
    });

    it.each(
      own.filter(
        ({ failure: { forwards, name } }) =>
          forwards === 'never' && name !== WITHOUT_THE_NODES_WORDS,
      ),
    )('proves nothing without the logs of the simulation: $failure.name', ({ error }) => {
      expect(refusalOf(withoutLogs(error))).toBeUndefined();
    });
  });
});

/** The same error as it would be if the node had not simulated. */
function withoutLogs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutLogs);
  if (typeof value === 'string') return value.split('Logs: ', 1)[0];
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([name]) => !/^(transactionL|l)ogs$/.test(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutLogs(field)]));
}
