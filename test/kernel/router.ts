import { run } from './run.js';

/** The behaviour of the router for packets to the server. */
export type RouteFailure =
  /** ICMP host unreachable. */
  | 'host unreachable'
  /** ICMP net unreachable. */
  | 'net unreachable'
  /** ICMP port unreachable, which a firewall rule with REJECT sends. */
  | 'port unreachable'
  /** An RST that the firewall creates. */
  | 'reset'
  /** The packets are dropped. */
  | 'silence';

const ROUTE_TYPES: Partial<Record<RouteFailure, string>> = {
  'host unreachable': 'unreachable',
  'net unreachable': 'throw',
  silence: 'blackhole',
};

const REJECTIONS: Partial<Record<RouteFailure, string>> = {
  'port unreachable': 'icmp port-unreachable',
  reset: 'tcp reset',
};

/** The failures that need `nft`. */
export const FIREWALL_FAILURES: ReadonlySet<string> = new Set(Object.keys(REJECTIONS));

/** Lets the router between the client and the server fail. */
export class Router {
  readonly #namespace: string;
  readonly #server: string;
  /** The router's interface to the client. */
  readonly #interface: string;

  constructor(namespace: string, server: string, toClient: string) {
    this.#namespace = namespace;
    this.#server = server;
    this.#interface = toClient;
  }

  /** Makes all further packets to the server fail. */
  fail(failure: RouteFailure): void {
    const type = ROUTE_TYPES[failure];
    if (type !== undefined) {
      run(`ip -n ${this.#namespace} route replace ${type} ${this.#server}/32`);
      return;
    }
    this.#nft('add table ip guard');
    this.#nft('add chain ip guard pass { type filter hook forward priority 0 ; }');
    const packets = `ip daddr ${this.#server} ip protocol tcp`;
    this.#nft(`add rule ip guard pass ${packets} reject with ${REJECTIONS[failure]}`);
  }

  restore(failure: RouteFailure): void {
    if (FIREWALL_FAILURES.has(failure)) this.#nft('delete table ip guard');
    else run(`ip -n ${this.#namespace} route flush root ${this.#server}/32`);
  }

  #nft(command: string): void {
    run(`ip netns exec ${this.#namespace} nft ${command}`);
  }

  /**
   * Drops all packets from the server except SYN-ACK and RST. Connections are established and the
   * server receives requests, but the client's kernel never learns that they arrived.
   */
  dropServerSegments(): void {
    const tc = (command: string) => run(`tc -n ${this.#namespace} ${command}`);
    const device = `dev ${this.#interface}`;
    tc(`qdisc add ${device} root handle 1: htb default 1 r2q 100000`);
    tc(`class add ${device} parent 1: classid 1:1 htb rate 10gbit quantum 60000`);
    tc(`class add ${device} parent 1: classid 1:2 htb rate 10gbit quantum 60000`);
    tc(`qdisc add ${device} parent 1:2 handle 2: pfifo limit 0`);
    // Byte 33 of an IPv4 packet without options holds the TCP flags; 0x06 is SYN and RST.
    const segment = 'match ip protocol 6 0xff match u8 0x00 0x06 at 33';
    tc(`filter add ${device} parent 1: protocol ip u32 ${segment} flowid 1:2`);
  }
}
