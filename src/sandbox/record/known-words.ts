import type { Endpoint } from '../../contract/endpoint.js';
import { ENDPOINTS } from '../../contract/endpoints.js';
import { LISTS } from '../../contract/lists.js';
import { OBSERVED_CALLS } from './routes.js';
import { ERROR_SCHEMAS, wordsIn, zodOf } from './schema-parts.js';

/** Names of fields that are in no schema: keys of free-form metadata and of maps. */
const MORE_NAMES = `secretKey usdt ipAddress userAgent clientId version`;

/** Values of the service that are words, beyond those in the schemas. They cannot be secrets. */
const VALUES = `INACTIVE completed processing failed international
  sol xrp btc USDC USDT SOL ETH XRP BTC USD EUR GBP usd eur gbp
  GET POST PUT PATCH DELETE true false Bearer
  kyc.status.changed card.activated transaction.cleared card.* kyc.* transaction.* *`;

/** Further words that the names of new fields and paths may consist of. */
const MORE_WORDS = `abort accept accepted account accounts action active actual add added admin after
  agreement alert alias all allowed amounts api app application approval archived attempt attempts
  auth authorization authorized auto available avatar average bank base batch before begin benefit
  bin body bonus brand cancel cancelled cardholder cards cashback categories category channel
  charge check checked city claim claimed client close closed code codes color colour complete
  config configuration confirm contact content contract country created credits cursor custom
  customer daily day days default delete deleted delivery deposit description detail device digital
  disabled display document due duration earned effective eligible enable enabled end ended entries
  entry exchange expire expired expires expiry external extra feature file filter final first flag
  flags format forward from full gateway group hash hidden history hold holder icon image index
  info initial instant invite issued issuer item items job key kind label language last latest
  level limits line link links list loan locale location locked login lookup main map masked max
  maximum merchant meta min minimum mobile mode model month monthly more new next note notes
  notification number object of old open option options order orders origin original other owner
  package page pages parent partner pay payment payments payout pending percent percentage period
  phase phone physical pin plan platform points policy position postal preference previous
  primary priority product products profile program progress promo provider provisioned public
  purchase quantity query quota quote rate rates reason received recent reference refund refresh
  region registered remaining renew request requested required reset resource response result
  results retry reward rewards role rule rules schedule scheme scope score search second section
  security send sender sent sequence service session set settings settled settlement shipping show
  size slug sort source spend spending spent stage start started state statement statuses step
  store street sub subject submitted subscription subtotal success summary support suspended swap
  system tag tags target tax tenant term terms test text tier tiers time times title to token
  tokens top topup total totals tracking transaction transactions transfer transfers trial type
  types unit units update updated usage used user users valid value values verification verified
  verify version view virtual visible wallet wallets week weekly withdrawal withdrawals year zone`;

const split = (text: string) => text.split(/\s+/).filter(Boolean);

/** Splits `cardAddedToWallet`, `event_types` or `x-us-env` into words in lower case. */
function partsOf(name: string): string[] {
  return split(name.replace(/([a-z\d])(?=[A-Z])/g, '$1 ').replace(/[_-]+/g, ' ')).map((part) =>
    part.toLowerCase(),
  );
}

function readContract() {
  // The words are no secret, so a recording without the observed calls may know theirs too.
  const endpoints: readonly Endpoint[] = [...ENDPOINTS, ...OBSERVED_CALLS];
  const schemas = endpoints.flatMap(({ input, responses }) => [
    input,
    ...Object.values(responses).map(({ promise }) => promise),
  ]);
  const inSchemas = [...schemas, ...ERROR_SCHEMAS].flatMap((schema) => {
    const zod = zodOf(schema);
    return zod === undefined ? [] : wordsIn(zod);
  });
  const inNames = endpoints.flatMap(({ query = [], secrets, wireNames = {}, path }) => [
    ...query,
    ...secrets.flatMap((one) => one.split('.')),
    ...Object.values(wireNames),
    ...path.split('/').filter((segment) => !segment.startsWith('{')),
  ]);
  const names = new Set([...inSchemas, ...inNames, ...split(MORE_NAMES)]);
  const parts = new Set([...[...names].flatMap(partsOf), ...split(MORE_WORDS)]);
  const values = new Set([...inSchemas, ...Object.values(LISTS).flat(), ...split(VALUES)]);
  return { names, parts, values };
}

let read: ReturnType<typeof readContract> | undefined;

/** The words that the contract and the observed calls know, read from the schemas on first use. */
function contract() {
  read ??= readContract();
  return read;
}

/** Whether the contract, or a type of this package, has a field of this name anywhere. */
export const isKnownField = (name: string): boolean => contract().names.has(name);

/** Whether a text is a value that the contract lists, such as `ACTIVE`. */
export const isKnownValue = (text: string): boolean => contract().values.has(text);

const NAME = /^(?:v\d|\$?[A-Za-z]+\d?(?:[_-][A-Za-z]+\d?)*)$/;
const LONGEST_NAME = 60;

/**
 * Whether the name of an unknown field or path can be shown: it is made of words that are known. A
 * key of JSON and a part of a path may be as secret as any value.
 */
export function isHarmlessName(name: string): boolean {
  if (isKnownField(name)) return true;
  if (name.length > LONGEST_NAME || !NAME.test(name)) return false;
  return partsOf(name).every((part) => contract().parts.has(part.replace(/\d$/, '')));
}
