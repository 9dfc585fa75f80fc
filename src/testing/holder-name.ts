import type { MockUser } from './state.js';

/** Returns the name on a user's card, in upper case. */
export function holderNameOf({ profile, email }: Pick<MockUser, 'profile' | 'email'>): string {
  const name = [profile['firstName'], profile['lastName']].filter(Boolean).join(' ');
  return (name || email.split('@')[0] || '').toUpperCase();
}
