import { CardPlatformClient } from 'card-platform-sdk';

// Code that nearly every consumer writes. Its type instantiations have a budget.

const platform = new CardPlatformClient({ baseUrl: 'https://api.example.com', clientKey: 'key' });

export async function freezeCard(email: string, password: string): Promise<string> {
  const session = await platform.auth.login({ email, password });
  if (session.phase) return session.phase;
  const user = platform.withAccessToken(session.accessToken);
  await user.card.freeze();
  const { status } = await user.card.status();
  return status;
}
