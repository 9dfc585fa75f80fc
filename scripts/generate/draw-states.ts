import { escapeXml, svg } from './svg.js';

/** A transition from one state to another. */
export type Transition = { from: string; to: string; text: string };

const STEP = 180;
const BOX = { width: 104, height: 38 };
const MIDDLE = 210;

/** Draws states in a row: forward transitions above them, backward ones below. */
export function drawStates(
  title: string,
  states: readonly string[],
  transitions: readonly Transition[],
): string {
  const x = (state: string) => 80 + states.indexOf(state) * STEP;
  const width = x(states.at(-1) ?? '') + 80;
  const boxes = states.flatMap((state) => [
    `<rect class="box" x="${x(state) - BOX.width / 2}" y="${MIDDLE - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="8"/>`,
    `<text class="head" x="${x(state)}" y="${MIDDLE + 5}" text-anchor="middle">${escapeXml(state)}</text>`,
  ]);
  const arrows = transitions.flatMap(({ from, to, text }) => {
    const distance = states.indexOf(to) - states.indexOf(from);
    const side = distance > 0 ? -1 : 1;
    const y = MIDDLE + (side * BOX.height) / 2;
    const top = y + side * (22 + 44 * Math.abs(distance));
    const middle = (x(from) + x(to)) / 2;
    // The highest point of the curve is half way to its control point.
    const label = (y + top) / 2 + (side < 0 ? -6 : 16);
    return [
      `<path class="line" marker-end="url(#tip)" d="M${x(from)} ${y}Q${middle} ${top} ${x(to)} ${y}"/>`,
      `<text x="${middle}" y="${label}" text-anchor="middle">${escapeXml(text)}</text>`,
    ];
  });
  const linked = new Set(transitions.flatMap(({ from, to }) => [from, to]));
  const alone = states.filter((state) => !linked.has(state));
  const notes = alone.map(
    (state) =>
      `<text x="${x(state)}" y="${MIDDLE + 38}" text-anchor="middle">seen, not explained</text>`,
  );
  const facts = [
    ...transitions.map(({ from, to, text }) => `${text}: from ${from} to ${to}`),
    ...alone.map((state) => `${state}: seen, not explained`),
  ];
  const description = `${title}. ${facts.join('; ')}.`;
  return svg({ width, height: MIDDLE + 120, description }, [...arrows, ...boxes, ...notes]);
}
