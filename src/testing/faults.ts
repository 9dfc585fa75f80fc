import type { MockResponse } from './behaviour.js';

/** When the connection of a request breaks. */
export type DropMoment = 'before-processing' | 'after-processing' | 'refused';

/** An error status of the contract, or of a proxy in front of the service. */
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

/** Any other status, requested explicitly. */
export type UndocumentedStatus = { status: number; isUndocumented: true };

/** How a request fails: a status, or the body of a refusal with status 200. */
export type Failure = ErrorStatus | UndocumentedStatus | { success: false };

/**
 * Returns the status of a failure, and its body where the failure defines one.
 *
 * @throws TypeError for a status that HTTP cannot carry
 */
export function statusOf(failure: Failure): { status: number; body?: unknown } {
  if (typeof failure === 'object' && !('status' in failure)) return { status: 200, body: failure };
  const status = typeof failure === 'object' ? failure.status : failure;
  if (Number.isInteger(status) && status >= 200 && status <= 599) return { status };
  throw new TypeError('status must be a whole number from 200 to 599');
}

/** Options of `fail`. */
export type FaultOptions = {
  /** How many requests fail. Default 1. */
  times?: number | undefined;
  /** JSON body of the response; a string is sent unchanged. Default: the documented body. */
  body?: unknown;
  headers?: Readonly<Record<string, string>> | undefined;
};

/** A planned fault. */
export type Fault =
  | { kind: 'response'; response: MockResponse; remaining: number }
  | { kind: 'drop'; moment: DropMoment; remaining: number };

/** The planned faults, by endpoint id; `*` stands for every endpoint. */
export class Faults {
  readonly #planned = new Map<string, Fault[]>();

  /** Adds a fault after those already planned. */
  plan(endpointId: string, fault: Fault): void {
    this.#planned.set(endpointId, [...(this.#planned.get(endpointId) ?? []), fault]);
  }

  /** Returns the fault for this request, if any, and counts it as used. */
  take(endpointId: string): Fault | undefined {
    for (const key of [endpointId, '*']) {
      const fault = this.#planned.get(key)?.find(({ remaining: left }) => left > 0);
      if (fault === undefined) continue;
      fault.remaining--;
      return fault;
    }
    return undefined;
  }

  /** Removes all faults. */
  clear(): void {
    this.#planned.clear();
  }
}

/** Applies a planned fault to a request. Runs `process` when the request reaches the platform. */
export async function applyFault(
  fault: Fault | undefined,
  process: () => Promise<MockResponse>,
): Promise<MockResponse> {
  if (fault?.kind === 'response') return fault.response;
  if (fault?.moment === 'refused') throw connectionError('ECONNREFUSED');
  if (fault?.moment === 'before-processing') throw connectionError('ECONNRESET');
  const response = await process();
  if (fault !== undefined) throw connectionError('ECONNRESET');
  return response;
}

const SYSTEM_CALLS = { ECONNRESET: 'read', ECONNREFUSED: 'connect' } as const;

/**
 * Returns the error that Node's `fetch` throws for a broken connection. It names the system call,
 * which is the only proof that a refused connection carried nothing.
 */
function connectionError(code: keyof typeof SYSTEM_CALLS): TypeError {
  const syscall = SYSTEM_CALLS[code];
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  return new TypeError('fetch failed', { cause });
}
