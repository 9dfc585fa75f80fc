import { useQueryClient } from '@tanstack/react-query';
import { Button, Text } from 'react-native';
import { delegate, useDelegation } from './delegate';
import type { User } from './platform';

export function Delegation({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const { text, isRunning } = useDelegation();

  async function start() {
    await delegate(user);
    await queryClient.invalidateQueries(user.queries.within('wallets.external'));
  }

  return (
    <>
      <Button title="Pay from my wallet" disabled={isRunning} onPress={start} />
      <Text>{text}</Text>
    </>
  );
}
