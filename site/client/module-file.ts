/** The script that provides a module: one for the package, and one for each other module. */
export const fileOf = (name: string) =>
  name.startsWith('card-platform-sdk') && !/\/(web3|msw)$/.test(name)
    ? 'run.js'
    : `modules/${name.replace(/[@/]/g, '_')}.js`;

/** The script that provides the declarations of a module. */
export const typesFileOf = (name: string) => `types/${name.replace(/[@/]/g, '_')}.js`;
