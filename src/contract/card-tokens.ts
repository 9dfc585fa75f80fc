import { defineEndpoint } from './define-endpoint.js';
import type { Fields } from './field.js';
import {
  flag,
  HEX_COLOUR,
  HEX_COLOUR_RULE,
  hexColour,
  input,
  number,
  optional,
  responseBody,
  returnUrl,
  secureUrl,
  text,
  uuid,
} from './fields.js';
import { isObject } from './formats/is-object.js';
import { isAllowedReturnUrl } from './formats/url.js';
import { cardNotFound } from './refusals.js';
import { response } from './response.js';
import type { Safeguard } from './safeguard.js';

/** The colours of the image with the card details. Hex colours such as `#1A2B3C`. */
export type CardDetailsTokenInput = {
  customCss?:
    | {
        /** Default `#000000`. */
        cardBackgroundColor?: string | undefined;
        /** Default `#FFFFFF`. */
        cardTextColor?: string | undefined;
        /** Default `#EFEFEF`. */
        panBackgroundColor?: string | undefined;
        /** Default `#000000`. */
        panTextColor?: string | undefined;
      }
    | undefined;
};

/** The colours of the image with the PIN. Hex colours such as `#1A2B3C`. */
export type PinTokenInput = {
  customCss?: { backgroundColor?: string | undefined; textColor?: string | undefined } | undefined;
};

/** The look of the hosted page that sets the PIN, and where it redirects. */
export type SetPinTokenInput = {
  /**
   * Where the browser goes after the user completes or cancels; only when not embedded. https, http on
   * this machine, or a link such as `myapp://done` if its scheme is in `additions.redirectSchemes`.
   */
  redirectUrl?: string | undefined;
  /** Whether you embed the page in a frame, where it reports by `postMessage`. Default `false`. */
  isEmbedded?: boolean | undefined;
  /**
   * Colours must be hex colours such as `#1A2B3C`, which is this package's check. Radii are numbers,
   * whose unit the contract does not state.
   */
  customCss?:
    | {
        backgroundColor?: string | undefined;
        textColor?: string | undefined;
        backgroundColorPrimary?: string | undefined;
        textColorPrimary?: string | undefined;
        pinBorderColor?: string | undefined;
        buttonBorderRadius?: number | undefined;
        pinBorderRadius?: number | undefined;
      }
    | undefined;
};

/**
 * An image. The URL shows card secrets: never log or store it. Prints redacted. The image of a PIN
 * is single-use and lives about 10 minutes; the contract does not state this for the card details.
 *
 * @remarks
 * Only `imageUrl` is essential: a response that differs from the contract may lack `token`.
 */
export type ImageToken = { token: string; imageUrl: string };

/**
 * A hosted page. The URL acts for the user: never log or store it. Prints redacted.
 *
 * @remarks
 * Only `hostedPageUrl` is essential: a response that differs from the contract may lack `token`.
 */
export type HostedPageToken = { token: string; hostedPageUrl: string };

const imageToken = response(responseBody({ token: uuid, imageUrl: secureUrl }), ['imageUrl']);

// @__NO_SIDE_EFFECTS__
function style<Shape extends Fields>(shape: Shape) {
  return optional(input(shape));
}

const colour = optional(hexColour);

/** POST /v1/card/details/token */
export const createDetailsToken = defineEndpoint<CardDetailsTokenInput, ImageToken>({
  id: 'card.createDetailsToken',
  method: 'POST',
  path: '/v1/card/details/token',
  pageAccess: 'allowed',
  // Each retry leaves one more live URL. Of the statuses, only 503 reliably means that none was issued.
  retry: 'issues-token',
  retryAfterNoResponse: false,
  retryAfterStatuses: [503],
  input: input({
    customCss: style({
      cardBackgroundColor: colour,
      cardTextColor: colour,
      panBackgroundColor: colour,
      panTextColor: colour,
    }),
  }),
  responses: { 200: imageToken },
  // The contract lists no errors here, so the message is the one of the other card endpoints.
  businessErrors: [cardNotFound],
  secrets: ['token', 'imageUrl'],
});

/** POST /v1/card/pin/token */
export const createPinToken = defineEndpoint<PinTokenInput, ImageToken>({
  id: 'card.createPinToken',
  method: 'POST',
  path: '/v1/card/pin/token',
  pageAccess: 'allowed',
  retry: 'issues-token',
  retryAfterNoResponse: false,
  retryAfterStatuses: [503],
  input: input({ customCss: style({ backgroundColor: colour, textColor: colour }) }),
  responses: { 200: imageToken },
  errors: [401, 403, 404, 422, 498, 499, 500],
  businessErrors: [cardNotFound],
  secrets: ['token', 'imageUrl'],
});

// The user's browser follows it, so only a scheme that the app has named is allowed.
const redirectScheme: Safeguard = {
  path: 'redirectUrl',
  problem: ({ redirectUrl }, { redirectSchemes = [] }) =>
    typeof redirectUrl !== 'string' || isAllowedReturnUrl(redirectUrl, redirectSchemes)
      ? undefined
      : 'must be an https URL, or its scheme must be in additions.redirectSchemes',
};

const SET_PIN_COLOURS = [
  'backgroundColor',
  'textColor',
  'backgroundColorPrimary',
  'textColorPrimary',
  'pinBorderColor',
];

// The contract calls these strings, without a format. A misspelt colour would be ignored by the page.
// @__NO_SIDE_EFFECTS__
function hexInSetPin(name: string): Safeguard {
  return {
    path: `customCss.${name}`,
    problem: ({ customCss }) => {
      const value = isObject(customCss) ? customCss[name] : undefined;
      return typeof value !== 'string' || HEX_COLOUR.test(value) ? undefined : HEX_COLOUR_RULE;
    },
  };
}

/** POST /v1/card/set-pin/token */
export const createSetPinToken = defineEndpoint<SetPinTokenInput, HostedPageToken>({
  id: 'card.createSetPinToken',
  method: 'POST',
  path: '/v1/card/set-pin/token',
  pageAccess: 'allowed',
  retry: 'issues-token',
  retryAfterNoResponse: false,
  retryAfterStatuses: [503],
  input: input({
    redirectUrl: optional(returnUrl),
    isEmbedded: optional(flag),
    customCss: style({
      backgroundColor: optional(text),
      textColor: optional(text),
      backgroundColorPrimary: optional(text),
      textColorPrimary: optional(text),
      pinBorderColor: optional(text),
      buttonBorderRadius: optional(number),
      pinBorderRadius: optional(number),
    }),
  }),
  safeguards: [redirectScheme, ...SET_PIN_COLOURS.map(hexInSetPin)],
  responses: {
    200: response(responseBody({ token: uuid, hostedPageUrl: secureUrl }), ['hostedPageUrl']),
  },
  // The contract lists no errors here either: see `createDetailsToken`.
  businessErrors: [cardNotFound],
  secrets: ['token', 'hostedPageUrl'],
});
