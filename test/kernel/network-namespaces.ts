import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import type { CommandPrefix } from './processes.js';
import { Router } from './router.js';
import { run } from './run.js';

/** `ip netns exec NAME` mounts the files of `NAME` in this folder over those of /etc. */
const CONFIG_FOLDER = '/etc/netns';
const NAME_START = 'card-sdk-';
const CLIENT = '10.99.1.2';
const SERVER = '10.99.2.2';
const ROUTER_TO_CLIENT = '10.99.1.1';
const ROUTER_TO_SERVER = '10.99.2.1';

export type Side = 'client' | 'router' | 'server';

let created = 0;

/**
 * Three network namespaces: a client, a server, and a router between them. In the client's
 * namespace, `localhost` is the server, because the client accepts plain http for that name only.
 */
export class NetworkNamespaces {
  readonly #prefix = `${NAME_START}${process.pid}-${++created}`;
  readonly router = new Router(this.#name('router'), SERVER, 'client');
  readonly #removeOnExit = () => this.remove();

  /** Creates the namespaces, and removes all of them if one fails. */
  constructor() {
    process.once('exit', this.#removeOnExit);
    try {
      this.#create();
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  #create(): void {
    for (const side of ['client', 'router', 'server'] as const) {
      run(`ip netns add ${this.#name(side)}`);
      run(`ip -n ${this.#name(side)} link set lo up`);
    }
    this.#join('client', CLIENT, ROUTER_TO_CLIENT);
    this.#join('server', SERVER, ROUTER_TO_SERVER);
    this.setSysctl('router', 'ip_forward', '1');
    this.setSysctl('router', 'icmp_ratelimit', '0');
    const folder = `${CONFIG_FOLDER}/${this.#name('client')}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/hosts`, `${SERVER} localhost\n`);
  }

  #join(side: 'client' | 'server', address: string, gateway: string): void {
    const [end, router] = [this.#name(side), this.#name('router')];
    run(`ip -n ${end} link add uplink type veth peer name ${side} netns ${router}`);
    run(`ip -n ${end} addr add ${address}/24 dev uplink`);
    run(`ip -n ${router} addr add ${gateway}/24 dev ${side}`);
    run(`ip -n ${end} link set uplink up`);
    run(`ip -n ${router} link set ${side} up`);
    run(`ip -n ${end} route add default via ${gateway}`);
  }

  #name(side: Side): string {
    return `${this.#prefix}-${side}`;
  }

  /** Returns the command prefix that runs a command in a namespace. */
  inside(side: Side): CommandPrefix {
    return ['ip', 'netns', 'exec', this.#name(side)];
  }

  /**
   * Sets an IPv4 option in one namespace, if the kernel has it. The setting ends with the
   * namespace.
   */
  setSysctl(side: Side, option: string, value: string): void {
    const [file = '', ...args] = this.inside(side);
    const path = `/proc/sys/net/ipv4/${option}`;
    const script = `test ! -e ${path} || echo "${value}" > ${path}`;
    execFileSync(file, [...args, 'sh', '-c', script], { stdio: 'pipe' });
  }

  /** Removes the route to the server from the client's kernel. */
  removeClientRoute(): void {
    run(`ip -n ${this.#name('client')} route del default`);
  }

  /** Returns how many ICMP "unreachable" messages a kernel has received. */
  unreachablesReceived(side: Side): number {
    const [file = '', ...args] = this.inside(side);
    const table = execFileSync(file, [...args, 'cat', '/proc/net/snmp'], { encoding: 'utf8' });
    const [names, values] = table
      .split('\n')
      .filter((line) => line.startsWith('Icmp:'))
      .map((line) => line.split(' '));
    const received = Number(values?.[names?.indexOf('InDestUnreachs') ?? -1]);
    if (Number.isNaN(received)) throw new Error('/proc/net/snmp does not count InDestUnreachs');
    return received;
  }

  /** Returns the number of bytes in the queues of each established connection. */
  connections(side: 'client' | 'server'): { unread: number; unacknowledged: number }[] {
    const lines = run(`ss -N ${this.#name(side)} -tnH state established`).split('\n');
    return lines
      .filter((line) => line.trim() !== '')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .map(([unread = 0, unacknowledged = 0]) => ({ unread, unacknowledged }));
  }

  /** Removes everything. The processes inside must have ended. */
  remove(): void {
    process.off('exit', this.#removeOnExit);
    removeNamespaces((name) => name.startsWith(`${this.#prefix}-`));
  }
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Removes the namespaces that a killed run left behind. */
export function removeAbandonedNamespaces(): void {
  removeNamespaces((name) => !isRunning(Number(name.slice(NAME_START.length).split('-')[0])));
}

function removeNamespaces(isMeant: (name: string) => boolean): void {
  const lines = run('ip netns list').split('\n');
  const ours = lines
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => name.startsWith(NAME_START));
  for (const name of ours.filter(isMeant)) {
    run(`ip netns del ${name}`);
    rmSync(`${CONFIG_FOLDER}/${name}`, { recursive: true, force: true });
  }
  if (existsSync(CONFIG_FOLDER) && readdirSync(CONFIG_FOLDER).length === 0)
    rmdirSync(CONFIG_FOLDER);
}
