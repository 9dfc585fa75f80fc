import { useMutation } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { appClient, sessions } from './platform.js';
import { sentenceFor } from './sentences.js';

/** Logs the user in, and keeps the session in the store. */
async function logIn(form: FormData): Promise<void> {
  const login = await appClient.auth.login({
    email: String(form.get('email')),
    password: String(form.get('password')),
  });
  if (login.phase) throw new Error(`Please finish your registration first (${login.phase}).`);
  await sessions.signIn(login, { region: 'global' });
}

const REASONS = {
  expired: 'Your session has expired.',
  rejected: 'Your session has ended.',
  replaced: 'Somebody else has logged in.',
  signed_out: 'You are logged out.',
  renewal_unknown: 'Your session could not be renewed. Log in again.',
};

export function Login() {
  const snapshot = useSyncExternalStore(sessions.subscribe, sessions.getSnapshot);
  // A login that is sent later, or a second time, would surprise the user.
  const { mutate, error, isPending } = useMutation({
    mutationFn: logIn,
    networkMode: 'always',
    retry: false,
  });
  const reason = snapshot.status === 'signed_out' ? snapshot.reason : undefined;
  return (
    <section className="panel login" aria-labelledby="login">
      <h1 id="login">Log in</h1>
      <form action={(form) => mutate(form)}>
        <label className="field">
          E-mail
          <input name="email" type="email" required />
        </label>
        <label className="field">
          Password
          <input name="password" type="password" required />
        </label>
        <button type="submit" className="main" disabled={isPending}>
          Log in
        </button>
      </form>
      <p role="status" className="status-line">
        {error ? sentenceFor(error) : reason && REASONS[reason]}
      </p>
    </section>
  );
}
