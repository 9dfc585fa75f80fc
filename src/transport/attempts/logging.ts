import type { Outcome } from '../../errors/index.js';
import { quietly } from '../response/quietly.js';

/** What is logged of an attempt; nothing else ever is. */
export type LogFields = {
  /** Endpoint id. */
  operation: string;
  method: string;
  /** Path template, without values. */
  route: string;
  /** 1 for the first. */
  attempt: number;
  durationMs: number;
  status?: number | undefined;
  requestId?: string | undefined;
  /** Stable code of the error. */
  code?: string | undefined;
  outcome?: Outcome | undefined;
  /** Wait before the next attempt, in milliseconds. */
  retryInMs?: number | undefined;
};

/** Where log lines go: the shape of `console` and of pino. What it throws or rejects is ignored. */
export type Logger = {
  /** An attempt brought a response that can be used. */
  debug(fields: LogFields, message: string): void;
  /** An attempt failed or was refused. */
  warn(fields: LogFields, message: string): void;
};

/** Logs one line. */
export function log(
  logger: Logger | undefined,
  level: keyof Logger,
  fields: LogFields,
  message: string,
): void {
  quietly(() => logger?.[level](fields, message));
}
