import type { EndpointId } from '../contract/endpoints.js';
import { parseWebUrl, type WebUrl } from '../contract/formats/url.js';
import type { CredentialsById } from './endpoint-credentials.js';
import { applyFault, type Faults } from './faults.js';
import { parseBody, toResponse, unknownEndpointError } from './http-messages.js';
import type { MockPlatformOptions } from './options.js';
import { servePage } from './pages.js';
import { acceptSolanaProof, checkEvmMessage } from './proofs.js';
import { readQuery } from './query.js';
import type { MockRequest } from './requests.js';
import { findRoute } from './routing.js';
import { type RequestContext, runBehaviour } from './run-behaviour.js';
import type { Simulation } from './simulation.js';

/** The parts of a platform that a request needs. */
export type PlatformParts = {
  baseUrl: string;
  endpointCredentials: CredentialsById;
  simulation: Simulation;
  options: MockPlatformOptions;
  faults: Faults;
  requests: MockRequest[];
};

function contextOf(parts: PlatformParts): RequestContext {
  const { simulation, options, baseUrl, endpointCredentials } = parts;
  const { verifyEvmProof, verifySolanaProof, additions = [] } = options;
  const proofs = {
    evm: verifyEvmProof ?? checkEvmMessage,
    solana: verifySolanaProof ?? acceptSolanaProof,
  };
  return { simulation, baseUrl, endpointCredentials, proofs, additions };
}

/** Logs a request and responds to it with its planned fault or the behaviour of its endpoint. */
export async function receiveRequest(
  { url: href, method, headers }: Request,
  text: string,
  parts: PlatformParts,
): Promise<Response> {
  const { simulation, faults, requests, baseUrl } = parts;
  const { origin = 'an unreadable URL', ...url }: Partial<WebUrl> = parseWebUrl(href) ?? {};
  const base = parseWebUrl(baseUrl);
  const path = (url.path ?? '').slice(base?.path === '/' ? 0 : base?.path.length);
  const search = url.query === '?' ? '' : (url.query ?? '');
  const query = readQuery(search);
  const isOurs = origin === base?.origin;
  const page = isOurs ? servePage(simulation, { method, path, query, text }) : undefined;
  if (page !== undefined) return page;
  const route = isOurs ? findRoute(method, path) : undefined;
  const body = parseBody(text);
  const entry: MockRequest = {
    operation: route?.endpoint.id as EndpointId | undefined,
    method,
    path: `${path}${search}`,
    headers: Object.fromEntries(headers),
    body,
    status: undefined,
  };
  requests.push(entry);
  if (route === undefined) throw unknownEndpointError(method, origin, path);
  const response = await applyFault(faults.take(route.endpoint.id), () =>
    runBehaviour(contextOf(parts), { route, headers, query, body }),
  );
  entry.status = response.status;
  return toResponse(response, simulation.clock.now());
}
