import { CONTRACT_ROWS, type ContractRow } from '../support/contract-rows.js';

/**
 * What an empty response means for each command, written by hand: it must not follow the
 * declarations, which it checks. `done`: no money moves and the result needs no field. A command
 * that is not in this list must not resolve without words of the service.
 */
const DONE_WHEN_EMPTY: readonly string[] = [
  'auth.sendLoginOtp',
  'card.freeze',
  'card.unfreeze',
  'consent.linkUser',
  'wallets.internal.create',
  'wallets.internal.linkToCard',
  'wallets.internal.unlinkFromCard',
  'webhooks.create',
  'webhooks.delete',
  'webhooks.update',
];

/** Every request of the contract that does more than read. */
export const COMMANDS: readonly ContractRow[] = CONTRACT_ROWS.filter(
  ({ retryClass }) => retryClass !== 'safe',
);

/** Whether an empty response says that a command was done. */
export const isDoneWhenEmpty = ({ id, isDoneWhenEmpty = false }: ContractRow): boolean =>
  isDoneWhenEmpty || DONE_WHEN_EMPTY.includes(id);

type Response = {
  status?: number;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  type?: string;
};

/** A response with a success status that is not the documented success, and what it proves. */
export type Said = Response & {
  outcome: 'unknown' | 'rejected';
  probableOutcome?: 'executed' | 'rejected' | undefined;
};

const HASH = `0x${'5e'.repeat(32)}`;
const rejected = (body: unknown): Said => ({ body, outcome: 'rejected' });
const unknown = (body: unknown, probableOutcome?: Said['probableOutcome']): Said => ({
  body,
  outcome: 'unknown',
  probableOutcome,
});
const page = (more: Response): Said => ({
  type: 'text/html',
  ...more,
  outcome: 'unknown',
  probableOutcome: 'executed',
});

/** What a 2xx says, for every command alike. */
export const SAID: Readonly<Record<string, Said>> = {
  'success: false': rejected({ success: false }),
  'success: false and words': rejected({ success: false, message: 'Not now' }),
  'the error body with statusCode 400': rejected({ statusCode: 400, message: 'Bad Request' }),
  'the error body with statusCode 422': rejected({
    ...{ statusCode: 422, message: 'Validation failed' },
    errors: [{ field: 'amount', message: 'is wrong' }],
  }),
  'the error body with a code': rejected({
    statusCode: 403,
    code: 'FORBIDDEN',
    error: 'Forbidden',
  }),
  'success: false beside a hash': unknown({ success: false, data: { txHash: HASH } }, 'executed'),
  'the error body beside a hash': unknown(
    { statusCode: 400, message: 'No', data: { transactionHash: HASH } },
    'executed',
  ),
  'a documented refusal as message': unknown({ message: 'Insufficient balance' }, 'rejected'),
  'a message': unknown({ message: 'Something happened' }),
  'a code': unknown({ code: 'INSUFFICIENT_BALANCE' }, 'rejected'),
  'ok: false': unknown({ ok: false }, 'rejected'),
  'ok: true': unknown({ ok: true }, 'executed'),
  'status: FAILED': unknown({ status: 'FAILED' }, 'rejected'),
  'status: success': unknown({ status: 'success' }, 'executed'),
  'errors in a list': unknown({ errors: [{ message: 'too much' }] }, 'rejected'),
  'an error': unknown({ error: 'insufficient_funds' }, 'rejected'),
  'an error in an object': unknown({ error: { message: 'No' } }, 'rejected'),
  'statusCode 400 without words': unknown({ statusCode: 400 }, 'rejected'),
  'data.success: false': unknown({ data: { success: false } }, 'rejected'),
  'data.success: true': unknown({ data: { success: true } }, 'executed'),
  'success: "false"': unknown({ success: 'false' }, 'rejected'),
  'success: "no"': unknown({ success: 'no' }, 'rejected'),
  'success: 0': unknown({ success: 0 }, 'rejected'),
  'success: "true"': unknown({ success: 'true' }, 'executed'),
  'Success: false': unknown({ Success: false }, 'rejected'),
  'Error in capitals': unknown({ ERROR: 'no' }, 'rejected'),
  'Data.Success: false': unknown({ Data: { Success: false } }, 'rejected'),
  'success: null': unknown({ success: null }, 'executed'),
  'another shape': unknown({ page: 1, items: [] }, 'executed'),
  'a list': unknown([], 'executed'),
  'a word': unknown('"OK"', 'executed'),
  'a word that denies': unknown('"failed"', 'rejected'),
  'a number': unknown('1', 'executed'),
  false: unknown('false', 'rejected'),
  true: unknown('true', 'executed'),
  'the page of a portal': page({ body: '<html><form>Log in to the Wi-Fi</form></html>' }),
  'a page labelled as JSON': page({ body: '<html>Maintenance</html>', type: 'application/json' }),
  'a success labelled as HTML': page({ body: { success: true } }),
  'plain text': page({ body: 'Welcome', type: 'text/plain' }),
  'JSON that breaks off': page({ body: '{"success":tr', type: 'application/json' }),
  'a portal with 203': page({ status: 203, body: '<html>' }),
};

/** The empty success responses. */
export const EMPTY: Readonly<Record<string, Response>> = {
  'no body': { body: '' },
  blanks: { body: ' \r\n ' },
  '{}': { body: {} },
  null: { body: 'null' },
  204: { status: 204 },
  205: { status: 205 },
};
