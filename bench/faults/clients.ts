import { readFileSync } from 'node:fs';

/** A client library under test. Only child processes load its module. */
export type Client = {
  name: string;
  /** The file in `clients/` without its extension. */
  module: string;
  /** The folder of its `package.json`, relative to this one. */
  folder: string;
  /** Its POST in the table. */
  post: string;
  /** Its GET in the table. */
  get: string;
};

const peer = (name: string, post: string, get: string): Client => {
  return { name, module: name, folder: `../node_modules/${name}/`, post, get };
};

/** The clients in the order of the table, with ours first. */
export const CLIENTS: readonly Client[] = [
  {
    name: 'this client',
    module: 'ours',
    folder: '../../',
    post: 'wallets.credit.withdraw',
    get: 'card.status',
  },
  peer('stripe', 'transfers.create', 'balance.retrieve'),
  peer('lithic', 'bookTransfers.create', 'cards.retrieve'),
  peer('openai', 'chat.completions.create', 'models.retrieve'),
];

/** Returns the installed version of a client. */
export function versionOf({ folder }: Client): string {
  const file = new URL(`${folder}package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
