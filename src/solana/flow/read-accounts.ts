import {
  type AddressObject,
  addressObject,
  type SolanaAccountInfo,
  type SolanaCommitment,
  type SolanaConnection,
  type SolanaReader,
} from '../connection.js';
import { checkAccounts } from './node-responses.js';

/** A connection that reads accounts, several with one request if it can. */
export type SolanaAccountReader = SolanaReader & Pick<SolanaConnection, 'getMultipleAccountsInfo'>;

/** How many accounts a node returns for one request. */
const MAX_ACCOUNTS = 100;

/** Reads accounts in the given order, with one request for each 100 where the connection can. */
export async function readAccounts(
  connection: SolanaAccountReader,
  addresses: readonly string[],
  commitment: SolanaCommitment,
): Promise<(SolanaAccountInfo | null)[]> {
  const objects = addresses.map(addressObject);
  if (connection.getMultipleAccountsInfo === undefined) {
    const one = (object: AddressObject) => connection.getAccountInfo(object, commitment);
    return checkAccounts(await Promise.all(objects.map(one)), objects.length);
  }
  const found: (SolanaAccountInfo | null)[] = [];
  for (let from = 0; from < objects.length; from += MAX_ACCOUNTS) {
    const some = objects.slice(from, from + MAX_ACCOUNTS);
    const infos = await connection.getMultipleAccountsInfo(some, commitment);
    found.push(...checkAccounts(infos, some.length));
  }
  return found;
}
