import { CardPlatformClient, type CardPlatformError, isCardPlatformError } from 'card-platform-sdk';

// The app under test: log in, order a card, lock it. It does not know about the sandbox: the
// address of the service is a setting, as in every app.
const settings = new URLSearchParams(location.search);
const client = new CardPlatformClient({
  baseUrl: settings.get('api') ?? '',
  clientKey: settings.get('clientKey') ?? '',
});

const status = document.querySelector('[role=status]');
const show = (text: string) => {
  if (status) status.textContent = text;
};

/** What the user must know about a failure: whether anything was done. */
const TEXTS: Readonly<Record<CardPlatformError['outcome'], string>> = {
  not_sent: 'Nothing was sent. Try again.',
  rejected: 'That was refused. Nothing was changed.',
  unknown: 'We do not know whether it was done.',
  executed: 'It was done.',
};

let userClient = client;

const actions: Readonly<Record<string, () => Promise<string>>> = {
  'log-in': async () => {
    const email = document.querySelector('input')?.value ?? '';
    const session = await client.auth.login({
      email,
      password: document.querySelector<HTMLInputElement>('[type=password]')?.value ?? '',
    });
    if (session.phase) return 'Finish your registration first.';
    userClient = client.withAccessToken(session.accessToken);
    return `Logged in as ${email}`;
  },
  order: async () => {
    await userClient.card.order({ type: 'VIRTUAL' });
    return 'Your card is on its way.';
  },
  lock: async () => {
    const { error } = await userClient.card.freeze().safe();
    // A browser may send a request again by itself when the connection breaks.
    if (error && error.code !== 'card_already_frozen') throw error;
    return 'Your card is locked.';
  },
};

for (const [id, run] of Object.entries(actions)) {
  document.getElementById(id)?.addEventListener('click', async () => {
    show('One moment …');
    try {
      show(await run());
    } catch (error) {
      show(isCardPlatformError(error) ? TEXTS[error.outcome] : String(error));
    }
  });
}
