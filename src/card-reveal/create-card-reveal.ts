import { checkRevealOptions, Reveal } from './reveal.js';
import type { CardReveal, CardRevealOptions } from './types.js';

const VISIBLE_FOR_MS = 30_000;

/**
 * Creates a reveal of the card's details or its PIN. `show` requests the image, which is shown once
 * and for a limited time. It is hidden when its time is over, when you close it, or when the page is
 * no longer visible. To show it again, create another reveal.
 *
 * @throws ConfigurationError that says which option is wrong
 * @example
 * ```ts
 * import { createCardReveal } from 'card-platform-sdk/card-reveal';
 *
 * const reveal = createCardReveal({
 *   load: (options) => userClient.card.createPinToken({}, options),
 * });
 * declare const image: { src: string; hidden: boolean };
 * reveal.subscribe(() => {
 *   const { status, url } = reveal.getSnapshot();
 *   image.hidden = status !== 'shown';
 *   image.src = url ?? '';
 * });
 * const { error } = await reveal.show();
 * console.log(error === undefined);
 * ```
 */
export function createCardReveal(options: CardRevealOptions): CardReveal {
  const checked = checkRevealOptions(options, []);
  const load = async (signal: AbortSignal) => Object(await checked.load({ signal })).imageUrl;
  const reveal = new Reveal({ load, visibleFor: VISIBLE_FOR_MS }, checked);
  const { show, close, getSnapshot, subscribe } = reveal;
  return Object.freeze({ show, close, getSnapshot, subscribe });
}
