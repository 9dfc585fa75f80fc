/** The folder, below the scripts of the site, of the modules that programs import. */
export const fileOf = (name: string) => `modules/${name.replace(/[@/]/g, '_')}.js`;

const FLOWS = /^card-platform-sdk\/(?:evm|solana|wagmi)$/;

const underThisPage = (options: object) =>
  'domain' in options || 'uri' in options
    ? {
        ...options,
        ...('domain' in options && { domain: location.host }),
        ...('uri' in options && { uri: location.origin }),
      }
    : options;

/**
 * An entry whose delegations run under the host of this page: the guides write `app.example`, and a
 * message for another host than the page's is refused.
 */
function underThisHost<T extends object>(entry: T): T {
  const flows = Object.entries(entry)
    .filter(([name, value]) => /Delegation$|^delegate/.test(name) && typeof value === 'function')
    .map(([name, flow]) => [
      name,
      // That of wagmi takes its config before the options.
      (...given: object[]) => flow(...given.map(underThisPage)),
    ]);
  return { ...entry, ...Object.fromEntries(flows) };
}

const loaded = new Map<string, object>();

/** A module that has been loaded. */
export const loadedModule = (name: string) => loaded.get(name);

/** Loads a module that a program of a page imports. */
export async function loadModule<T>(name: string): Promise<T> {
  const { it }: { it: T & object } = await import(
    new URL(`./${fileOf(name)}`, import.meta.url).href
  );
  const module = FLOWS.test(name) ? underThisHost(it) : it;
  loaded.set(name, module);
  return module;
}
