import { withBase } from 'vitepress';

declare const __RUN_FOLDER__: string;

export type Runner = typeof import('../../client/run/main.js');
export type Explorer = typeof import('../../client/explorer/main.js');
export type Editor = typeof import('../../client/editor/main.js');

const load = (name: string) => import(/* @vite-ignore */ withBase(`/${__RUN_FOLDER__}/${name}.js`));

// The build bundles these scripts, which import the package and its tests, apart from the pages.
export const loadRunner = (): Promise<Runner> => load('main');
export const loadExplorer = (): Promise<Explorer> => load('explorer');
/** Loads the editor with the compiler. */
export const loadEditor = (): Promise<Editor> => load('editor');
