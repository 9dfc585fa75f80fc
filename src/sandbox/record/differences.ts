import { nearestRoute } from '../../testing/routing.js';
import type { Exchange } from './exchange.js';
import type { Difference, Finding } from './finding.js';
import { CREDENTIAL_HEADERS, shownMethod, shownPath } from './fixture.js';
import type { Redaction } from './redact-value.js';
import { requestDifferences } from './request-differences.js';
import { responseDifferences } from './response-differences.js';
import { findObservedCall, OBSERVED_CALLS } from './routes.js';

function credentialFindings({ route, request }: Exchange): Finding[] {
  const needed = (route?.endpoint.credentials ?? []).map((name) => CREDENTIAL_HEADERS[name]);
  return needed
    .filter((name) => !(name in request.headers))
    .map((name) => ({
      kind: 'missing-field',
      path: `header ${name}`,
      message: 'the contract requires this header',
    }));
}

/** Returns all differences of an exchange from the contract. */
export function differencesOf(exchange: Exchange, redaction: Redaction): readonly Difference[] {
  const { method, path, route } = exchange;
  if (route === undefined) {
    const observed = findObservedCall(method, path, exchange.request.body);
    const operation = `${shownMethod(method)} ${shownPath(exchange, redaction)}`;
    const hint =
      observed === undefined
        ? `the nearest is ${nearestRoute(method, path, OBSERVED_CALLS)?.id}`
        : `--observed compares it with ${observed.endpoint.id}`;
    const message = `the contract has no such endpoint; ${hint}`;
    return [{ kind: 'unknown-endpoint', side: 'request', operation, path: '', message }];
  }
  const operation = route.endpoint.id;
  const on = (side: Difference['side']) => (finding: Finding) => ({ side, operation, ...finding });
  return [
    ...credentialFindings(exchange).map(on('request')),
    ...requestDifferences(exchange, route, redaction).map(on('request')),
    ...responseDifferences(exchange, route, redaction).map(on('response')),
  ];
}
