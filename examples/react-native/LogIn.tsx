import { useState } from 'react';
import { Button, Text, TextInput } from 'react-native';
import { messageOf } from './messages';
import { logIn } from './platform';

export function LogIn() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [submitCode, setSubmitCode] = useState<((code: string) => void) | undefined>();
  const [message, setMessage] = useState('');
  // A function in a state is wrapped, because React would call it.
  const askForCode = () => new Promise<string>((resolve) => setSubmitCode(() => resolve));
  const submit = () =>
    logIn(email, password, askForCode).catch((error) => setMessage(messageOf(error)));
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
