import { declarationsOf, entriesOfPackage } from './declarations.js';
import { reportOf } from './report.js';

const ROOT_ENTRY = 'card-platform-sdk';

/** Where the report of an entry is kept, from the root of the repository. */
function pathOf(entry: string): string {
  const name = entry === ROOT_ENTRY ? 'index' : entry.slice(ROOT_ENTRY.length + 1);
  return `api/${name.replaceAll('/', '-')}.api.md`;
}

/** Returns the API report of every entry, by the path of its file. */
export function apiReports(): Map<string, string> {
  const entries = entriesOfPackage();
  const declarations = declarationsOf(entries);
  return new Map(
    Object.keys(entries).map((entry) => {
      const heading = `# API of \`${entry}\`\n\nWritten by \`npm run generate\`: do not edit it.`;
      const report = reportOf(entry, ROOT_ENTRY, declarations);
      return [pathOf(entry), `${heading}\n\n\`\`\`ts\n${report}\`\`\`\n`];
    }),
  );
}
