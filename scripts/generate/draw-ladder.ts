import { escapeXml, PHONE, svg, wrap } from './svg.js';

/** Something that happens or holds, and what it leads to. */
export type Rung = { text: string; to: string };

const TRUNK = 24;
const LINE = 18;
const BOX = { x: 200, width: 148, height: 30 };
const TEXT_WIDTH = 23;

const box = (x: number, y: number, width: number, text: string) => [
  `<rect class="box" x="${x}" y="${y - BOX.height / 2}" width="${width}" height="${BOX.height}" rx="8"/>`,
  `<text class="head" x="${x + width / 2}" y="${y + 5}" text-anchor="middle">${escapeXml(text)}</text>`,
];

/** Draws one way down, with a branch to the right at each rung, and a box where the way ends. */
export function drawLadder(
  title: string,
  { start, rungs, end }: { start: string; rungs: readonly Rung[]; end?: string },
): string {
  const wide = PHONE - 24;
  let y = 30;
  const parts = box(12, y, wide, start);
  y += BOX.height / 2;
  const top = y;
  for (const { text, to } of rungs) {
    const lines = wrap(text, TEXT_WIDTH);
    y += 12;
    for (const line of lines) {
      y += LINE;
      parts.push(`<text x="${TRUNK + 10}" y="${y}">${escapeXml(line)}</text>`);
    }
    y += 12;
    parts.push(
      `<path class="line" marker-end="url(#tip)" d="M${TRUNK} ${y}H${BOX.x - 3}"/>`,
      ...box(BOX.x, y, BOX.width, to),
    );
    y += 6;
  }
  const facts = [start, ...rungs.map(({ text, to }) => `${text}: ${to}`)];
  if (end === undefined) {
    parts.push(`<path class="line" d="M${TRUNK} ${top}V${y - 6}"/>`);
  } else {
    const tip = y + 20;
    y = tip + 3 + BOX.height / 2;
    facts.push(end);
    parts.push(
      `<path class="line" marker-end="url(#tip)" d="M${TRUNK} ${top}V${tip}"/>`,
      ...box(12, y, wide, end),
    );
  }
  return svg(
    { width: PHONE, height: y + 30, description: `${title}. ${facts.join('; ')}.` },
    parts,
  );
}
