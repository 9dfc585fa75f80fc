import type { Exported } from './run-block.js';
import type { Stage } from './stage.js';

/** What a page needs around its blocks, and what its reader does with what they export. */
export type Scene = {
  /** Names that blocks use without declaring them, besides `platform` and `user`. */
  names?: Readonly<Record<string, unknown>>;
  /** Modules that are played by the test. */
  modules?: Readonly<Record<string, object>>;
  /** Uses what a block exports. The first block is number 1. */
  use?: (exported: Exported, block: number) => unknown;
  /** Ends what the scene has started. */
  end?: () => unknown;
};

/** The scenes of the pages that need one, by the page's file name. */
export const SCENES: Readonly<Record<string, (stage: Stage) => Scene | Promise<Scene>>> = {
  'getting-started.md': ({ mock, ada, after }) => {
    Object.assign(ada, { card: null, verificationState: 'UNVERIFIED' });
    after['user.startVerification'] = () => mock.verify(ada);
    after['user.get'] = () => mock.advance('5 minutes');
    return { names: { redirect: () => {} } };
  },

  'cards.md': ({ ada }) => {
    ada.card = null;
    return {};
  },
};
