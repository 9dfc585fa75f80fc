import { escapeXml, PHONE, svg, wrap } from './svg.js';

/**
 * A message from the first lane to another, a note of the first lane to itself, or with an empty `to`
 * a heading.
 */
export type Message = { to: string; text: string };

const LINE = 18;
const GAP = 12;
const TOP = 50;
const FIRST = 30;
const LAST = PHONE - 40;
const TEXT_WIDTH = 42;
/** A little more than the average width of a character. */
const CHARACTER = 7.4;

/** Draws messages between lanes, from top to bottom, on the width of a phone. */
export function drawSequence(
  title: string,
  lanes: readonly string[],
  messages: readonly Message[],
): string {
  const [own = ''] = lanes;
  const x = (lane: string) =>
    FIRST + (lanes.indexOf(lane) * (LAST - FIRST)) / Math.max(1, lanes.length - 1);
  let y = TOP;
  const rows = messages.flatMap(({ to, text }) => {
    const style = to === '' ? ' class="head"' : '';
    const lines = wrap(text, TEXT_WIDTH);
    y += GAP;
    const first = y + LINE - 4;
    const left = x(own) + 10;
    const labels = lines.flatMap((line, index) => {
      const base = first + index * LINE;
      const width = Math.round(line.length * CHARACTER) + 4;
      return [
        // Interrupts the lines of the lanes that the text crosses.
        `<rect class="back" x="${left - 2}" y="${base - 14}" width="${width}" height="${LINE}"/>`,
        `<text${style} x="${left}" y="${base}">${escapeXml(line)}</text>`,
      ];
    });
    y += lines.length * LINE;
    if (to === '') return labels;
    return to === own
      ? [`<circle class="tip" cx="${x(own)}" cy="${first - 5}" r="4"/>`, ...labels]
      : [...labels, `<path class="line" marker-end="url(#tip)" d="M${x(own)} ${y}H${x(to) - 2}"/>`];
  });
  const height = y + 30;
  const columns = lanes.flatMap((lane) => [
    `<text class="head" x="${x(lane)}" y="30" text-anchor="middle">${escapeXml(lane)}</text>`,
    `<path class="line" stroke-dasharray="3 4" d="M${x(lane)} 40V${height - 12}"/>`,
  ]);
  const steps = messages.map(({ to, text }) => (to === own || to === '' ? text : `${to}: ${text}`));
  const description = `${title}. ${steps.map((step) => step.replace(/[.:]$/, '')).join('; ')}.`;
  return svg({ width: PHONE, height, description }, [...columns, ...rows]);
}
