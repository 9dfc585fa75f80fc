import { CHECKED_BY, CLIENT_CHECKED_BY, NOT_CHECKED } from './rows.js';
import { STATEMENTS, type Statement } from './statements.js';

// A statement has a check: of the fields, the headers or
// the errors that it names, a row of REFUSED, or a test that a row of CHECKED_BY names.

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
export function fieldsIn({ heading, text }: Statement): [name: string, type: string][] {
  if (!RESOURCES.includes(heading) || text.startsWith('Consent')) return [];
  const [, names, type = ''] = FIELD_ROW.exec(text) ?? [];
  if (names !== undefined) return names.split(', ').map((name) => [name, type]);
  return [...text.matchAll(FIELD_LIST)].map(([, name = '', of = '']) => [name, of]);
}

/** The headers that a statement may name, and the status without each. */
export const HEADERS: readonly [RegExp, string, number][] = [
  [/x-client-key/, 'x-client-key', 499],
  [/`X-Client-ID`/, 'x-client-id', 499],
  [/`Authorization`/, 'authorization', 401],
  [/x-secret-key/, 'x-secret-key', 401],
];
/** A statement that only refers to the headers of another endpoint. */
export const AS_ABOVE = /^- Headers( and query)? as/;
/** The header that a statement names for the body. */
export const BODY_TYPE = /`Content-Type: application\/json`/;
/** Whether a statement lists the headers of an endpoint. */
export const isHeaders = ({ text }: Statement) => text.startsWith('- Headers');

const QUOTED = /`([A-Za-z][A-Za-z0-9]*(?: [A-Za-z0-9-]+)+)`/g;
const UNQUOTED = /message (Invalid [A-Z]\w+ address format)/g;
const STATUS = /\b(4\d\d)\b/g;

/** The refusals that a statement names. */
export function refusalsIn({ text }: Statement) {
  const said = text.slice(Math.max(0, text.search(/Errors?[: (]/)));
  const messages = [...said.matchAll(QUOTED), ...said.matchAll(UNQUOTED)].map(([, one]) => one);
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
export const REFUSED: readonly [
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
export const STATUS_ROWS = STATEMENTS.filter(
  ({ heading, text }) => heading === 'Errors' && /^\| \d/.test(text),
);
const NAMED = [
  ...CHECKED_BY.map(([, , keys]) => keys),
  ...NOT_CHECKED.map(([, keys]) => keys),
  ...CLIENT_CHECKED_BY.map(([, , keys]) => keys),
].flat();
/** The statements that rows name. */
export const ROW_KEYS = [...NAMED, ...REFUSED.map(([key]) => key)];

const ENDPOINT_HEAD = /^\*\*[A-Z]+ \/v\d\S+\*\*( and |$)/;
const OWN_TEST = 'contract-document/contract-document.test.ts';

const isNamed = ({ key }: Statement, keys: readonly string[]) =>
  keys.some((one) => key.startsWith(one));

/** A test that holds a statement: its file below `test`, and a part of its title. */
export type Check = { readonly file: string; readonly title: string };

/** Returns the tests that hold a statement on the mock platform. */
export function checksOf(statement: Statement): readonly Check[] {
  const own = (title: string, isHeld: boolean): Check[] =>
    isHeld ? [{ file: `testing/${OWN_TEST}`, title }] : [];
  const named = CHECKED_BY.filter(([, , keys]) => isNamed(statement, keys));
  return [
    ...own('whose field', fieldsIn(statement).length > 0),
    ...own('without the header', isHeaders(statement)),
    ...own('has the message', isErrors(statement) && refusalsIn(statement).messages.length > 0),
    ...own('refuses with', isErrors(statement) && refusalsIn(statement).statuses.length > 0),
    ...own('uses the status of the row', STATUS_ROWS.includes(statement)),
    ...own('responds to', ENDPOINT_HEAD.test(statement.text)),
    ...own(
      'refuses input that breaks',
      isNamed(
        statement,
        REFUSED.map(([key]) => key),
      ),
    ),
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
