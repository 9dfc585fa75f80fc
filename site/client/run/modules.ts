/** The folder, below the scripts of the site, of the modules that programs import. */
export const fileOf = (name: string) => `modules/${name.replace(/[@/]/g, '_')}.js`;

const loaded = new Map<string, object>();

/** A module that has been loaded. */
export const loadedModule = (name: string) => loaded.get(name);

/** Loads a module that a program of a page imports. */
export async function loadModule<T>(name: string): Promise<T> {
  const { it }: { it: T & object } = await import(
    new URL(`./${fileOf(name)}`, import.meta.url).href
  );
  loaded.set(name, it);
  return it;
}
