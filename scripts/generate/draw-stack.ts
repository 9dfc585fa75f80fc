import { escapeXml, PHONE, svg } from './svg.js';

/** A party, and what it holds. */
export type Party = { name: string; lines: readonly string[] };

const LINE = 20;
const GAP = 62;

/** Draws parties from top to bottom, with what goes from each to the next. */
export function drawStack(
  title: string,
  parties: readonly Party[],
  between: readonly string[],
): string {
  const parts: string[] = [];
  let y = 12;
  for (const [index, { name, lines }] of parties.entries()) {
    const height = 38 + lines.length * LINE;
    parts.push(
      `<rect class="box" x="12" y="${y}" width="${PHONE - 24}" height="${height}" rx="8"/>`,
      `<text class="head" x="24" y="${y + 24}">${escapeXml(name)}</text>`,
      ...lines.map(
        (line, row) =>
          `<text class="in" x="24" y="${y + 24 + (row + 1) * LINE}">${escapeXml(line)}</text>`,
      ),
    );
    y += height;
    const text = between[index];
    if (text === undefined) continue;
    parts.push(
      `<path class="line" marker-end="url(#tip)" d="M32 ${y}V${y + GAP - 3}"/>`,
      `<text x="44" y="${y + GAP / 2 + 5}">${escapeXml(text)}</text>`,
    );
    y += GAP;
  }
  const facts = parties.map(({ name, lines }) => `${name}: ${lines.join(', ')}`);
  const ways = between.map(
    (text, index) => `${parties[index]?.name} to ${parties[index + 1]?.name}: ${text}`,
  );
  const description = `${title}. ${[...facts, ...ways].join('; ')}.`;
  return svg({ width: PHONE, height: y + 12, description }, parts);
}
