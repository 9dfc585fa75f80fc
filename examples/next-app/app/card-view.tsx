'use client';

import { type Card, CardPlatformClient, isCardPlatformError } from 'card-platform-sdk';
import { useState } from 'react';

/** The client of the page. It has no key, and its requests go to this app's own server. */
const user = () =>
  new CardPlatformClient({
    baseUrl: `${location.origin}/api/card-platform`,
    throughProxy: true,
  });

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
  );
}
