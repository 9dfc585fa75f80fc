import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { next, say } from '../../src/delegation/advice.js';
import {
  ApprovalMismatchError,
  TransactionReplacedError,
} from '../../src/delegation/approval-errors.js';
import { ChainError } from '../../src/delegation/chain-error.js';
import { StateMismatchError } from '../../src/delegation/flow-errors.js';
import { attachState, emptyState, updateState } from '../../src/delegation/state.js';
import {
  ApiError,
  AuthenticationError,
  type ChainErrorCode,
  ConnectionError,
  type Outcome,
  RequestValidationError,
} from '../../src/errors/index.js';

const ROOT = new URL('../../', import.meta.url);
const OUTCOMES = ['not_sent', 'rejected', 'unknown', 'executed'] as const;
const STEPS = ['retry', 'resume', 'replace', 'log_in', 'look_up', 'show_user', 'contact', 'done'];

/** Endings without an error of a delegation, and the error that such an ending has. */
const OTHER_ENDINGS: Readonly<Record<string, unknown>> = {
  'success, `accepted`': undefined,
  'success, `already-approved`': undefined,
  'success, `found-in-wallets`': undefined,
  'success, `not-submitted`': undefined,
  'faucet late or declined': undefined,
  'aborted before the approval': beforeApproval(new DOMException('stopped', 'AbortError')),
  aborted: afterApproval(new DOMException('stopped', 'AbortError')),
  'an error of the client before the approval': new ConnectionError({
    message: 'refused',
    outcome: 'not_sent',
    operation: 'delegation.getToken',
    isRetryable: true,
  } as never),
  'an error of the client after the approval, for example `ApiError`': afterApproval(
    new ApiError({ ...refusal(), code: 'validation_failed', status: 422 } as never),
  ),
  '`AuthenticationError`': new AuthenticationError({
    ...refusal(),
    code: 'not_authenticated',
    status: 401,
  } as never),
  '`RequestValidationError` of the amount': new RequestValidationError([
    { path: 'amount', message: 'is above the cap' },
  ]),
  '`RequestValidationError` of another option': new RequestValidationError([
    { path: 'spender', message: 'is missing' },
  ]),
};

/** Endings whose words depend on more than code and outcome. */
const SPECIAL: Readonly<Record<string, unknown>> = {
  '`approval_mismatch` with `approvedAmount`': new ApprovalMismatchError('amount', '0x1', {
    amount: '90',
    canContinue: true,
  }),
  '`approval_mismatch` with `approvedAmount` of zero, or too large': new ApprovalMismatchError(
    'amount',
    '0x1',
    { amount: '0', canContinue: false },
  ),
  '`approval_mismatch`': new ApprovalMismatchError('spender', '0x1'),
  '`approval_mismatch` with the field `transaction`': new ApprovalMismatchError(
    'transaction',
    '0x1',
  ),
  '`transaction_replaced`': new TransactionReplacedError('0x1'),
  '`state_mismatch` of the limit': new StateMismatchError(['amount', 'allowance']),
  '`state_mismatch` of the wallet or asset': new StateMismatchError(['address']),
  '`state_mismatch` of anything else': new StateMismatchError(['seal']),
};

function refusal() {
  return { message: 'refused', outcome: 'rejected', operation: 'delegation.submitEvmApproval' };
}

function beforeApproval<E>(error: E): E {
  attachState(error, emptyState('evm', {}));
  return error;
}

function afterApproval<E>(error: E): E {
  const approval = { status: 'verified', transactionId: '0x1' } as const;
  attachState(error, updateState(emptyState('evm', {}), { approval }));
  return error;
}

type Row = {
  ending: string;
  code: string | undefined;
  chain: string;
  outcomes: Outcome[];
  cells: string[];
  sentence: string;
  step: string | undefined;
};

const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

function readRows(): Row[] {
  const [, table = ''] = read('docs/own-wallet/endings.md').split(/<!-- \/?endings -->/);
  const lines = table.split('\n').filter((line) => /^\| (?!ending|---)/.test(line));
  return lines.map((line) => {
    const columns = line.split('|').slice(1, -1);
    const cells = columns
      .flatMap((column) => column.split(/<br>(?:Fee paid · limit set: )?/))
      .flatMap((cell, index) => (index === 1 ? cell.split(/ · (.+)/, 2) : [cell]))
      .map((cell) => cell.trim());
    const [ending = '', chain = '', outcome = '', , , sentence = '', last = ''] = cells;
    return {
      ending,
      code: /^`([a-z_]+)`/.exec(ending)?.[1],
      chain,
      outcomes: OUTCOMES.filter((name) => outcome.includes(`\`${name}\``)),
      cells,
      sentence,
      step: /^`([a-z_]+)`/.exec(last)?.[1],
    };
  });
}

const rows = readRows();

/** The codes of `ChainErrorCode`, as the source declares them. */
const codes = [
  ...(/type ChainErrorCode =([^;]+);/.exec(read('src/errors/error-codes.ts'))?.[1] ?? '').matchAll(
    /\| '(\w+)'/g,
  ),
].map(([, code = '']) => code);

/** Every file below `src` that can end a delegation. */
const sources = ['delegation', 'evm', 'solana'].flatMap((folder) =>
  readdirSync(new URL(`src/${folder}/`, ROOT), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ folder, text: read(`src/${folder}/${name}`) })),
);

/** The outcomes that the source sets next to a code, and whether one of them is computed. */
function outcomesInSource(code: string): { fixed: Outcome[]; isComputed: boolean } {
  const set = new RegExp(`\\bcode: '${code}',\\s*outcome(?:: (.+?))?,`, 'g');
  const values = sources.flatMap(({ text }) =>
    [...text.matchAll(set)].map(([, value]) => value ?? ''),
  );
  expect(values, `where ${code} is created`).not.toEqual([]);
  const literals = values.flatMap((value) => [...value.matchAll(/'(\w+)'/g)].map(([, o]) => o));
  const fixed = OUTCOMES.filter((outcome) => literals.includes(outcome));
  return { fixed, isComputed: values.some((value) => !/^'\w+'$/.test(value)) };
}

it('the search for codes finds those of the source', () => {
  expect(codes.length).toBeGreaterThan(30);
  expect(codes).toContain('user_rejected');
});

describe('the table of endings', () => {
  it.each(codes)('has the code %s, with its outcomes', (code) => {
    const own = rows.filter((row) => row.code === code);
    expect(own, 'rows').not.toEqual([]);
    const shown = [...new Set(own.flatMap(({ outcomes }) => outcomes))];
    const { fixed, isComputed } = outcomesInSource(code);
    expect(shown, 'an outcome in the table').not.toEqual([]);
    expect(shown).toEqual(expect.arrayContaining(fixed));
    if (!isComputed) expect(shown.sort()).toEqual([...fixed].sort());
  });

  it('names no ending that does not exist, and misses none', () => {
    const known = [...codes, undefined];
    expect(rows.filter(({ code }) => !known.includes(code))).toEqual([]);
    const others = rows.filter(({ code }) => code === undefined).map(({ ending }) => ending);
    expect(others.sort()).toEqual(Object.keys(OTHER_ENDINGS).sort());
    const special = rows.map(({ ending }) => ending).filter((ending) => ending in SPECIAL);
    expect(special.sort()).toEqual(Object.keys(SPECIAL).sort());
    expect(rows.length).toBeGreaterThan(45);
  });

  it('says of every code on which chain it can happen', () => {
    for (const { code, chain } of rows) {
      if (code === undefined) continue;
      const folders = new Set(
        sources.filter(({ text }) => text.includes(`'${code}'`)).map(({ folder }) => folder),
      );
      // A code that only one chain creates is not of the flow that both share.
      if (chain === 'EVM') expect(folders.has('solana'), code).toBe(false);
      else if (chain === 'Solana') expect(folders.has('evm'), code).toBe(false);
      else expect(chain, code).toBe('both');
    }
  });

  it('has a part for each stage, none of them longer than a reader can look over', () => {
    const [, table = ''] = read('docs/own-wallet/endings.md').split(/<!-- \/?endings -->/);
    const parts = table.split(/^### /m).slice(1);
    expect(parts.length).toBeGreaterThan(4);
    for (const part of parts) expect(part.match(/^\| (?!ending|---)/gm)?.length).toBeLessThan(15);
  });

  it('has every cell filled', () => {
    const incomplete = rows.filter(({ cells }) => cells.length !== 7 || cells.includes(''));
    expect(incomplete.map(({ ending }) => ending)).toEqual([]);
  });
});

/** Every error that a row of the table describes. */
function errorsOf({ ending, code, outcomes }: Row): unknown[] {
  if (ending in SPECIAL) return [SPECIAL[ending]];
  if (code === undefined) return [OTHER_ENDINGS[ending]].filter((error) => error !== undefined);
  return outcomes.map(
    (outcome) => new ChainError({ code: code as ChainErrorCode, outcome, message: 'as described' }),
  );
}

describe('say and next', () => {
  const cases = rows.flatMap((row) => errorsOf(row).map((error) => ({ ...row, error })));

  it.each(cases)('are those of the row: $ending', ({ error, sentence, step, outcomes, code }) => {
    expect(say(error)).toBe(sentence);
    // An approval that may have been sent is continued, in a row with several outcomes too.
    const { outcome }: { outcome?: unknown } = Object(error);
    const isUnderWay = code !== undefined && outcomes.length > 1 && outcome === 'unknown';
    expect(next(error)).toBe(isUnderWay ? 'resume' : step);
    expect(STEPS).toContain(next(error));
    // A delegation error has one step, whoever asks.
    if (code !== undefined) expect(next(error)).toBe((error as ChainError).next);
  });

  // A saved state is compared before anything is sent, so this one is never unknown.
  const sending = codes.filter((code) => code !== 'state_mismatch');

  it.each(
    sending,
  )('never ask for a second approval after an outcome that is unknown: %s', (code) => {
    const facts = { code: code as ChainErrorCode, outcome: 'unknown', message: '' } as const;
    expect(['resume', 'contact']).toContain(next(new ChainError(facts)));
  });

  it('continue once an approval may be on the chain, whatever else fails', () => {
    for (const error of [
      new AuthenticationError({ ...refusal(), code: 'not_authenticated', status: 401 } as never),
      new ConnectionError({ message: 'lost', outcome: 'unknown' } as never),
      new TypeError('a bug'),
    ]) {
      expect(next(afterApproval(error))).toBe('resume');
    }
    // Without a state, nothing says that the wallet was not asked.
    expect(next(new DOMException('stopped', 'AbortError'))).toBe('resume');
  });

  it('say what to do first once an approval may be on the chain: log in, or wait for us', () => {
    const facts = { ...refusal(), code: 'not_authenticated', status: 401 };
    expect(say(afterApproval(new AuthenticationError(facts as never)))).toBe(
      'Please log in again, then continue.',
    );
    const lost = { message: 'lost', outcome: 'not_sent', isRetryable: true };
    expect(say(afterApproval(new ConnectionError(lost as never)))).toBe(
      'We cannot be reached right now. Continue in a moment.',
    );
  });

  it.each([
    ['nothing', undefined],
    ['a text', 'a text'],
    ['a foreign error', new TypeError('https://node.example/?key=secret')],
    [
      'an error with a getter that throws',
      {
        get name() {
          throw new Error('a getter that throws');
        },
      },
    ],
  ])('have words for %s', (_, error) => {
    expect(say(error)).toMatch(/^[A-Z].+\.$/);
    expect(say(error)).not.toContain('secret');
    expect(next(error)).toBe('contact');
  });

  it('do not advise to send again what may have had an effect', () => {
    const lost = new ConnectionError({ message: 'lost', outcome: 'unknown' } as never);
    expect(next(lost)).toBe('look_up');
    expect(say(lost)).toContain('Check before you try again');
  });

  it('are those of the error, for a call outside a delegation', () => {
    for (const error of [
      new AuthenticationError({ ...refusal(), code: 'not_authenticated', status: 401 } as never),
      new ConnectionError({ message: 'lost', outcome: 'unknown' } as never),
      new ConnectionError({ message: 'lost', outcome: 'not_sent', isRetryable: true } as never),
      new ApiError({ ...refusal(), code: 'invalid_client_key', status: 403 } as never),
      new ApiError({ ...refusal(), code: 'validation_failed', status: 422 } as never),
    ]) {
      expect(next(error)).toBe(error.next);
    }
  });

  it('are one plain sentence or two, that name no code', () => {
    for (const { error } of cases) {
      expect(say(error)).toMatch(/^[A-Z][^_`{}]{10,110}[.?]$/);
    }
  });
});

it('every value of registration has a row', () => {
  const source = /type Registration =([^;]+);/.exec(read('src/delegation/state.ts'))?.[1] ?? '';
  const known = [...source.matchAll(/'([\w-]+)'/g)].map(([, name]) => `success, \`${name}\``);
  expect(known).toHaveLength(3);
  expect(Object.keys(OTHER_ENDINGS)).toEqual(expect.arrayContaining(known));
});
