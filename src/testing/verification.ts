import { type MockCall, type MockResponse, ok } from './behaviour.js';
import { changeVerification } from './events.js';
import type { Simulation } from './simulation.js';
import type { MockUser } from './state.js';

/** The real provider takes 5 to 30 minutes. */
const PROCESSING_MS = 10 * 60_000;

/** Creates a page of the identity provider, and returns the response with its URL. */
export function startVerification(
  { state, ids, clock, baseUrl }: MockCall,
  user: MockUser,
  lifetimeMs: number,
  options: { isReusable?: true } = {},
): MockResponse {
  const token = ids.token();
  state.pages.push({
    token,
    kind: 'verification',
    userId: user.id,
    isEmbedded: false,
    isUsed: false,
    ...options,
    customCss: {},
    expiresAt: clock.now() + lifetimeMs,
  });
  return ok({ sessionUrl: `${baseUrl}/verification?token=${token}` });
}

/**
 * Records that the user submitted documents. The verification is pending until the result is due. A
 * verified user stays verified.
 */
export function submitVerification(
  { clock, deliveries }: Simulation,
  user: MockUser,
  result: 'VERIFIED' | 'REJECTED',
  isDone = false,
): void {
  if (user.verificationState === 'VERIFIED') return;
  user.verification = { result, doneAt: clock.now() + (isDone ? 0 : PROCESSING_MS) };
  changeVerification(user, 'PENDING', (event) => deliveries.emit(event));
}
