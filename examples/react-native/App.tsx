import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { AppState, Button, SafeAreaView } from 'react-native';
import { CardScreen } from './CardScreen';
import { LogIn } from './LogIn';
import { createUser, sessions } from './platform';

const queryClient = new QueryClient();

// Reads the data on the screen again when the app returns to the foreground.
AppState.addEventListener('change', (state) => {
  focusManager.setFocused(state === 'active');
  if (state === 'active') sessions.load().catch(() => {});
});

async function leave() {
  await sessions.signOut();
  queryClient.clear();
}

export default function App() {
  const { status, session } = useSyncExternalStore(sessions.subscribe, sessions.getSnapshot);
  // Once for each session, not with each render.
  const user = useMemo(() => session && createUser(session), [session]);
  if (status === 'loading') return null;
  return (
    <QueryClientProvider client={queryClient}>
      <SafeAreaView>
        {user === undefined ? <LogIn /> : <CardScreen user={user} />}
        {user === undefined ? null : <Button title="Log out" onPress={leave} />}
      </SafeAreaView>
    </QueryClientProvider>
  );
}
