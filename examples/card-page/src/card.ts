import { type Card, NotFoundError } from 'card-platform-sdk';
import {
  type CardRevealOptions,
  createCardReveal,
  createPinPage,
} from 'card-platform-sdk/card-reveal';
import { button, element, type Panel, panel, runAction } from './elements.js';
import type { App } from './platform.js';

/** Shows the card: order it, view it, freeze it, set its PIN. */
export function cardPanel(app: App): HTMLElement {
  const own = panel('Card');

  async function refresh(): Promise<void> {
    try {
      show(await app.userClient.card.status());
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      own.body.replaceChildren(
        element('p', {}, 'You have no card yet.'),
        button(own, 'Order a card', order, { className: 'main' }),
      );
    }
  }

  async function order(): Promise<void> {
    await app.userClient.card.order({ type: 'VIRTUAL' });
    own.showStatus('Your card is being made.');
    const onProgress = (card: Card) => own.showStatus(`Your card is ${card.status.toLowerCase()}.`);
    show(await app.userClient.card.waitUntilActive({ timeout: 60_000, interval: 500, onProgress }));
    own.showStatus('Your card is ready.', 'good');
  }

  function show(card: Card): void {
    const secret = element('div');
    const frozen = card.status === 'FROZEN';
    const freeze = async () => {
      await (frozen ? app.userClient.card.unfreeze() : app.userClient.card.freeze());
      own.showStatus(frozen ? 'Your card works again.' : 'Your card is frozen.', 'good');
      await refresh();
    };
    own.body.replaceChildren(
      faceOf(card),
      element(
        'div',
        { className: 'row' },
        button(own, 'Show details', () =>
          showImage((options) => app.userClient.card.createDetailsToken({}, options), secret),
        ),
        button(own, 'Show PIN', () =>
          showImage((options) => app.userClient.card.createPinToken({}, options), secret),
        ),
        button(own, 'Set PIN', () => setPin(app, own, secret)),
        ...(card.status === 'ACTIVE' || frozen
          ? [button(own, frozen ? 'Unfreeze' : 'Freeze', freeze)]
          : []),
      ),
      secret,
    );
  }

  const load = button(own, 'Load', refresh);
  own.body.append(load);
  runAction(own, load, refresh);
  return own.root;
}

function faceOf({ status, panLast4, holderName, expiryDate }: Card): HTMLElement {
  return element(
    'div',
    { className: status === 'ACTIVE' ? 'card-face' : 'card-face off' },
    element('strong', {}, status),
    element('span', { className: 'number' }, `•••• •••• •••• ${panLast4 ?? '••••'}`),
    element('span', {}, [holderName, expiryDate].filter(Boolean).join(' · ')),
  );
}

/** Shows a short-lived image, until its time is over or the page is hidden. */
async function showImage(load: CardRevealOptions['load'], place: HTMLElement): Promise<void> {
  const reveal = createCardReveal({ load });
  const image = element('img', {
    className: 'secret',
    alt: 'Secret details of your card',
    referrerPolicy: 'no-referrer',
  });
  reveal.subscribe(() => {
    const { status, url } = reveal.getSnapshot();
    if (status === 'gone') image.remove();
    if (status !== 'shown' || url === undefined) return;
    image.src = url;
    place.replaceChildren(image);
  });
  const { error } = await reveal.show();
  if (error !== undefined) throw error;
}

/** Embeds the PIN page of the service. The PIN never passes through this page. */
async function setPin(
  { userClient }: App,
  { showStatus: say }: Panel,
  place: HTMLElement,
): Promise<void> {
  const pinPage = createPinPage({
    load: (options) => userClient.card.createSetPinToken({ isEmbedded: true }, options),
  });
  const frame = element('iframe', { className: 'secret', title: 'Set your PIN' });
  pinPage.subscribe(() => {
    const { status, reason } = pinPage.getSnapshot();
    if (status !== 'gone') return;
    frame.remove();
    if (reason !== 'failed') say('The PIN page is closed.');
  });
  const { error } = await pinPage.show();
  if (error !== undefined) throw error;
  place.replaceChildren(frame);
  pinPage.attachFrame(frame);
}
