import { useMemo, useSyncExternalStore } from 'react';
import { Balance } from './balance.js';
import { Delegation } from './delegation.js';
import { Login } from './login.js';
import { OpenWithdrawals } from './open-withdrawals.js';
import { createUser, sessions } from './platform.js';
import { Withdrawal } from './withdrawal.js';

/** The login, or the page of the user who is signed in. */
export function App() {
  const { status, session } = useSyncExternalStore(sessions.subscribe, sessions.getSnapshot);
  // Once for each session, not with each render.
  const user = useMemo(() => session && createUser(session), [session]);
  if (status === 'loading') return <p>One moment…</p>;
  if (user === undefined) return <Login />;
  return (
    <>
      <header>
        <h1>My money</h1>
        <button type="button" onClick={() => sessions.signOut()}>
          Log out
        </button>
      </header>
      <div className="panels">
        <OpenWithdrawals user={user} />
        <Balance user={user} />
        <Withdrawal user={user} />
        <Delegation user={user} />
      </div>
    </>
  );
}
