import { type Card, type CardPlatformClient, isApiError, outcomeOf } from 'card-platform-sdk';
import { useEffect, useState } from 'react';
import { Button, RefreshControl, SafeAreaView, ScrollView, Text, TextInput } from 'react-native';
import { PinPage } from './PinPage';
import { forgetUser, logIn, restoreUser } from './platform';
import { SecureImage } from './SecureImage';

/** What a person may read about a failure. */
function messageOf(error: unknown): string {
  if (isApiError(error, 'card_not_found')) return 'You have no card yet.';
  return outcomeOf(error) === 'unknown'
    ? 'We do not know whether that worked. Look at your card before you try again.'
    : 'That did not work.';
}

function LogIn({ onUser }: { onUser: (user: CardPlatformClient) => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [submitCode, setSubmitCode] = useState<((code: string) => void) | undefined>();
  const [message, setMessage] = useState('');
  // A function in a state is wrapped, because React would call it.
  const askForCode = () => new Promise<string>((resolve) => setSubmitCode(() => resolve));
  const submit = () =>
    logIn(email, password, askForCode).then(onUser, (error) => setMessage(messageOf(error)));
  if (submitCode !== undefined) {
    return (
      <>
        <TextInput
          placeholder="Code"
          value={code}
          onChangeText={setCode}
          keyboardType="number-pad"
        />
        <Button title="Confirm" onPress={() => submitCode(code)} />
        <Text>{message}</Text>
      </>
    );
  }
  return (
    <>
      <TextInput placeholder="Email" value={email} onChangeText={setEmail} />
      <TextInput
        placeholder="Password"
        value={password}
        onChangeText={setPassword}
        secureTextEntry
      />
      <Button title="Log in" onPress={submit} />
      <Text>{message}</Text>
    </>
  );
}

function CardScreen({ user }: { user: CardPlatformClient }) {
  const [card, setCard] = useState<Card | undefined>();
  const [imageUrl, setImageUrl] = useState<string | undefined>();
  const [hostedPageUrl, setHostedPageUrl] = useState<string | undefined>();
  const [message, setMessage] = useState('');
  const [isLoading, setIsLoading] = useState(false);

  /** Runs an action, then reads the card again: also after an error, whose outcome may be unknown. */
  async function run(action: () => Promise<unknown>) {
    setIsLoading(true);
    setMessage('');
    try {
      await action();
    } catch (error) {
      setMessage(messageOf(error));
    }
    await user.card.status().then(setCard, (error) => setMessage(messageOf(error)));
    setIsLoading(false);
  }

  useEffect(() => void run(async () => {}), [user]);

  const isFrozen = card?.status === 'FROZEN';
  const showDetails = () =>
    run(async () => setImageUrl((await user.card.createDetailsToken({})).imageUrl));
  const setPin = () =>
    run(async () =>
      setHostedPageUrl((await user.card.createSetPinToken({ isEmbedded: true })).hostedPageUrl),
    );

  if (hostedPageUrl !== undefined) {
    return <PinPage url={hostedPageUrl} onEnd={() => setHostedPageUrl(undefined)} />;
  }
  return (
    <ScrollView
      refreshControl={
        <RefreshControl refreshing={isLoading} onRefresh={() => run(async () => {})} />
      }
    >
      <Text>{card === undefined ? 'Card' : `${card.status} •••• ${card.panLast4}`}</Text>
      <Button
        title={isFrozen ? 'Unfreeze' : 'Freeze'}
        onPress={() => run(() => (isFrozen ? user.card.unfreeze() : user.card.freeze()))}
      />
      <Button title="Show details" onPress={showDetails} />
      <Button title="Set PIN" onPress={setPin} />
      {imageUrl === undefined ? null : <SecureImage url={imageUrl} />}
      <Text>{message}</Text>
    </ScrollView>
  );
}

export default function App() {
  const [user, setUser] = useState<CardPlatformClient | undefined>();
  useEffect(() => {
    restoreUser().then(setUser);
  }, []);
  const leave = () => forgetUser().then(() => setUser(undefined));
  return (
    <SafeAreaView>
      {user === undefined ? <LogIn onUser={setUser} /> : <CardScreen user={user} />}
      {user === undefined ? null : <Button title="Log out" onPress={leave} />}
    </SafeAreaView>
  );
}
