import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

/** Values that must not appear in an error or at another origin. No other text contains them. */
export const SECRETS = {
  key: 'sk_test_CANARYkey0123456789abcdef',
  accessToken: 'CANARYaccessToken0123456789abcdef',
  password: 'CANARYpassword0123456789abcdef',
} as const;

/** A POST that moves money, a GET, and a POST with a password in its body. */
export const CALLS = ['money', 'read', 'login'] as const;
export type Call = (typeof CALLS)[number];

/** The result of a call, or of the start of the process. */
export type End =
  | { kind: 'ready' | 'resolved' | 'waiting' | 'crashed' }
  | { kind: 'rejected'; name: string; isTyped: boolean; outcome?: string; leaked: string[] };

/**
 * Milliseconds for one attempt: the only option besides address and key that every client receives.
 */
export const TIMEOUT_MS = 1_000;

/** Three attempts and the waits between them need less than five seconds. */
export const LIMIT_MS = 8_000;

const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));

/**
 * A client library in a process of its own, so that it can hang or crash without stopping the rest.
 */
export class ClientProcess {
  readonly #child: ChildProcess;
  /** The output of the process since the last call began. */
  #printed = '';
  #isUsable = true;

  private constructor(client: Client, certificateFile: string) {
    // Passes nothing else of the environment, because the libraries read keys, addresses and log
    // levels from it.
    const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificateFile };
    this.#child = fork(CHILD, [client.module], { env, execArgv: [], silent: true });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#printed += chunk.toString();
      });
    }
    this.#child.once('exit', () => {
      this.#isUsable = false;
    });
  }

  static async start(client: Client, certificateFile: string): Promise<ClientProcess> {
    const started = new ClientProcess(client, certificateFile);
    const ready = await started.#next(30_000);
    if (ready.kind !== 'ready')
      throw new Error(`${client.name} did not load:\n${started.#printed}`);
    return started;
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Makes one call, and kills the process when the call hangs. */
  async run(call: Call, baseUrl: string): Promise<{ end: End; printed: string }> {
    this.#printed = '';
    this.#child.send({ call, baseUrl, timeout: TIMEOUT_MS, secrets: SECRETS });
    const end = await this.#next(LIMIT_MS);
    if (end.kind === 'waiting') this.stop();
    return { end, printed: this.#printed };
  }

  /** Returns the next message, or the event that occurred in its place. */
  async #next(limitMs: number): Promise<End> {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(), limitMs);
    try {
      return await Promise.race([
        once(this.#child, 'message', { signal }).then(([message]) => message as End),
        once(this.#child, 'close', { signal }).then((): End => ({ kind: 'crashed' })),
      ]);
    } catch {
      return { kind: 'waiting' };
    } finally {
      clearTimeout(timer);
      controller.abort();
    }
  }

  stop(): void {
    this.#isUsable = false;
    this.#child.kill('SIGKILL');
  }
}
