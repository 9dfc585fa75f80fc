import { useQueryClient } from '@tanstack/react-query';
import { Button, Text } from 'react-native';
import { useLimit } from './delegate';
import type { User } from './platform';

export function Delegation({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const { message, isRunning, start: setLimit } = useLimit(user);

  async function start() {
    await setLimit('250');
    await queryClient.invalidateQueries(user.queries.within('wallets.external'));
  }

  return (
    <>
      <Button title="Pay from my wallet" disabled={isRunning} onPress={start} />
      <Text>{message}</Text>
    </>
  );
}
