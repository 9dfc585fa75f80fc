import { readFileSync } from 'node:fs';

/** A client library that meets the faults. Only child processes load its module. */
export type Client = {
  name: string;
  /** File in `clients/`, without its ending. */
  module: string;
  /** Folder of its `package.json`, from this one. */
  folder: string;
  /** Its POST of the table. */
  post: string;
  /** Its GET of the table. */
  get: string;
};

const peer = (name: string, post: string, get: string): Client => {
  return { name, module: name, folder: `../node_modules/${name}/`, post, get };
};

/** This client first. */
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

/** The version of a client that is installed. */
export function versionOf({ folder }: Client): string {
  const file = new URL(`${folder}package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
