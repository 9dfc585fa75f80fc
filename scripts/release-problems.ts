/** What keeps a tag from being published: nothing, when tag, package and CHANGELOG agree. */
export function problemsOfRelease(tag: string, version: string, changelog: string): string[] {
  const problems: string[] = [];
  if (tag !== `v${version}`) problems.push(`the tag ${tag} is not the version ${version}`);
  const [, afterHeading] = changelog.split(`\n## [${version}] - `);
  if (afterHeading === undefined) return [...problems, `the CHANGELOG does not name ${version}`];
  const section = afterHeading.split('\n## ')[0] ?? '';
  if (!/^\d{4}-\d{2}-\d{2}\n/.test(section)) problems.push('the CHANGELOG names no day');
  if (!section.includes('\n- ')) problems.push(`the CHANGELOG says nothing of ${version}`);
  return problems;
}
