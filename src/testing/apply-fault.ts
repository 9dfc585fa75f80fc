import type { MockResponse } from './behaviour.js';
import { breakOffBody, connectionError } from './broken-connections.js';
import type { FaultAction } from './faults.js';

/** How the platform handles a request that reaches it. */
export type Processing = {
  /** Changes the state and returns the response. */
  process: () => Promise<Response>;
  /** Sends the response of a fault. */
  respond: (response: MockResponse) => Response;
};

/**
 * Applies a planned fault to a request.
 *
 * @throws TypeError, as `fetch` does, when the connection breaks
 */
export async function applyFault(
  fault: FaultAction | undefined,
  { process, respond }: Processing,
): Promise<Response> {
  if (fault === undefined) return process();
  const { kind, moment } = fault;
  if (kind === 'fail') {
    if (moment === 'after-processing') await process();
    return respond(fault.response);
  }
  if (moment === 'refused') throw connectionError('ECONNREFUSED');
  if (moment === 'before-processing') throw connectionError('ECONNRESET');
  const response = await process();
  if (moment === 'mid-body') return breakOffBody(response);
  throw connectionError('ECONNRESET');
}
