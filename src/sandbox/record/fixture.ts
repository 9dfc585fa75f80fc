import type { Endpoint } from '../../contract/endpoint.js';
import type { Body, Exchange, RedactedKind } from './exchange.js';
import { isJsonType, mediaTypeOf } from './media-type.js';
import type { Knowledge, Redaction } from './redact-value.js';
import { errorSchemaOf, wireFieldsOf, zodOf } from './schema-parts.js';

/** The headers by which a client proves who it is. A fixture lists them without their values. */
export const CREDENTIAL_HEADERS = {
  clientKey: 'x-client-key',
  clientId: 'x-client-id',
  secretKey: 'x-secret-key',
  accessToken: 'authorization',
} as const;

/** A body without its secrets. `redacted` is the reason why nothing of it is kept. */
type FixtureBody = { body?: unknown; redacted?: RedactedKind };

/** A recorded exchange without its secrets. */
export type Fixture = {
  version: 1;
  /** Endpoint id, for example `card.status`; `null` for an unknown endpoint. */
  operation: string | null;
  request: {
    method: string;
    path: string;
    query: Record<string, string>;
    /** Names of the credential headers that were sent. */
    credentials: string[];
    headers: Record<string, string>;
  } & FixtureBody;
  response: { status: number; headers: Record<string, string> } & FixtureBody;
};

const METHOD = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/;

/** Returns a standard method, and `OTHER` for any other word. */
export const shownMethod = (method: string): string => (METHOD.test(method) ? method : 'OTHER');

/** Returns the knowledge that the contract has of a response body. */
function responseKnowledge({ route, response }: Exchange): Knowledge {
  const shape = route?.endpoint.responses[response.status];
  if (route === undefined || response.status < 300) return zodOf(shape?.promise);
  return zodOf(errorSchemaOf(route.endpoint, response.body));
}

/** Returns the path, with every value replaced and every part that is not known hidden. */
export function shownPath({ route, path }: Exchange, redaction: Redaction): string {
  const template = route?.endpoint.path;
  if (template === undefined) {
    return path.replace(/[^/]+/g, (part) => redaction.name(part));
  }
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(redaction.placeholders.replace(route?.params[name] ?? '')),
  );
}

function fixtureBody(body: Body, known: Knowledge, redaction: Redaction): FixtureBody {
  if ('json' in body) return { body: redaction.json(body.json, known) };
  return body.kind === 'empty' ? {} : { redacted: body.kind };
}

/**
 * Returns a media type without room for a secret. An unknown one keeps whether it is JSON, because a
 * client reads no other type as JSON.
 */
function shownMediaType(header: string | undefined): string | undefined {
  const type = mediaTypeOf(header);
  if (header === undefined || type !== 'other') return type;
  return isJsonType(header) ? 'application/json' : 'application/octet-stream';
}

/** Only headers that a replay needs, and only values without room for a secret. */
function shownHeaders(headers: Exchange['request']['headers']): Record<string, string> {
  const type = shownMediaType(headers['content-type']);
  const us = headers['x-us-env'];
  const wait = headers['retry-after'];
  return {
    ...(type !== undefined && { 'content-type': type }),
    ...(us !== undefined && /^(?:true|false)$/.test(us) && { 'x-us-env': us }),
    ...(wait !== undefined && /^\d{1,4}$/.test(wait) && { 'retry-after': wait }),
  };
}

/**
 * Replaces every credential first, so that it is replaced wherever else it occurs. Returns the
 * names of the headers that contain them.
 */
function registerCredentials({ request }: Exchange, redaction: Redaction): string[] {
  const sent = Object.values(CREDENTIAL_HEADERS).filter((name) => name in request.headers);
  for (const name of sent) {
    redaction.placeholders.replace((request.headers[name] ?? '').replace(/^Bearer /i, ''));
  }
  return sent;
}

/** Builds the fixture of an exchange. It contains only values that are harmless by the contract. */
export function fixtureOf(exchange: Exchange, redaction: Redaction): Fixture {
  const { method, query, request, response, route } = exchange;
  const credentials = registerCredentials(exchange, redaction);
  const known = route && wireFieldsOf(route.endpoint);
  const { query: fields = [], wireNames = {} }: Partial<Endpoint> = route?.endpoint ?? {};
  const names = fields.map((name) => wireNames[name] ?? name);
  return {
    version: 1,
    operation: route?.endpoint.id ?? null,
    request: {
      method: shownMethod(method),
      path: shownPath(exchange, redaction),
      query: Object.fromEntries(
        query.map(([name, value]) => [
          redaction.name(name),
          redaction.text(value, name, names.includes(name) ? 'named' : undefined),
        ]),
      ),
      credentials,
      headers: shownHeaders(request.headers),
      ...fixtureBody(request.body, known, redaction),
    },
    response: {
      status: response.status,
      headers: shownHeaders(response.headers),
      ...fixtureBody(response.body, responseKnowledge(exchange), redaction),
    },
  };
}
