/** The file with the declarations of a module, below the scripts of the site. */
export const typesFileOf = (name: string) => `types/${name.replace(/[@/]/g, '_')}.json`;
