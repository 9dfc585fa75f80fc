import type { Outcome } from '../errors/index.js';

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

/** Where log lines go: the shape of `console` and of pino. */
export type Logger = {
  /** An attempt was answered. */
  debug(fields: LogFields, message: string): void;
  /** An attempt failed or was refused. */
  warn(fields: LogFields, message: string): void;
};

/** Logs one line. What a logger throws changes nothing. */
export function log(
  logger: Logger | undefined,
  level: keyof Logger,
  fields: LogFields,
  message: string,
): void {
  try {
    logger?.[level](fields, message);
  } catch {
    // What a logger does must not change what a call gives.
  }
}
