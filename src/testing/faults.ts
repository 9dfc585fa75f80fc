import type { MockResponse } from './behaviour.js';

/** When the connection of a request breaks. */
export type DropMoment = 'before-processing' | 'after-processing' | 'refused';

/** A status with which the contract, or the network in front of the service, refuses. */
export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 409
  | 422
  | 429
  | 498
  | 499
  | 500
  | 502
  | 503
  | 504;

/** Any other status, on purpose. */
export type StrangeStatus = { status: number; outsideContract: true };

/** How a request fails: a status, or the body with which the service refuses under 200. */
export type Failure = ErrorStatus | StrangeStatus | { success: false };

/**
 * The status of a failure, and its body where it has one of its own.
 *
 * @throws TypeError for a status that HTTP cannot carry
 */
export function statusOf(failure: Failure): { status: number; body?: unknown } {
  if (typeof failure === 'object' && !('status' in failure)) return { status: 200, body: failure };
  const status = typeof failure === 'object' ? failure.status : failure;
  if (Number.isInteger(status) && status >= 200 && status <= 599) return { status };
  throw new TypeError('status must be a whole number from 200 to 599');
}

/** How many requests a fault meets, and what it says. */
export type FaultOptions = {
  /** Requests that it meets. Default 1. */
  times?: number | undefined;
  /** JSON body of the answer; a text is sent as it is. */
  body?: unknown;
  headers?: Readonly<Record<string, string>> | undefined;
};

/** What goes wrong. */
export type Fault =
  | { kind: 'answer'; answer: MockResponse; left: number }
  | { kind: 'drop'; moment: DropMoment; left: number };

/** The faults that a test has planned, by endpoint id; `*` stands for every endpoint. */
export class Faults {
  readonly #planned = new Map<string, Fault[]>();

  /** Plans a fault after those that are planned already. */
  plan(endpointId: string, fault: Fault): void {
    this.#planned.set(endpointId, [...(this.#planned.get(endpointId) ?? []), fault]);
  }

  /** The fault that this request meets, if any. */
  take(endpointId: string): Fault | undefined {
    for (const key of [endpointId, '*']) {
      const fault = this.#planned.get(key)?.find(({ left }) => left > 0);
      if (fault === undefined) continue;
      fault.left--;
      return fault;
    }
    return undefined;
  }

  /** Forgets all faults. */
  clear(): void {
    this.#planned.clear();
  }
}

const SYSTEM_CALLS = { ECONNRESET: 'read', ECONNREFUSED: 'connect' } as const;

/**
 * The error of a connection that broke, as Node's `fetch` throws it. The system call is part of it:
 * it alone proves that a refused connection carried nothing.
 */
export function connectionError(code: keyof typeof SYSTEM_CALLS): TypeError {
  const syscall = SYSTEM_CALLS[code];
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  return new TypeError('fetch failed', { cause });
}
