import { openEditor } from './editor.js';

globalThis.cardSite.modules['editor'] = { openEditor };
