import { CHECKED_BY, CLIENT_CHECKED_BY, NOT_CHECKED } from './rows.js';
import { STATEMENTS, type Statement } from './statements.js';

// A statement has a check: of the fields, the headers or the errors that it names, a row of REFUSED, or
// a test that a row of CHECKED_BY names. The tests of contract-document.test.ts run with OWN_CASES, and
// only a statement of such a case is credited to one of them.

/** The headings whose fields the platform returns. */
const RESOURCES: readonly string[] = [
  'Card',
  'Internal wallet',
  'Wallet transaction',
  'Consent set',
  'Webhook configuration',
  'Referral code',
  'Order (creation response)',
];

const FIELD_ROW = /^\| ([A-Za-z0-9, ]+) \| (string|boolean|array|object|number)([^|]*)\|/;
const FIELD_LIST = /`([A-Za-z]+)` \((string|number|object)/g;

/** The fields that a statement names, with their types. */
function fieldsIn({ heading, text }: Statement): [name: string, type: string][] {
  if (!RESOURCES.includes(heading) || text.startsWith('Consent')) return [];
  const [, names, type = ''] = FIELD_ROW.exec(text) ?? [];
  if (names !== undefined) return names.split(', ').map((name) => [name, type]);
  return [...text.matchAll(FIELD_LIST)].map(([, name = '', of = '']) => [name, of]);
}

/** The headers that a statement may name, and the status without each. */
const HEADERS: readonly [RegExp, string, number][] = [
  [/x-client-key/, 'x-client-key', 499],
  [/`X-Client-ID`/, 'x-client-id', 499],
  [/`Authorization`/, 'authorization', 401],
  [/x-secret-key/, 'x-secret-key', 401],
];
/** The header that a statement names for the body. */
const BODY_TYPE = /`Content-Type: application\/json`/;
/** A statement that refers to the headers of another endpoint, and the heading with them. */
const AS_ABOVE: readonly [text: string, heading: string][] = [
  ['- Headers as card status', 'Card status'],
  ['- Headers as card details token', 'Card details token'],
  ['- Headers as credit withdrawal', 'Credit wallet withdrawal'],
  ['- Headers as consent create', 'Onboarding consent, create'],
  ['- Headers and query as the EVM endpoint', 'Delegation, step 3 (EVM)'],
];
/** Whether a statement lists the headers of an endpoint. */
export const isHeaders = ({ text }: Statement) => text.startsWith('- Headers');

/** The text that lists the headers of a statement: its own, or that of the one to which it refers. */
function listOf({ text }: Statement): string {
  const [, heading] = AS_ABOVE.find(([words]) => text.startsWith(words)) ?? [];
  if (heading === undefined) return text;
  return STATEMENTS.find((one) => one.heading === heading && isHeaders(one))?.text ?? '';
}

const headersOf = (statement: Statement) =>
  HEADERS.filter(([pattern]) => pattern.test(listOf(statement)));

const QUOTED = /`([A-Za-z][A-Za-z0-9]*(?: [A-Za-z0-9-]+)+)`/g;
const UNQUOTED = /message (Invalid [A-Z]\w+ address format)/g;
const STATUS = /\b([45]\d\d)\b/g;

/** Refusals that the platform sends only if a test plans them: the contract shows no cause. */
const PLANNED: readonly [status: 422 | 500, message?: string][] = [
  [500],
  [422, 'Validation failed'],
];
const isPlannedStatus = (status: number) => PLANNED.some(([one, text]) => !text && one === status);
const isPlannedMessage = (message: string) => PLANNED.some(([, text]) => text === message);

/** The refusals that a statement names. */
export function refusalsIn({ text }: Statement) {
  const said = text.slice(Math.max(0, text.search(/Errors?[: (]/)));
  const messages = [...said.matchAll(QUOTED), ...said.matchAll(UNQUOTED)].map(
    ([, one = '']) => one,
  );
  return { messages, statuses: [...said.matchAll(STATUS)].map(([status]) => Number(status)) };
}

/** Whether a statement lists the errors of an endpoint. */
export function isErrors(statement: Statement): boolean {
  const { text, heading } = statement;
  if (!/Errors?[: (]/.test(text) || text.startsWith('| ') || heading === 'Errors') return false;
  const { messages, statuses } = refusalsIn(statement);
  return messages.length + statuses.length > 0;
}

/** A statement about a field of a body: the value that it forbids, and the refusal. */
const REFUSED: readonly [
  key: string,
  operation: string,
  body: object,
  status: number,
  field: string,
][] = [
  ['Login > - Body', 'auth.login', { email: 'no', password: 'p' }, 422, 'email'],
  ['Card order > - Body', 'card.order', { type: 'METAL' }, 422, 'type'],
  [
    'Delegation, step 3 (EVM) > | address',
    'delegation.submitEvmApproval',
    { address: '0x1' },
    422,
    'address',
  ],
  [
    'Delegation, step 3 (EVM) > | network',
    'delegation.submitEvmApproval',
    { network: 'base' },
    422,
    'network',
  ],
  [
    'Delegation, step 3 (EVM) > | currency',
    'delegation.submitEvmApproval',
    { currency: 'dai' },
    422,
    'currency',
  ],
  [
    'Delegation, step 3 (EVM) > | amount',
    'delegation.submitEvmApproval',
    { amount: '1e3' },
    422,
    'amount',
  ],
  [
    'Delegation, step 3 (EVM) > | txHash',
    'delegation.submitEvmApproval',
    { txHash: '0x1' },
    422,
    'txHash',
  ],
  [
    'Delegation, step 3 (EVM) > | sigHash',
    'delegation.submitEvmApproval',
    { sigHash: '0x1' },
    422,
    'sigHash',
  ],
  [
    'Delegation, step 3 (Solana) > | address',
    'delegation.submitSolanaApproval',
    { address: '0x1' },
    422,
    'address',
  ],
  [
    'Delegation, step 3 (Solana) > | network',
    'delegation.submitSolanaApproval',
    { network: 'linea' },
    422,
    'network',
  ],
  [
    'Delegation, step 3 (Solana) > | currency',
    'delegation.submitSolanaApproval',
    { currency: 'sol' },
    422,
    'currency',
  ],
  [
    'Delegation, step 3 (Solana) > | amount',
    'delegation.submitSolanaApproval',
    { amount: '.5' },
    422,
    'amount',
  ],
  [
    'Delegation, step 3 (Solana) > | txHash',
    'delegation.submitSolanaApproval',
    { txHash: '0O' },
    422,
    'txHash',
  ],
  [
    'Delegation, step 3 (Solana) > | sigHash',
    'delegation.submitSolanaApproval',
    { sigHash: '2' },
    422,
    'sigHash',
  ],
  [
    'Delegation, step 3 (Solana) > | sigMessage',
    'delegation.submitSolanaApproval',
    { sigMessage: 'short' },
    422,
    'sigMessage',
  ],
  [
    'Limits > | Solana sigMessage',
    'delegation.submitSolanaApproval',
    { sigMessage: '9 letters' },
    422,
    'sigMessage',
  ],
  ['Limits > | Webhook name', 'webhooks.update', { name: 'n'.repeat(256) }, 400, 'name'],
  ['Limits > | Webhook event_types', 'webhooks.update', { event_types: [] }, 400, 'event_types'],
  ['Onboarding consent, link user > - Body', 'consent.linkUser', { userId: '' }, 400, 'userId'],
];

/** The rows of the table of statuses. */
const STATUS_ROWS = STATEMENTS.filter(
  ({ heading, text }) => heading === 'Errors' && /^\| \d/.test(text),
);
const NAMED = [
  ...CHECKED_BY.map(([, , keys]) => keys),
  ...NOT_CHECKED.map(([, keys]) => keys),
  ...CLIENT_CHECKED_BY.map(([, , keys]) => keys),
].flat();
/** The statements that rows name. */
export const ROW_KEYS = [...NAMED, ...REFUSED.map(([key]) => key)];

const ENDPOINT_HEAD = /^\*\*[A-Z]+ \/v\d\S+\*\*( and | returns an array |$)/;
const OWN_TEST = 'contract-document/contract-document.test.ts';

const isNamed = ({ key }: Statement, keys: readonly string[]) =>
  keys.some((one) => key.startsWith(one));

/** The cases of a test, one or more for each statement that they hold. */
const casesOf = <Case>(read: (statement: Statement) => readonly Case[]) =>
  STATEMENTS.flatMap((statement) => read(statement).map((one) => ({ statement, ...one })));

const idsOf = ({ endpoints }: Statement) => [...new Set(endpoints)].map((id) => ({ id }));
const refusalsOf = (statement: Statement) =>
  isErrors(statement) ? refusalsIn(statement) : { messages: [], statuses: [] };

/** What the tests of contract-document.test.ts run with, by a part of their titles. */
export const OWN_CASES = {
  'whose field': casesOf((one) => fieldsIn(one).map(([name, type]) => ({ name, type }))),
  'returns no number, CVV or PIN': casesOf((one) =>
    one.text.includes('CVV and PIN are never returned') ? [{ resource: one.heading }] : [],
  ),
  'without the header': casesOf((one) =>
    isHeaders(one)
      ? headersOf(one).flatMap(([, header, status]) =>
          one.endpoints.map((id) => ({ id, header, status })),
        )
      : [],
  ),
  'refuses a body of': casesOf((one) =>
    isHeaders(one) && BODY_TYPE.test(listOf(one)) ? idsOf(one) : [],
  ),
  'has the message': casesOf((one) =>
    refusalsOf(one)
      .messages.filter((message) => !isPlannedMessage(message))
      .map((message) => ({ message })),
  ),
  'refuses with': casesOf((one) =>
    refusalsOf(one)
      .statuses.filter((status) => !isPlannedStatus(status))
      .map((status) => ({ status })),
  ),
  'sends the planned': casesOf((one) => {
    const { messages, statuses } = refusalsOf(one);
    return PLANNED.flatMap(([status, message = '']) =>
      message === ''
        ? statuses.filter((named) => named === status).map(() => ({ status, message }))
        : messages.filter((text) => text === message).map(() => ({ status, message })),
    );
  }),
  'uses the status of the row': STATUS_ROWS.map((statement) => ({ statement })),
  'responds to': casesOf((one) => (ENDPOINT_HEAD.test(one.text) ? idsOf(one) : [])),
  'needs no body': casesOf((one) => (one.text === 'No body.' ? idsOf(one) : [])),
  'takes a UUID in the path': casesOf((one) => (one.text.startsWith('Path: ') ? idsOf(one) : [])),
  'refuses input that breaks': REFUSED.flatMap(([key, id, body, status, field]) =>
    STATEMENTS.filter((one) => one.key.startsWith(key)).map((statement) => ({
      statement,
      id,
      body,
      status,
      field,
    })),
  ),
};

/** A test that holds a statement: its file below `test`, and a part of its title. */
export type Check = { readonly file: string; readonly title: string };

/** Returns the tests that hold a statement on the mock platform. */
export function checksOf(statement: Statement): readonly Check[] {
  const own = Object.entries(OWN_CASES).filter(([, cases]) =>
    cases.some((one) => one.statement === statement),
  );
  const named = CHECKED_BY.filter(([, , keys]) => isNamed(statement, keys));
  return [
    ...own.map(([title]) => ({ file: `testing/${OWN_TEST}`, title })),
    ...named.map(([file, title]) => ({ file, title })),
  ];
}

/** Tests of the client that run for every endpoint, and the statements of a section that they hold. */
const OF_EVERY_ENDPOINT: readonly (readonly [RegExp, file: string, title: string])[] = [
  [ENDPOINT_HEAD, 'client/requests.test.ts', 'sends the request of the contract'],
  [/^- Headers/, 'client/requests.test.ts', 'sends exactly its credentials'],
  [/^- 20[01]/, 'client/responses.test.ts', 'accepts the response of the contract without drift'],
  [/^(?:- )?Errors?\b/, 'client/responses.test.ts', 'recognises its documented business errors'],
  [
    /^(?:(?:- )?(?:Body|Query)\b|\| [A-Za-z]+ \|)/,
    'input/bad-input.test.ts',
    '$operation rejects $field when it is $shown',
  ],
];

/** Returns the tests that hold a statement in the client. */
export function clientChecksOf(statement: Statement): readonly Check[] {
  const ofEndpoint = OF_EVERY_ENDPOINT.filter(
    ([form]) => statement.endpoints.length > 0 && form.test(statement.text),
  );
  const named = CLIENT_CHECKED_BY.filter(([, , keys]) => isNamed(statement, keys));
  return [
    ...ofEndpoint.map(([, file, title]) => ({ file, title })),
    ...named.map(([file, title]) => ({ file, title })),
  ];
}

/** Returns why no test can hold a statement. */
export function reasonOf(statement: Statement): string | undefined {
  return NOT_CHECKED.find(([, keys]) => isNamed(statement, keys))?.[0];
}
