export const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** The width of a picture whose text stays readable on a phone of 390 px. */
export const PHONE = 360;

/** Breaks a text into lines of at most this many characters. */
export function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/**
 * Returns an SVG with a text alternative, which is readable on light and on dark pages. One for a
 * phone keeps its size on a larger screen.
 */
export function svg(
  { width, height, description }: { width: number; height: number; description: string },
  parts: readonly string[],
): string {
  const size = width === PHONE ? ` width="${width}" height="${height}"` : '';
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"${size} role="img">`,
    `<title>${escapeXml(description)}</title>`,
    '<style>',
    'text{font:14px system-ui,sans-serif;fill:#1f2933;paint-order:stroke;stroke:#fff;stroke-width:4px}',
    '.head{font-weight:600}.box+text,.in{stroke:none}',
    '.back{fill:#fff}.line{stroke:#52606d;fill:none}.tip{fill:#52606d}.box{fill:#e1effa;stroke:#1769aa}',
    '@media(prefers-color-scheme:dark){text{fill:#e4e7eb;stroke:#1b1f24}.back{fill:#1b1f24}',
    '.line{stroke:#9aa5b1}.tip{fill:#9aa5b1}.box{fill:#123a5a;stroke:#63b3ed}}',
    '</style>',
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"',
    ' orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
    `<rect class="back" width="${width}" height="${height}" rx="8"/>`,
    ...parts,
    '</svg>',
  ].join('\n')}\n`;
}
