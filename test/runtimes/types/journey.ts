import { CardPlatformClient } from 'card-platform-sdk';

// Code that nearly every consumer writes. Its type instantiations have a budget.

const client = new CardPlatformClient({ baseUrl: 'https://api.example.com', clientKey: 'key' });

export async function freezeCard(email: string, password: string): Promise<string> {
  const session = await client.auth.login({ email, password });
  if (session.phase) return session.phase;
  const userClient = client.withAccessToken(session.accessToken);
  await userClient.card.freeze();
  const { status } = await userClient.card.status();
  return status;
}
