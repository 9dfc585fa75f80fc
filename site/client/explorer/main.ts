import { explore } from './explorer.js';

globalThis.cardSite.modules['explorer'] = { explore };
