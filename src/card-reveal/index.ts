export { createCardReveal } from './create-card-reveal.js';
export {
  createPinPage,
  type PinFrame,
  type PinPage,
  type PinPageOptions,
} from './create-pin-page.js';
export type {
  AppVisibility,
  CardReveal,
  CardRevealOptions,
  DocumentVisibility,
  RevealEndReason,
  RevealOptions,
  RevealSnapshot,
} from './types.js';
