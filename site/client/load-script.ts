/** The modules that scripts of the site have put here, for the code in the page. */
export type Loaded = Record<string, unknown>;

declare global {
  var cardSite: {
    modules: Loaded;
    /** Declarations by module, then by file. */
    types: Record<string, Record<string, string>>;
    /** The scripts that provide declarations. */
    typed: readonly string[];
  };
}

globalThis.cardSite ??= { modules: {}, types: {}, typed: [] };

const started = new Map<string, Promise<void>>();

/** The address of the site's folder: pages also work from a folder on disk and below a path. */
export const base = () => document.documentElement.dataset['base'] ?? './';

/** Loads a script of the site once. A script tag also works from disk, where `import` does not. */
export function loadScript(path: string): Promise<void> {
  const loading =
    started.get(path) ??
    new Promise<void>((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${base()}assets/${path}`;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(`${path} could not be loaded`));
      document.head.append(script);
    });
  started.set(path, loading);
  return loading;
}

/** Loads a module of the site that a script provides under a name. */
export async function loadModule<T>(name: string, path: string): Promise<T> {
  if (!(name in globalThis.cardSite.modules)) await loadScript(path);
  return globalThis.cardSite.modules[name] as T;
}
