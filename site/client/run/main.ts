import './route-fetch.js';
import { type Played, type Program, play } from './play.js';
import { EVENTS, type EventName, type SentRequest, Stage } from './stage.js';

export type { EventName, Program, SentRequest };

/** The events that a page offers. */
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** The facts of an error that a page shows. */
export type ShownError = {
  name: string;
  message: string;
  outcome?: string;
  code?: string;
};

/** What a page shows about a run. */
export type Shown = {
  printed: readonly string[];
  error?: ShownError;
  requests: readonly SentRequest[];
  /** The number of the first request that does more than read. */
  mainRequest: number;
};

/** Returns the facts of an error that a page shows. */
export function factsOf(error: unknown): ShownError {
  const { name, message, outcome, code } = Object(error) as Record<string, unknown>;
  return {
    name: `${name ?? 'Error'}`,
    message: `${message ?? error}`,
    ...(typeof outcome === 'string' && { outcome }),
    ...(typeof code === 'string' && { code }),
  };
}

/** Only one program runs at a time: runs replace globals of the page. */
let lastRun: Promise<unknown> = Promise.resolve();

/** Runs a program, with an event right before one of its requests if one is chosen. */
export async function run(
  program: Program,
  event?: { name: EventName; before: number },
): Promise<Shown> {
  const stage = new Stage(event);
  const running: Promise<Played> = lastRun.then(() => play(program, stage));
  lastRun = running;
  const played = await running;
  return {
    printed: played.printed,
    ...('error' in played && { error: factsOf(played.error) }),
    requests: stage.requests,
    mainRequest: stage.mainRequest,
  };
}
