import type { ClientJob, ClientReport, ServerBehaviour } from './messages.js';
import { NetworkNamespaces } from './network-namespaces.js';
import { ClientProcess, ServerProcess } from './processes.js';
import { waitUntil } from './wait.js';

const PORT = 4_000;

/** The options of a call that a scenario sets. All others have defaults. */
export type ScenarioJob = Omit<ClientJob, 'baseUrl'> & { protocol?: 'http' | 'https' };

/** A client and a server in network namespaces of their own. */
export class Scenario {
  readonly network = new NetworkNamespaces();
  readonly #servers: ServerProcess[] = [];
  readonly #clients: ClientProcess[] = [];

  /** Starts a server process that does not listen yet. */
  prepareServer(): ServerProcess {
    const server = new ServerProcess(this.network.inside('server'));
    this.#servers.push(server);
    return server;
  }

  async startServer(
    behaviour: ServerBehaviour,
    server = this.prepareServer(),
  ): Promise<ServerProcess> {
    await server.listen({ host: '0.0.0.0', port: PORT, behaviour });
    return server;
  }

  /** Makes calls from the client's namespace. */
  run({ protocol = 'http', ...job }: ScenarioJob): Promise<ClientReport> {
    const client = new ClientProcess(this.network.inside('client'));
    this.#clients.push(client);
    return client.run({ ...job, baseUrl: `${protocol}://localhost:${PORT}` });
  }

  /** Stops the servers and returns the final number of complete requests. */
  async finalRequestCount(): Promise<number> {
    await Promise.all(this.#servers.map((server) => server.kill()));
    return this.requestCount;
  }

  /** The number of complete requests that all servers have read so far. */
  get requestCount(): number {
    return this.#servers.reduce((sum, server) => sum + server.requestCount, 0);
  }

  /** Waits until the servers have read one more request. */
  nextRequest(count = this.requestCount + 1): Promise<void> {
    return waitUntil(`request ${count} arrives`, () => this.requestCount >= count);
  }

  /** Stops the processes and removes the namespaces. */
  async stop(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.stop()));
    await Promise.all(this.#servers.map((server) => server.kill()));
    this.network.remove();
  }
}
