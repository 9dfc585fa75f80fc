import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ClientJob, ClientReport, ServerEvent, ServerJob } from './messages.js';
import { waitUntil } from './wait.js';

/** The prefix of a command, such as `ip netns exec NAME`. */
export type CommandPrefix = readonly string[];

function start(script: string, prefix: CommandPrefix): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const [command = '', ...args] = [...prefix, process.execPath, '--import', 'tsx', path];
  // A proxy of the machine would stand between the client and the server.
  const { NODE_OPTIONS: _, ...env } = process.env;
  return spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env });
}

/** Kills a process and waits until all its messages have been read. */
async function kill(child: ChildProcess): Promise<void> {
  const hasExited = child.exitCode !== null || child.signalCode !== null;
  const exited = hasExited || new Promise((resolve) => child.once('exit', resolve));
  const drained = !child.connected || new Promise((resolve) => child.once('disconnect', resolve));
  child.kill('SIGKILL');
  await Promise.all([exited, drained]);
}

/** A process that makes the calls of one job. Start it early to save time. */
export class ClientProcess {
  readonly #child: ChildProcess;

  constructor(prefix: CommandPrefix = []) {
    this.#child = start('client-script.ts', prefix);
  }

  /** Makes the calls and returns their results. */
  run(job: ClientJob): Promise<ClientReport> {
    return new Promise((resolve, reject) => {
      this.#child.once('message', (report) => resolve(report as ClientReport));
      this.#child.once('exit', () => reject(new Error('the client process ended early')));
      this.#child.send(job);
    });
  }

  stop(): Promise<void> {
    return kill(this.#child);
  }
}

/** A server in a process of its own. */
export class ServerProcess {
  /** The number of complete requests by the value of `x-case`. */
  readonly requests = new Map<string, number>();
  connections = 0;
  port = 0;
  readonly #child: ChildProcess;

  constructor(prefix: CommandPrefix = []) {
    this.#child = start('server-script.ts', prefix);
    this.#child.on('message', (event) => this.#record(event as ServerEvent));
  }

  #record(event: ServerEvent): void {
    if (event.type === 'listening') this.port = event.port;
    else if (event.type === 'connection') this.connections++;
    else this.requests.set(event.name, (this.requests.get(event.name) ?? 0) + 1);
  }

  /** The number of all complete requests. */
  get requestCount(): number {
    return [...this.requests.values()].reduce((sum, count) => sum + count, 0);
  }

  async listen(job: ServerJob): Promise<void> {
    this.#child.send(job);
    await waitUntil('the server listens', () => this.port !== 0);
  }

  /** Kills the process as a crash would. Its kernel closes the connections. */
  kill(): Promise<void> {
    return kill(this.#child);
  }
}
