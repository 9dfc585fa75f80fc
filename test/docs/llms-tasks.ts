import {
  type CardPlatformClient,
  isApiError,
  OtpRequiredError,
  outcomeOf,
} from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';

// Three tasks as an assistant solves them that has read llms.txt and nothing else.

/** Freezes the card of a user who may have to enter a code, and says whether it was frozen before. */
export async function freezeCard(
  client: CardPlatformClient,
  user: { email: string; password: string },
  readCode: () => string | undefined,
): Promise<string> {
  const login = await client.auth.login(user).catch(async (error) => {
    if (!(error instanceof OtpRequiredError)) throw error;
    await client.auth.sendLoginOtp(error.otpRequest);
    return client.auth.login({ ...user, otpCode: readCode() ?? '' });
  });
  if (login.phase) return 'finish onboarding first';
  try {
    await client.withAccessToken(login.accessToken).card.freeze();
    return 'frozen now';
  } catch (error) {
    if (isApiError(error, 'card_already_frozen')) return 'frozen before';
    throw error;
  }
}

/** Pays amounts out, one after the other. Stops at the first one that may or may not have been paid. */
export async function payOut(
  userClient: CardPlatformClient,
  amounts: readonly string[],
): Promise<string[]> {
  const lines: string[] = [];
  await userClient.journal.recover(({ entry, verdict }) => {
    lines.push(`${entry.details['amount']} ${verdict}`);
  });
  if (lines.length > 0) return lines;
  for (const amount of amounts) {
    try {
      await userClient.wallets.credit.withdraw({ amount });
      lines.push(`${amount} paid`);
    } catch (error) {
      if (outcomeOf(error) !== 'unknown') throw error;
      return [...lines, `${amount} unknown`];
    }
  }
  return lines;
}

/** Tests on the mock platform that a withdrawal whose response is lost is not sent again. */
export async function withdrawalsAfterLostResponse(): Promise<number> {
  const mock = createMockPlatform();
  const ada = mock.users.add({ creditBalance: '100', externalWallets: [{}] });
  const client = mock.clientFor(ada);
  mock.drop('wallets.credit.withdraw', 'after-processing');
  const error = await client.wallets.credit.withdraw({ amount: '5' }).catch((caught) => caught);
  if (outcomeOf(error) !== 'unknown') throw new Error('the outcome should be unknown');
  return mock.requests.matching({ operation: 'wallets.credit.withdraw' }).length;
}
