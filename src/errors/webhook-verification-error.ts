import { CardPlatformError } from './base.js';
import type { WebhookVerificationCode } from './error-codes.js';

/**
 * A webhook delivery that must not be trusted: do not act on it. Respond with 400, or with 503 while
 * you replace a key: in practice a delivery that got a 4xx is not sent again, and a delivery signed
 * with the new key may arrive before you have that key. See `docs/server/webhooks.md`.
 */
export class WebhookVerificationError extends CardPlatformError {
  override readonly name = 'WebhookVerificationError';
  declare readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super({ code, message, outcome: 'rejected' });
  }
}
