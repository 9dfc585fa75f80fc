import type { AccessTokenProvider } from '../transport/credentials/credentials.js';
import type { ActiveRecord, SessionRecord } from './record.js';
import type { Session, SessionSnapshot } from './types.js';

/** The facts that a snapshot shows. */
type ViewState = {
  isRead: boolean;
  record: SessionRecord | undefined;
  /** Whether the token of the record is too old, and nothing can renew it. */
  isExpired: boolean;
};

/** The session as an application sees it: the same objects for as long as nothing changes. */
export class SessionView {
  readonly #providerOf: (id: string) => AccessTokenProvider;
  #session: Session | undefined;
  #snapshot: SessionSnapshot = Object.freeze({ status: 'loading', session: undefined });

  constructor(providerOf: (id: string) => AccessTokenProvider) {
    this.#providerOf = providerOf;
  }

  /** Returns the session of a record. */
  sessionOf({ id, userId, region }: ActiveRecord): Session {
    const known = this.#session;
    if (known?.id === id && known.userId === userId) return known;
    const session = Object.freeze({ id, userId, region, accessToken: this.#providerOf(id) });
    this.#session = session;
    return session;
  }

  /** Returns the snapshot: another object only if something in it has changed. */
  snapshot(state: ViewState): SessionSnapshot {
    const next = this.#describe(state);
    if (!isSame(next, this.#snapshot)) this.#snapshot = Object.freeze(next);
    return this.#snapshot;
  }

  #describe({ isRead, record, isExpired }: ViewState): SessionSnapshot {
    if (!isRead) return { status: 'loading', session: undefined };
    if (record !== undefined && record.ended === undefined && !isExpired) {
      const { expiresAt } = record;
      return { status: 'signed_in', session: this.sessionOf(record), expiresAt };
    }
    const reason = isExpired ? 'expired' : record?.ended;
    return { status: 'signed_out', session: undefined, reason };
  }
}

function isSame(one: SessionSnapshot, other: SessionSnapshot): boolean {
  const values = (snapshot: SessionSnapshot) => Object.values(snapshot);
  const others = values(other);
  return (
    one.status === other.status && values(one).every((value, index) => value === others[index])
  );
}
