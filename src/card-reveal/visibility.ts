import { ConfigurationError } from '../errors/index.js';
import type { AppVisibility, DocumentVisibility, RevealOptions } from './types.js';

/** Whether the user sees the page, and a way to learn when it is hidden. */
export type Visibility = {
  isHidden(): boolean;
  /** Calls the listener when it becomes hidden. Returns a function that removes it. */
  onHidden(listener: () => void): () => void;
};

const ALWAYS_VISIBLE: Visibility = { isHidden: () => false, onHidden: () => () => {} };

function ofDocument(page: DocumentVisibility): Visibility {
  const isHidden = () => page.visibilityState === 'hidden';
  return {
    isHidden,
    onHidden: (listener) => {
      const check = () => {
        if (isHidden()) listener();
      };
      page.addEventListener('visibilitychange', check);
      return () => page.removeEventListener('visibilitychange', check);
    },
  };
}

/** The system takes the screenshot for its app switcher while an app is `inactive`. */
const HIDDEN_STATES: readonly unknown[] = ['inactive', 'background'];

function ofApp(app: AppVisibility): Visibility {
  return {
    isHidden: () => HIDDEN_STATES.includes(app.currentState),
    onHidden: (listener) => {
      const subscription = app.addEventListener('change', (state) => {
        if (HIDDEN_STATES.includes(state)) listener();
      });
      return () => subscription.remove();
    },
  };
}

/**
 * Reads the option `visibility`.
 *
 * @throws ConfigurationError
 */
export function visibilityOf(given: RevealOptions['visibility']): Visibility {
  const page = globalThis as { document?: DocumentVisibility };
  const source = given ?? page.document;
  if (source === undefined || source === false) return ALWAYS_VISIBLE;
  if (typeof Object(source).addEventListener === 'function') {
    if ('visibilityState' in source) return ofDocument(source);
    if ('currentState' in source) return ofApp(source);
  }
  throw new ConfigurationError(
    'visibility',
    'visibility must be document, the AppState of React Native, or false.',
  );
}
