/** A form of an error body, and the facts that every endpoint must read from it. */
export type ErrorForm = {
  name: string;
  /** A string is sent unchanged, everything else as JSON. */
  body: unknown;
  type?: string;
  serverMessage: string | undefined;
  serverCode?: string;
  fieldErrors?: { field: string; message: string }[];
  details?: string[];
  /** Whether it is a form of the service, so that a 4xx is its own refusal. Default `true`. */
  isForm?: boolean;
};

const PROBLEM = 'application/problem+json';
const TEXT = 'The card is unhappy';
const text = JSON.stringify;

/** Every form that was seen, and those of RFC 9457 and of common frameworks. */
export const ERROR_FORMS: readonly ErrorForm[] = [
  { name: '{ message }', body: { message: TEXT }, serverMessage: TEXT },
  { name: '{ error }', body: { error: TEXT }, serverMessage: TEXT },
  { name: '{ detail }', body: { detail: TEXT }, serverMessage: TEXT },
  {
    name: '{ error, details } with a list',
    body: { error: TEXT, details: ['one', 'two'] },
    serverMessage: TEXT,
    details: ['one', 'two'],
  },
  {
    name: '{ error, details } with a string',
    body: { error: TEXT, details: 'one' },
    serverMessage: TEXT,
    details: ['one'],
  },
  {
    name: '{ error, details } with an object',
    body: { error: TEXT, details: { reason: 'too sad', code: 'E7' } },
    serverMessage: TEXT,
    serverCode: 'E7',
    details: ['too sad'],
  },
  {
    name: '{ error, details } with a map',
    body: { error: TEXT, details: { mood: 'sad', depth: 5 } },
    serverMessage: TEXT,
    details: ['mood: sad'],
  },
  {
    name: '{ code, message }',
    body: { code: 'E42', message: TEXT },
    serverMessage: TEXT,
    serverCode: 'E42',
  },
  {
    name: '{ errorCode, message }',
    body: { errorCode: 'CARD_SAD', message: TEXT },
    serverMessage: TEXT,
    serverCode: 'CARD_SAD',
  },
  {
    name: 'a code and nothing else',
    body: { code: 'E42' },
    serverMessage: 'E42',
    serverCode: 'E42',
  },
  {
    name: 'a numeric code',
    body: { code: 1003, message: TEXT },
    serverMessage: TEXT,
    serverCode: '1003',
  },
  { name: 'the status as code', body: { code: 418, message: TEXT }, serverMessage: TEXT },
  {
    name: 'a code in message, a sentence in error',
    body: { message: 'CARD_SAD', error: TEXT },
    serverMessage: TEXT,
  },
  {
    name: 'a number in message, a sentence in error',
    body: { message: 42, error: TEXT },
    serverMessage: TEXT,
  },
  { name: 'a number alone', body: { message: 42 }, serverMessage: '42', isForm: false },
  {
    name: 'booleans',
    body: { message: true, error: false, code: true },
    serverMessage: undefined,
    isForm: false,
  },
  {
    name: '{ error: { status, message } }',
    body: { error: { status: 400, message: TEXT } },
    serverMessage: TEXT,
  },
  {
    name: '{ error: { code, message } }',
    body: { error: { code: 'CARD_SAD', message: TEXT } },
    serverMessage: TEXT,
    serverCode: 'CARD_SAD',
  },
  {
    name: 'a sentence next to { error: { status } }',
    body: { message: TEXT, error: { status: 400 } },
    serverMessage: TEXT,
  },
  {
    name: 'an object in message',
    body: { message: { message: TEXT, errorCode: 'E1' } },
    serverMessage: TEXT,
    serverCode: 'E1',
  },
  {
    name: 'JSON text in message',
    body: { message: text({ error: TEXT, details: ['one'] }) },
    serverMessage: TEXT,
    details: ['one'],
  },
  {
    name: 'JSON text in error',
    body: { error: text({ status: 400, message: TEXT }) },
    serverMessage: TEXT,
  },
  {
    name: 'JSON text in JSON text',
    body: { message: text({ error: text({ code: 'E1', message: TEXT }) }) },
    serverMessage: TEXT,
    serverCode: 'E1',
  },
  {
    name: 'JSON text after words',
    body: { message: `Failed: {"message":"${TEXT}"}` },
    serverMessage: `Failed: {"message":"${TEXT}"}`,
  },
  {
    name: 'JSON text that is cut off',
    body: { message: `{"message":"${TEXT}` },
    serverMessage: `{"message":"${TEXT}`,
  },
  {
    name: 'a list of messages',
    body: { statusCode: 418, message: [TEXT, 'and so am I'], error: 'Teapot' },
    serverMessage: `${TEXT}; and so am I`,
    details: [TEXT, 'and so am I'],
  },
  {
    name: 'a list of messages inside message',
    body: { message: { message: [TEXT], error: 'Teapot', statusCode: 418 } },
    serverMessage: TEXT,
    details: [TEXT],
  },
  {
    name: 'the OAuth pair',
    body: { error: 'invalid_grant', error_description: TEXT },
    serverMessage: TEXT,
    serverCode: 'invalid_grant',
  },
  {
    name: '{ message, errors: [{ field, message }] }',
    body: { message: TEXT, errors: [{ field: 'a.b', message: 'no' }] },
    serverMessage: TEXT,
    fieldErrors: [{ field: 'a.b', message: 'no' }],
  },
  {
    name: '{ message, errors: [text] }',
    body: { message: TEXT, errors: ['no', 5, null] },
    serverMessage: TEXT,
    details: ['no'],
  },
  {
    name: '{ message, errors: map }',
    body: { message: TEXT, errors: { nickname: ['taken', 'odd'], age: 'low' } },
    serverMessage: TEXT,
    fieldErrors: [
      { field: 'nickname', message: 'taken' },
      { field: 'nickname', message: 'odd' },
      { field: 'age', message: 'low' },
    ],
  },
  {
    name: 'errors with a path',
    body: { message: TEXT, errors: [{ path: ['a', 0, 'b'], message: 'no' }] },
    serverMessage: TEXT,
    fieldErrors: [{ field: 'a.0.b', message: 'no' }],
  },
  {
    name: 'errors without the name of a field',
    body: { message: TEXT, errors: [{ field: '\u0000', message: 'no' }] },
    serverMessage: TEXT,
    fieldErrors: [{ field: '', message: 'no' }],
  },
  {
    name: 'problem details',
    type: PROBLEM,
    body: {
      type: 'https://card.example/problems/card-sad',
      title: 'Sad card',
      status: 418,
      detail: TEXT,
      instance: '/v1/card',
      mood: 7,
    },
    serverMessage: TEXT,
    serverCode: 'https://card.example/problems/card-sad',
  },
  {
    name: 'problem details with a code and refused fields',
    type: `${PROBLEM}; charset=utf-8`,
    body: {
      type: 'about:blank',
      title: TEXT,
      code: 'E9',
      errors: [
        { pointer: '#/customCss/a~1b', detail: 'no' },
        { pointer: '/amount', detail: 'low' },
      ],
    },
    serverMessage: TEXT,
    serverCode: 'E9',
    fieldErrors: [
      { field: 'customCss.a/b', message: 'no' },
      { field: 'amount', message: 'low' },
    ],
  },
  {
    name: 'problem details with a title',
    type: PROBLEM,
    body: { type: 'about:blank', title: TEXT },
    serverMessage: TEXT,
  },
  {
    name: 'problem details with a type',
    type: PROBLEM,
    body: { type: 'urn:problem:card-sad' },
    serverMessage: 'urn:problem:card-sad',
    serverCode: 'urn:problem:card-sad',
  },
  {
    name: 'problem details that name no problem',
    type: PROBLEM,
    body: { type: 'about:blank', status: 418 },
    serverMessage: undefined,
    isForm: false,
  },
  {
    name: 'empty problem details',
    type: PROBLEM,
    body: {},
    serverMessage: undefined,
    isForm: false,
  },
  {
    name: 'a title without problem details',
    body: { title: TEXT },
    serverMessage: TEXT,
    isForm: false,
  },
  { name: 'plain text', type: 'text/plain', body: TEXT, serverMessage: TEXT, isForm: false },
  { name: 'a JSON string', body: text(TEXT), serverMessage: TEXT, isForm: false },
  { name: 'a list of texts', body: [TEXT], serverMessage: TEXT, details: [TEXT], isForm: false },
  {
    name: 'a list of objects',
    body: [{ message: TEXT, code: 'E1' }],
    serverMessage: TEXT,
    serverCode: 'E1',
    details: [TEXT],
    isForm: false,
  },
  {
    name: 'a page',
    type: 'text/html',
    body: `<p>${TEXT}</p>`,
    serverMessage: undefined,
    isForm: false,
  },
  { name: 'an empty object', body: {}, serverMessage: undefined, isForm: false },
  { name: 'null', body: 'null', serverMessage: undefined, isForm: false },
  { name: 'a number', body: '42', serverMessage: undefined, isForm: false },
  { name: 'no body', body: '', serverMessage: undefined, isForm: false },
];

/** Forms that differ from those above in a detail. */
export const RARER_FORMS: readonly ErrorForm[] = [
  { name: 'a word that is JSON', body: { message: 'true' }, serverMessage: 'true' },
  { name: 'digits', body: { message: '42' }, serverMessage: '42' },
  { name: 'quotes around words', body: { message: '"a [b]"' }, serverMessage: '"a [b]"' },
  {
    name: 'JSON text after spaces',
    body: { message: ` \n${text({ message: TEXT })}` },
    serverMessage: TEXT,
  },
  { name: 'an empty message', body: { message: '  ', detail: TEXT }, serverMessage: TEXT },
  {
    name: 'messages and something else',
    body: { message: [TEXT, 5, null, 'and so am I'] },
    serverMessage: `${TEXT}; and so am I`,
    details: [TEXT, 'and so am I'],
  },
  {
    name: 'a word with a full stop beside a code',
    body: { message: 'E_1', error: 'Forbidden.' },
    serverMessage: 'Forbidden.',
  },
  {
    name: 'an OAuth code between spaces',
    body: { error: ' invalid_grant ', error_description: TEXT },
    serverMessage: TEXT,
    serverCode: 'invalid_grant',
  },
  {
    name: 'errors with a location',
    body: { message: TEXT, errors: [{ loc: ['body', 'amount'], msg: 'no' }] },
    serverMessage: TEXT,
    fieldErrors: [{ field: 'body.amount', message: 'no' }],
  },
  {
    name: 'errors with an object in a path',
    body: { message: TEXT, errors: [{ path: ['a', { key: 'b' }, 1], message: 'no' }] },
    serverMessage: TEXT,
    fieldErrors: [{ field: 'a.1', message: 'no' }],
  },
  {
    name: 'names of fields with slashes, and JSON pointers',
    body: {
      message: TEXT,
      errors: [
        { name: 'a/b', reason: 'no' },
        { name: 'x#/y', reason: 'no' },
        { pointer: '#/a~0b~1c/d', reason: 'no' },
      ],
    },
    serverMessage: TEXT,
    fieldErrors: ['a/b', 'x#/y', 'a~b/c.d'].map((field) => ({ field, message: 'no' })),
  },
  {
    name: 'refused fields without words',
    body: { errors: [{ field: 'amount' }] },
    serverMessage: undefined,
    fieldErrors: [{ field: 'amount', message: '' }],
  },
  {
    name: 'errors with words alone',
    body: { errors: [{ message: TEXT }] },
    serverMessage: TEXT,
    details: [TEXT],
  },
  {
    name: 'one error among other values',
    body: { error: { status: 418 }, errors: [5, null, { field: 'a', message: TEXT }] },
    serverMessage: TEXT,
    fieldErrors: [{ field: 'a', message: TEXT }],
  },
  {
    name: 'errors that say nothing',
    body: { errors: [null, {}, { other: TEXT }] },
    serverMessage: undefined,
    isForm: false,
  },
  {
    name: 'texts of which nothing can be shown',
    body: {
      message: TEXT,
      errors: [{ field: '\u0000', message: '\u0000' }],
      details: ['\u0000', 'one'],
    },
    serverMessage: TEXT,
    details: ['one'],
  },
  {
    name: 'a title beside JSON text in detail',
    type: PROBLEM,
    body: { title: TEXT, detail: text({ status: 418 }) },
    serverMessage: TEXT,
  },
  ...[`x-${PROBLEM}`, `${PROBLEM}-seq`, `${PROBLEM}x; charset=utf-8`].map((type) => ({
    name: `problem details of type ${type}`,
    type,
    body: { type: 'urn:problem:card-sad', title: TEXT },
    serverMessage: TEXT,
    isForm: false,
  })),
];

/** The same form with another text in place of its sentence. */
export function withSentence({ body, ...form }: ErrorForm, sentence: string): ErrorForm {
  const sent = typeof body === 'string' ? body : text(body);
  return { ...form, body: sent.replaceAll(TEXT, sentence) };
}
