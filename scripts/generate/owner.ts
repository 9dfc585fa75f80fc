import { readdirSync, readFileSync } from 'node:fs';

/** An address of the repository, up to its owner. */
const ADDRESS = /(github(?:usercontent)?\.com\/)[\w-]+(?=\/card-platform-sdk(?![\w-]))/g;
/** A line of CODEOWNERS. */
const CODE_OWNER = /^(\S+ @)[\w-]+$/gm;

/**
 * Returns the owner of the repository: the only place that names it is `repository` of package.json.
 *
 * @throws Error for another address than one of GitHub
 */
export function ownerOf({ repository }: { repository: { url: string } }): string {
  const [, owner] = /github\.com\/([\w-]+)\/card-platform-sdk\b/.exec(repository.url) ?? [];
  if (owner === undefined) throw new Error('package.json: repository is no address of GitHub');
  return owner;
}

/** Writes the owner into every address of the repository, and into a file of code owners. */
export function withOwner(path: string, text: string, owner: string): string {
  const addressed = text.replace(ADDRESS, (_, host: string) => `${host}${owner}`);
  if (!path.endsWith('CODEOWNERS')) return addressed;
  return addressed.replace(CODE_OWNER, (_, pattern: string) => `${pattern}${owner}`);
}

/** The files with addresses of the repository that are written by hand, by path. */
export function filesWithOwner(root: string): ReadonlyMap<string, string> {
  const guides = readdirSync(`${root}docs`, { encoding: 'utf8', recursive: true });
  const paths = [
    ...['package.json', 'SECURITY.md', 'CONTRIBUTING.md', '.github/CODEOWNERS'],
    ...guides.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ];
  return new Map(paths.map((path) => [path, readFileSync(`${root}${path}`, 'utf8')]));
}
