import { useQueryClient } from '@tanstack/react-query';
import { Button, Text } from 'react-native';
import { useLimit } from './delegate';
import type { User } from './platform';

export function Delegation({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const { message, isForUserToSay, isRunning, start: setLimit } = useLimit(user);

  async function start(replace: boolean) {
    await setLimit('250', replace);
    await queryClient.invalidateQueries(user.queries.within('wallets.external'));
  }

  return (
    <>
      <Button title="Pay from my wallet" disabled={isRunning} onPress={() => start(false)} />
      {isForUserToSay && <Button title="I looked: nothing was sent" onPress={() => start(true)} />}
      <Text>{message}</Text>
    </>
  );
}
