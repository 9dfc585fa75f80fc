import { randomBytes } from 'node:crypto';
import { ACCESS_TOKEN_LIFETIME_MS } from 'card-platform-sdk';

/** The server's data about a browser. None of it is sent to the browser. */
export type Session = {
  accessToken?: string | undefined;
  /** The consents recorded before the login. */
  consentSetId?: string | undefined;
};

/** Sessions by the random id in the cookie. In production, use a store that all servers share. */
export class Sessions {
  readonly #entries = new Map<string, { session: Session; expiresAt: number }>();

  /** Creates a session with a new id, so that an id planted before the login is worthless. */
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
