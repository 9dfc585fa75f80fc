import { nearestName } from './nearest-name.js';

/**
 * What other programs call an option, in lower case without separators, and its names here. The first
 * one that the object has is meant.
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  apikey: ['clientKey', 'credentials.clientKey'],
  publickey: ['clientKey', 'credentials.clientKey'],
  publishablekey: ['clientKey', 'credentials.clientKey'],
  clientkey: ['clientKey', 'credentials.clientKey'],
  clientid: ['clientId', 'credentials.clientId'],
  secret: ['secretKey', 'credentials.secretKey'],
  apisecret: ['secretKey', 'credentials.secretKey'],
  secretkey: ['secretKey', 'credentials.secretKey'],
  creds: ['credentials'],
  auth: ['credentials', 'accessToken'],
  token: ['accessToken'],
  bearer: ['accessToken'],
  bearertoken: ['accessToken'],
  authtoken: ['accessToken'],
  apitoken: ['accessToken'],
  url: ['baseUrl', 'public-url'],
  host: ['baseUrl', 'listen'],
  endpoint: ['baseUrl'],
  apiurl: ['baseUrl'],
  apibase: ['baseUrl'],
  environment: ['baseUrl'],
  maxretries: ['retry.maxRetries'],
  retries: ['retry.maxRetries'],
  maxnetworkretries: ['retry.maxRetries'],
  timeoutms: ['timeout'],
  requesttimeout: ['timeout'],
  deadline: ['totalTimeout'],
  now: ['clock', 'startsAt'],
  clock: ['startsAt'],
  time: ['clock', 'startsAt'],
  date: ['startsAt'],
  systemtime: ['startsAt'],
  fetchfn: ['fetch'],
  fetcher: ['fetch'],
  httpclient: ['fetch'],
  httpagent: ['agent'],
  httpsagent: ['agent'],
  defaultheaders: ['headers'],
  strict: ['responseValidation'],
  validate: ['responseValidation'],
  storage: ['store'],
  database: ['store'],
  storagekey: ['key'],
  refresh: ['renew'],
  refreshtoken: ['renew'],
  refreshbefore: ['renewBefore'],
  webhookurl: ['webhookFetch', 'webhooks-to'],
  webhooks: ['webhookFetch', 'webhooks-to'],
  onunhandledrequest: ['onUnhandled'],
  wallet: ['wallets'],
  internalwallets: ['wallets'],
  creditwallet: ['creditBalance'],
  status: ['card', 'verificationState'],
  balance: ['creditBalance'],
  isverified: ['verified'],
  getsession: ['session'],
  user: ['session'],
  operations: ['allow'],
  allowlist: ['allow'],
  allowedorigins: ['origins'],
  origin: ['origins', 'allow-origin'],
  cors: ['origins', 'allow-origin'],
  path: ['basePath'],
  prefix: ['basePath'],
  mountpath: ['basePath'],
  bodylimit: ['maxBodyBytes'],
  maxbodysize: ['maxBodyBytes'],
  onerror: ['onFailure'],
  platform: ['client'],
  chain: ['network'],
  privatekey: ['seed'],
  bind: ['listen'],
  tls: ['https'],
  cert: ['tls-cert'],
};

/** Options that this package has in another place, or for a reason not at all. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  users: 'Add users with users.add of the mock platform.',
  settletime: 'Pass settleTime to reconcile or recover of the journal.',
  headers: 'Pass headers to a call, or set them in middleware.',
  defaultheaders: 'Pass headers to a call, or set them in middleware.',
  idempotencykey:
    'The service has no idempotency key. Use a journal, which looks up what became of a request.',
};

/** A name that differs from the nearest one in more than this share of its letters is no misspelling. */
const MOST_LETTERS_WRONG = 0.4;
/** A longer list of names helps nobody. */
const MOST_NAMES_SHOWN = 30;

function entryOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  const plain = name.toLowerCase().replace(/[^a-z]/g, '');
  return Object.hasOwn(record, plain) ? record[plain] : undefined;
}

/** Swapped letters are the most common misspelling. */
const sortLetters = (name: string): string => [...name.toLowerCase()].sort().join('');

/** Returns the option that the caller probably means. */
export function meantOption(name: string, names: readonly string[]): string | undefined {
  const others = entryOf(OTHER_NAMES, name) ?? [];
  const other = others.find((one) => names.some((known) => known === one.split('.')[0]));
  if (other !== undefined) return other;
  const plain = name.replace(/_/g, '');
  const sorted = sortLetters(plain);
  return (
    names.find((known) => sortLetters(known) === sorted) ??
    nearestName(plain, names, MOST_LETTERS_WRONG)
  );
}

/** An option that an object does not have. */
type UnknownOption = {
  /** The option with its path. `an option` when its name may hold a value in the wrong place. */
  readonly shown: string;
  /** The mistake and what is probably meant, in sentences. */
  readonly message: string;
};

/**
 * Describes an option that does not exist: what the caller probably means, where this package has it,
 * or which options there are.
 */
export function describeUnknownOption(
  name: string,
  names: readonly string[],
  prefix = '',
): UnknownOption {
  const shown = /^[A-Za-z][A-Za-z.]{0,39}$/.test(name) ? `${prefix}${name}` : 'an option';
  const meant = meantOption(name, names);
  const isListed = names.length <= MOST_NAMES_SHOWN;
  const list = isListed ? `The options are ${[...names].sort().join(', ')}.` : '';
  const advice =
    meant === undefined ? (entryOf(ELSEWHERE, name) ?? list) : `Did you mean ${prefix}${meant}?`;
  return { shown, message: `${shown} is not a known option. ${advice}`.trim() };
}
