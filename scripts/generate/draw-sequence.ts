import { escapeXml, svg } from './svg.js';

/** A message from the first lane to another, or a note of the first lane to itself. */
export type Message = { to: string; text: string };

const LANE = 210;
const ROW = 30;
const TOP = 60;

/** Draws messages between lanes, from top to bottom. */
export function drawSequence(
  title: string,
  lanes: readonly string[],
  messages: readonly Message[],
): string {
  const [own = ''] = lanes;
  const x = (lane: string) => 120 + lanes.indexOf(lane) * LANE;
  const width = x(lanes.at(-1) ?? own) + 150;
  const height = TOP + messages.length * ROW + 24;
  const columns = lanes.flatMap((lane) => [
    `<text class="head" x="${x(lane)}" y="30" text-anchor="middle">${escapeXml(lane)}</text>`,
    `<path class="line" stroke-dasharray="3 4" d="M${x(lane)} 40V${height - 12}"/>`,
  ]);
  const rows = messages.flatMap(({ to, text }, index) => {
    const y = TOP + index * ROW + 16;
    const label = `<text x="${x(own) + 10}" y="${y - 5}">${escapeXml(text)}</text>`;
    const arrow = `<path class="line" marker-end="url(#tip)" d="M${x(own)} ${y}H${x(to) - 2}"/>`;
    return to === own
      ? [`<circle class="tip" cx="${x(own)}" cy="${y - 9}" r="4"/>`, label]
      : [label, arrow];
  });
  const steps = messages.map(({ to, text }) => (to === own ? text : `${to}: ${text}`));
  const description = `${title}. ${steps.map((step) => step.replace(/\.$/, '')).join('; ')}.`;
  return svg({ width, height, description }, [...columns, ...rows]);
}
