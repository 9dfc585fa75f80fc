import { randomBytes } from 'node:crypto';
import { ACCESS_TOKEN_LIFETIME_MS } from 'card-platform-sdk';

/** What the server remembers of a browser. None of it is ever sent to the browser. */
export type Session = {
  accessToken?: string | undefined;
  /** The consents that were recorded before there was a user. */
  consentSetId?: string | undefined;
};

/** Sessions by the random id in the cookie. Yours are in a store that all your servers share. */
export class Sessions {
  readonly #entries = new Map<string, { session: Session; expiresAt: number }>();

  /** A new id for each login: an id that somebody planted before is worth nothing after it. */
  begin(session: Session): string {
    const id = randomBytes(32).toString('base64url');
    this.#entries.set(id, { session, expiresAt: Date.now() + ACCESS_TOKEN_LIFETIME_MS });
    return id;
  }

  read(id: string | undefined): Session | undefined {
    const entry = this.#entries.get(id ?? '');
    return entry !== undefined && entry.expiresAt > Date.now() ? entry.session : undefined;
  }

  end(id: string | undefined): void {
    this.#entries.delete(id ?? '');
  }
}
