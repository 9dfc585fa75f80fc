import type { FetchFunction } from '../../src/transport/adapters/choose-adapter.js';
import { WORLD } from '../engine/scheduler.js';
import { bodyOf } from './body.js';
import { bytesOf, parsed, textOf } from './bytes.js';
import { type Delivery, drawDelivery, isFailureOfService } from './delivery.js';
import type { Call } from './ledger.js';
import type { Process } from './process.js';
import type { World } from './world.js';

/** The header by which the ledger match a request to its call. */
export const CALL_HEADER = 'x-sim-call';

/** A request as a server receives it. */
export type Incoming = { url: string; method: string; headers: Headers; body: string };
/** A complete response. */
export type Outgoing = { status: number; headers: Headers; bytes: Uint8Array };
/** A server; `undefined` while it is down. */
export type Server = ((request: Incoming) => Promise<Outgoing>) | undefined;

function connectionError(code: 'ECONNREFUSED' | 'ECONNRESET'): TypeError {
  const syscall = code === 'ECONNREFUSED' ? 'connect' : 'read';
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  return new TypeError('fetch failed', { cause });
}

function isSuccess({ status, bytes }: Outgoing): boolean {
  return status < 300 && !textOf(bytes).includes('"success":false');
}

/** The response that a proxy or firewall sends in place of the real one. */
function responseTo(
  delivery: Delivery,
  request: Incoming,
  received: Outgoing | undefined,
): Outgoing | undefined {
  const forged = delivery.forged?.(request);
  const isKept = delivery.isOfSuccess === true && received !== undefined && !isSuccess(received);
  if (forged === undefined || isKept) return received;
  const headers = new Headers([['content-type', forged.type], ...(forged.headers ?? [])]);
  return { status: forged.status, headers, bytes: bytesOf(forged.body) };
}

/**
 * Notes that an application may send a refresh token again that the service has accepted: it was
 * answered in the words of the service that it failed. A page or a lost response excuses nothing.
 */
function excuse({ ledger }: World, { body }: Incoming): void {
  ledger.usedRefreshTokens.delete(String(parsed(bytesOf(body))['refresh_token']));
}

/** One request and its response. */
class Exchange {
  readonly #world: World;
  readonly #process: Process;
  readonly #call: Call | undefined;
  readonly #delivery: Delivery;
  #isOpen = true;
  #settle: { resolve: (response: Response) => void; reject: (error: unknown) => void } | undefined;

  constructor(world: World, process: Process, call: Call | undefined, delivery: Delivery) {
    this.#call = call;
    this.#world = world;
    this.#process = process;
    this.#delivery = delivery;
    world.ledger.openExchanges++;
    process.onEnd(() => this.close());
  }

  close(): void {
    if (this.#isOpen) this.#world.ledger.openExchanges--;
    this.#isOpen = false;
  }

  fail(error: unknown): void {
    this.close();
    if (this.#process.isAlive) this.#settle?.reject(error);
  }

  /** Sends the request. The server processes it even if the caller has stopped waiting. */
  send(
    server: () => Server,
    request: Incoming,
    signal: AbortSignal,
    onDown: () => void,
  ): Promise<Response> {
    const { scheduler } = this.#world;
    const { there, back, isProcessed, ends, isRepeated } = this.#delivery;
    const result = new Promise<Response>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    const abort = () => this.fail(signal.reason);
    signal.addEventListener('abort', abort);
    const later = (ms: number, run: () => void) => scheduler.after(ms, WORLD, run);
    if (ends === 'refused') {
      later(there, () => this.fail(connectionError('ECONNREFUSED')));
      return result;
    }
    const handle = async (): Promise<Outgoing | undefined> => {
      const up = server();
      if (up === undefined) {
        onDown();
        this.fail(connectionError('ECONNREFUSED'));
        return undefined;
      }
      return isProcessed ? up(request).catch(() => undefined) : undefined;
    };
    if (isRepeated === true) later(there * 3 + 40, () => void handle());
    later(there, async () => {
      const received = await handle();
      const response = responseTo(this.#delivery, request, received);
      if (ends === 'silence') return;
      if (ends === 'reset' || response === undefined) {
        later(back, () => this.fail(connectionError('ECONNRESET')));
        return;
      }
      later(back, () => this.#deliver(response, request, signal, abort));
    });
    return result;
  }

  #deliver(
    { status, headers, bytes }: Outgoing,
    request: Incoming,
    signal: AbortSignal,
    abort: () => void,
  ): void {
    if (!this.#isOpen || !this.#process.isAlive) return;
    const { forged } = this.#delivery;
    if (forged !== undefined && isFailureOfService(forged(request))) excuse(this.#world, request);
    const isDone = isSuccess({ status, headers, bytes });
    const { body: fault } = this.#delivery;
    const isWholeSuccess = forged === undefined && fault === undefined && isDone;
    const body = bodyOf(bytes, fault, {
      sleep: (ms) => this.#world.scheduler.sleep(ms, this.#process),
      signal,
      brokenBy: () => connectionError('ECONNRESET'),
      onEnd: () => {
        signal.removeEventListener('abort', abort);
        this.close();
      },
    });
    // A response that a proxy has received does not always reach the page.
    if (this.#call?.process === this.#process) this.#call.hasSuccess = isWholeSuccess;
    if (status === 401) this.#process.machine.refusedAt = this.#world.now;
    this.#settle?.resolve({ status, headers, body, redirected: false } as unknown as Response);
  }
}

/**
 * The `fetch` of a process, to one server. Each request has a delivery of its own.
 *
 * @param origin - of the server; a request to any other place is reported
 */
export function openNetwork(
  world: World,
  process: Process,
  origin: string,
  server: () => Server,
): FetchFunction {
  const random = world.random.fork(`network ${process.name} ${world.scheduler.now}`);
  return (url, init) => {
    const headers = new Headers(init.headers);
    const call: Call | undefined = world.ledger.callOf(headers.get(CALL_HEADER));
    if (!process.isAlive) return new Promise(() => {});
    if (!url.startsWith(`${origin}/`)) {
      world.claim('goes-nowhere-else', `a request to ${new URL(url).origin}`);
    }
    const method = String(init.method);
    const [path = ''] = url.slice(origin.length).split('?');
    const delivery = drawDelivery(world, random, { call, method, path });
    world.ledger.requests++;
    if (call?.process === process) call.hasSuccess = false;
    if (call !== undefined && delivery.ends !== 'refused') {
      if (origin === world.mock.baseUrl) call.sent++;
      else {
        call.sentToProxy++;
        if (delivery.isRepeated) call.repeatedToProxy++;
      }
    }
    world.happen({ kind: 'sent', call, process, url, headers });
    world.note(`${process.name} ${method} ${path} ${delivery.ends}`);
    const body = typeof init.body === 'string' ? init.body : '';
    const signal = init.signal ?? new AbortController().signal;
    const request = { url, method, headers, body };
    const onDown = () => {
      if (call !== undefined) call.sentToProxy--;
    };
    return new Exchange(world, process, call, delivery).send(server, request, signal, onDown);
  };
}
