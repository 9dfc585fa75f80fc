import type { MockCard, MockPage } from './state.js';

/** The contract documents the defaults of the details. Those of the PIN are the mock's own. */
const DEFAULT_COLOURS = {
  cardBackgroundColor: '#000000',
  cardTextColor: '#FFFFFF',
  panBackgroundColor: '#EFEFEF',
  panTextColor: '#000000',
  backgroundColor: '#1f2937',
  textColor: '#f9fafb',
};

const line = (y: number, text: string, colour: string | number) =>
  `<text x="24" y="${y}" font-size="22" fill="${colour}">${text}</text>`;

function svg(height: number, background: string | number, content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="360" height="${height}" viewBox="0 0 360 ${height}" role="img"><rect width="360" height="${height}" rx="16" fill="${background}"/><g font-family="monospace">${content}</g></svg>`;
}

/**
 * Renders the PIN or the details of a card as an image, in the requested colours. A page that embeds
 * it cannot read its text.
 */
export function imageOf({ kind, customCss }: MockPage, card: MockCard): string {
  const css = { ...DEFAULT_COLOURS, ...customCss };
  if (kind === 'pin') {
    return svg(76, css.backgroundColor, line(52, `PIN ${card.pin}`, css.textColor));
  }
  const [year = '', month = ''] = card.expiryDate.split('/');
  const content = [
    `<rect x="12" y="22" width="336" height="42" rx="8" fill="${css.panBackgroundColor}"/>`,
    // No issuer uses this range, so the number cannot be mistaken for a real card.
    line(52, `0000 0000 0000 ${card.panLast4}`, css.panTextColor),
    line(96, `${month}/${year.slice(2)}   CVV 000`, css.cardTextColor),
  ];
  return svg(120, css.cardBackgroundColor, content.join(''));
}
