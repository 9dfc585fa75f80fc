'use client';

import { type Card, CardPlatformClient, isCardPlatformError } from 'card-platform-sdk';
import { useState } from 'react';

/** A client of the page. It has no key, and its requests go to this app's own server. */
const clientAt = (path: string) =>
  new CardPlatformClient({ baseUrl: `${location.origin}${path}`, throughProxy: true });

const user = () => clientAt('/api/card-platform');

/** Logs in at this app's own server, which keeps the access token. */
async function logIn(form: FormData): Promise<void> {
  const body = { email: String(form.get('email')), password: String(form.get('password')) };
  await clientAt('/api').request('POST', '/session', { body });
}

export function CardView() {
  const [card, setCard] = useState<Card>();
  const [message, setMessage] = useState('');

  async function run(work: () => PromiseLike<unknown>) {
    try {
      await work();
      setCard(await user().card.status());
      setMessage('');
    } catch (error) {
      if (!isCardPlatformError(error)) throw error;
      setMessage(`${error.code}: ${error.outcome}`);
    }
  }

  return (
    <>
      <form action={(form) => run(() => logIn(form))}>
        <label>
          E-mail <input name="email" type="email" required />
        </label>
        <label>
          Password <input name="password" type="password" required />
        </label>
        <button type="submit">Log in</button>
      </form>
      <section>
        <p>{card ? `${card.status} •••• ${card.panLast4}` : 'No card loaded.'}</p>
        <button type="button" onClick={() => run(async () => {})}>
          Show
        </button>
        <button type="button" onClick={() => run(() => user().card.freeze())}>
          Freeze
        </button>
        <p role="status">{message}</p>
      </section>
    </>
  );
}
