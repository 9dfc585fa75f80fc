import { CardPlatformError } from './base.js';
import type { WebhookVerificationCode } from './error-codes.js';

/**
 * A webhook delivery that must not be trusted: act on nothing in it. Answer it with 400, and with
 * 503 while you replace a key: a delivery that got a 4xx was seen not to be sent again, and one that
 * the new key has signed may come before you have that key. See `docs/guides/webhooks.md`.
 */
export class WebhookVerificationError extends CardPlatformError {
  override readonly name = 'WebhookVerificationError';
  declare readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super({ code, message, outcome: 'rejected' });
  }
}
