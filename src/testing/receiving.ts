import type { EndpointId } from '../contract/endpoints.js';
import { answerRequest, meet, type Surroundings } from './answering.js';
import type { Faults } from './faults.js';
import type { MockCredentials } from './guard.js';
import { answerPage } from './pages.js';
import { checkEvmMessage, trustSolanaProof } from './proofs.js';
import type { MockRequest } from './requests.js';
import { findRoute } from './routing.js';
import type { MockPlatformOptions } from './set-up.js';
import { parseBody, toResponse, unhandled } from './wire.js';
import type { World } from './world.js';

/** The platform as a request finds it. */
export type Reception = {
  baseUrl: string;
  credentials: MockCredentials;
  world: World;
  options: MockPlatformOptions;
  faults: Faults;
  requests: MockRequest[];
};

function surroundingsOf({ world, options, baseUrl, credentials }: Reception): Surroundings {
  const { verifyEvmProof, verifySolanaProof, additions = [] } = options;
  const { state, clock, ids } = world;
  const proofs = {
    evm: verifyEvmProof ?? checkEvmMessage,
    solana: verifySolanaProof ?? trustSolanaProof,
  };
  return { state, clock, ids, baseUrl, credentials, proofs, additions };
}

/** Writes a request down, and answers it: as its endpoint does, or as a planned fault has it. */
export async function receive(
  { url: href, method, headers }: Request,
  text: string,
  reception: Reception,
): Promise<Response> {
  const { world, faults, requests, baseUrl } = reception;
  const url = new URL(href);
  const base = new URL(baseUrl);
  const path = url.pathname.slice(base.pathname === '/' ? 0 : base.pathname.length);
  const query = url.searchParams;
  const isOurs = url.origin === base.origin;
  const page = isOurs
    ? answerPage(world.state, world.clock, { method, path, query, text })
    : undefined;
  if (page !== undefined) return page;
  const route = isOurs ? findRoute(method, path) : undefined;
  const body = parseBody(text);
  const entry: MockRequest = {
    operation: route?.endpoint.id as EndpointId | undefined,
    method,
    path: `${path}${url.search}`,
    headers: Object.fromEntries(headers),
    body,
    status: undefined,
  };
  requests.push(entry);
  if (route === undefined) throw unhandled(method, url, path);
  const answer = await meet(faults.take(route.endpoint.id), () =>
    answerRequest(surroundingsOf(reception), { route, headers, query, body }),
  );
  entry.status = answer.status;
  return toResponse(answer, world.clock.now());
}
