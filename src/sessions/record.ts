import { isCredential } from '../contract/formats/credential.js';
import type { Region } from '../transport/request/wire-request.js';
import type { SessionEndReason } from './types.js';

type Common = {
  readonly v: 2;
  /** Random, and another one after every change: a late change is made only to the record it has seen. */
  readonly rev: string;
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
  /** When a renewal took the refresh token to send it, in milliseconds since 1970. */
  readonly takenAt?: number | undefined;
  /** How long a renewal may still be running: until this time, in milliseconds since 1970. */
  readonly renewingUntil?: number | undefined;
};

/** What remains of a session, so that a late renewal cannot bring it back. It contains no secret. */
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
  const { v, rev, id, ended, region, userId, accessToken, refreshToken, kind } = record;
  if (v !== 2 || !isText(rev) || !isText(id)) return undefined;
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
    isTime(record.takenAt) &&
    isTime(record.renewingUntil);
  return isEnded || isActive ? (value as SessionRecord) : undefined;
}

/** A random text for a login, or for one change of its record. */
export const randomText = () =>
  Math.random().toString(36).slice(2).padEnd(12, '0') + Math.random().toString(36).slice(2);

/** The record that ends a session. */
export function endedRecord({ id }: SessionRecord, ended: SessionEndReason): EndedRecord {
  return { v: 2, rev: randomText(), id, ended };
}
