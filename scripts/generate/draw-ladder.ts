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

type Ladder = { start: string; rungs: readonly Rung[]; end?: string };

/** Draws one way down, from `y`. */
function ladderAt(y: number, { start, rungs, end }: Ladder): { parts: string[]; bottom: number } {
  const wide = PHONE - 24;
  const parts = box(12, y, wide, start);
  const top = y + BOX.height / 2;
  let at = top;
  for (const { text, to } of rungs) {
    const lines = wrap(text, TEXT_WIDTH);
    at += 12;
    for (const line of lines) {
      at += LINE;
      parts.push(`<text x="${TRUNK + 10}" y="${at}">${escapeXml(line)}</text>`);
    }
    at += 12;
    parts.push(
      `<path class="line" marker-end="url(#tip)" d="M${TRUNK} ${at}H${BOX.x - 3}"/>`,
      ...box(BOX.x, at, BOX.width, to),
    );
    at += 6;
  }
  if (end !== undefined) {
    const tip = at + 20;
    parts.push(
      `<path class="line" marker-end="url(#tip)" d="M${TRUNK} ${top}V${tip}"/>`,
      ...box(12, tip + 3 + BOX.height / 2, wide, end),
    );
    return { parts, bottom: tip + 3 + BOX.height / 2 };
  }
  if (rungs.length > 0) parts.push(`<path class="line" d="M${TRUNK} ${top}V${at - 6}"/>`);
  return { parts, bottom: at };
}

/** Draws ways down, each with a branch to the right at each rung, and a box where it ends. */
export function drawLadders(title: string, ladders: readonly Ladder[]): string {
  const parts: string[] = [];
  const facts: string[] = [];
  let y = 30;
  for (const ladder of ladders) {
    const { parts: drawn, bottom } = ladderAt(y, ladder);
    parts.push(...drawn);
    facts.push(ladder.start, ...ladder.rungs.map(({ text, to }) => `${text}: ${to}`));
    if (ladder.end !== undefined) facts.push(ladder.end);
    y = bottom + 44;
  }
  const description = `${title}. ${facts.join('; ')}.`;
  return svg({ width: PHONE, height: y - 14, description }, parts);
}
