/** The files with which a tag must agree. */
export type Release = {
  tag: string;
  /** The content of package.json. */
  manifest: {
    version: string;
    repository?: { url?: string };
    homepage?: string;
    bugs?: string;
  };
  changelog: string;
  /** The documents that the package ships, by path. */
  documents: Readonly<Record<string, string>>;
};

/** The placeholder in addresses until the repository has an owner. */
const PLACEHOLDER = /github(?:usercontent)?\.com\/OWNER\//;

function addressProblems({ repository, homepage, bugs }: Release['manifest']): string[] {
  const addresses = Object.entries({ repository: repository?.url, homepage, bugs });
  return addresses
    .filter(([, address]) => address === undefined || PLACEHOLDER.test(address))
    .map(([field, address]) => `package.json: ${field} is ${address ?? 'missing'}`);
}

function documentProblems(documents: Release['documents']): string[] {
  return Object.entries(documents)
    .filter(([, text]) => PLACEHOLDER.test(text))
    .map(([path]) => `${path}: has an address with the placeholder OWNER`);
}

function changelogProblems(version: string, changelog: string): string[] {
  const [, afterHeading] = changelog.split(`\n## [${version}] - `);
  if (afterHeading === undefined) return [`the CHANGELOG has no section for ${version}`];
  const section = afterHeading.split('\n## ')[0] ?? '';
  const problems: string[] = [];
  if (!/^\d{4}-\d{2}-\d{2}\n/.test(section)) problems.push(`${version} has no date`);
  if (!section.includes('\n- ')) problems.push(`the CHANGELOG lists nothing for ${version}`);
  return problems;
}

/** Returns why a tag must not be published: nothing when tag, package.json and CHANGELOG agree. */
export function problemsOfRelease({ tag, manifest, changelog, documents }: Release): string[] {
  const { version } = manifest;
  return [
    ...(tag === `v${version}` ? [] : [`the tag ${tag} does not match the version ${version}`]),
    ...addressProblems(manifest),
    ...documentProblems(documents),
    ...changelogProblems(version, changelog),
  ];
}
