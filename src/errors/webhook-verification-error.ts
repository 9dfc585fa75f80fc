import { CardPlatformError } from './base.js';

/** Why a delivery was not accepted. */
export type WebhookVerificationCode =
  | 'webhook_body_not_raw'
  | 'webhook_header_missing'
  | 'webhook_timestamp_invalid'
  | 'webhook_timestamp_outside_tolerance'
  | 'webhook_signature_invalid'
  | 'webhook_payload_invalid';

/** A webhook delivery that must not be trusted. Answer it with 400 and act on nothing in it. */
export class WebhookVerificationError extends CardPlatformError {
  override readonly name = 'WebhookVerificationError';
  declare readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super({ code, message, outcome: 'rejected' });
  }
}
