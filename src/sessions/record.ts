import { isCredential } from '../contract/formats/credential.js';
import type { Region } from '../transport/request/wire-request.js';
import type { SessionEndReason } from './types.js';

type Common = {
  readonly v: 1;
  /**
   * Grows with every change, so that an older record never replaces a newer one. It is the time of
   * the change where possible: then it grows even after somebody has emptied the store.
   */
  readonly epoch: number;
  /** The login that the record belongs to. */
  readonly id: string;
};

/** A session that has not ended: everything about its token in one text. */
export type ActiveRecord = Common & {
  readonly ended?: undefined;
  readonly region: Region;
  readonly userId?: string | undefined;
  readonly accessToken: string;
  readonly expiresAt: number;
  readonly renewAt: number;
  readonly refreshToken?: string | undefined;
  readonly refreshExpiresAt?: number | undefined;
  readonly kind?: string | undefined;
  /** When the refresh token was taken to be sent, in milliseconds since 1970. */
  readonly takenAt?: number | undefined;
};

/** What remains of a session, so that a late renewal cannot bring it back. It holds no secret. */
type EndedRecord = Common & { readonly ended: SessionEndReason };

export type SessionRecord = ActiveRecord | EndedRecord;

const REASONS: readonly unknown[] = [
  'expired',
  'rejected',
  'replaced',
  'signed_out',
  'renewal_unknown',
];

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isTime = (value: unknown) => value === undefined || Number.isFinite(value);

/** Reads a stored text. Anything that this package has not written is not a session. */
export function parseRecord(text: unknown): SessionRecord | undefined {
  if (typeof text !== 'string') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const record: Partial<Record<keyof ActiveRecord, unknown>> = Object(value);
  const { v, epoch, id, ended, region, userId, accessToken, refreshToken, kind } = record;
  if (v !== 1 || !Number.isSafeInteger(epoch) || !isText(id)) return undefined;
  const isEnded = REASONS.includes(ended);
  const isActive =
    ended === undefined &&
    (region === 'global' || region === 'us') &&
    isCredential(accessToken) &&
    Number.isFinite(record.expiresAt) &&
    Number.isFinite(record.renewAt) &&
    (userId === undefined || isText(userId)) &&
    (refreshToken === undefined || isText(refreshToken)) &&
    (kind === undefined || isText(kind)) &&
    isTime(record.refreshExpiresAt) &&
    isTime(record.takenAt);
  return isEnded || isActive ? (value as SessionRecord) : undefined;
}

/** The epoch of a record that replaces another one now. */
export function epochAfter(previous: SessionRecord | undefined, now: number): number {
  return Math.max(Math.floor(now), (previous?.epoch ?? 0) + 1);
}

/** The record that ends a session. */
export function endedRecord(
  previous: SessionRecord,
  ended: SessionEndReason,
  now: number,
): EndedRecord {
  return { v: 1, epoch: epochAfter(previous, now), id: previous.id, ended };
}
