import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, RefreshControl, ScrollView, Text } from 'react-native';
import { Delegation } from './Delegation';
import { messageOf } from './messages';
import { PinPage } from './PinPage';
import type { User } from './platform';
import { SecureImage } from './SecureImage';

export function CardScreen({ user }: { user: User }) {
  const { queries } = user;
  const queryClient = useQueryClient();
  const card = useQuery(queries.card.status());
  // Runs after an error too, because its outcome may be unknown.
  const onSettled = () => queryClient.invalidateQueries(queries.within('card'));
  const freeze = useMutation({ ...queries.card.freeze(), onSettled });
  const unfreeze = useMutation({ ...queries.card.unfreeze(), onSettled });
  const details = useMutation(queries.card.createDetailsToken());
  const pin = useMutation(queries.card.createSetPinToken());
  const mutations = [freeze, unfreeze, details, pin];
  const isPending = mutations.some((mutation) => mutation.isPending);
  const error = mutations.find((mutation) => mutation.isError)?.error ?? card.error;

  /**
   * Starts a mutation. Clears the error of the previous one, and its URLs, which work only once.
   */
  function start(mutate: () => void) {
    for (const mutation of mutations) mutation.reset();
    mutate();
  }

  if (pin.data !== undefined) return <PinPage url={pin.data.hostedPageUrl} onEnd={pin.reset} />;
  const isFrozen = card.data?.status === 'FROZEN';
  return (
    <ScrollView
      refreshControl={
        <RefreshControl refreshing={card.isFetching} onRefresh={() => void card.refetch()} />
      }
    >
      <Text>{card.data ? `${card.data.status} •••• ${card.data.panLast4}` : 'Card'}</Text>
      <Button
        title={isFrozen ? 'Unfreeze' : 'Freeze'}
        disabled={isPending || card.data === undefined}
        onPress={() => start(isFrozen ? unfreeze.mutate : freeze.mutate)}
      />
      <Button
        title="Show details"
        disabled={isPending}
        onPress={() => start(() => details.mutate({}))}
      />
      <Button
        title="Set PIN"
        disabled={isPending}
        onPress={() => start(() => pin.mutate({ isEmbedded: true }))}
      />
      {details.data === undefined ? null : <SecureImage url={details.data.imageUrl} />}
      <Text>{error === null ? '' : messageOf(error)}</Text>
      <Delegation user={user} />
    </ScrollView>
  );
}
