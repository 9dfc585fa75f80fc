import { type Behaviours, type MockCall, ok, textOf } from '../behaviour.js';
import { isInEnvironment } from '../environment.js';
import { documentedErrorResponse } from '../error-responses.js';
import type { MockConsentSet } from '../state.js';

const notFound = ({ endpoint }: MockCall) => documentedErrorResponse(endpoint.id, 404);

/** The fields of a set that no response shows. Only the audit trail shows the metadata. */
type HiddenFields = 'metadata' | 'tenant' | 'environment';

/** Returns a consent set as responses show it. */
export function shownSet({
  metadata: _,
  tenant: __,
  environment: ___,
  ...set
}: MockConsentSet): Omit<MockConsentSet, HiddenFields> {
  return set;
}

/** Returns the consent sets of the tenant and the environment that a request is for. */
export const setsOf = ({ state, tenant, environment }: MockCall): MockConsentSet[] =>
  state.consentSets.filter((set) => set.tenant === tenant && isInEnvironment(environment, set));

type Links = Record<string, { href: string; method: string }>;

function selfLink({ baseUrl }: MockCall, id: string): Links {
  return { self: { href: `${baseUrl}/v2/consent/consentSet/${id}`, method: 'GET' } };
}

/** Adds the links of a response that the contract documents with them, or of a read. */
function withLinks({ state }: MockCall, body: object, links: Links, isRead = false): object {
  const { consentLinks } = state.choices;
  const areShown = isRead ? consentLinks === 'on-reads-too' : consentLinks !== 'absent';
  return areShown ? { ...body, _links: links } : body;
}

function findSet(call: MockCall, field: string): MockConsentSet | undefined {
  const id = textOf(call, field).toLowerCase();
  return setsOf(call).find(({ consentSetId }) => consentSetId === id);
}

function audit(
  call: MockCall,
  action: string,
  set: MockConsentSet,
  before: unknown,
  metadata: Record<string, unknown> = {},
): void {
  call.state.auditRecords.push({
    auditId: call.ids.uuid(),
    action,
    timestamp: call.clock.iso(),
    consentSetId: set.consentSetId,
    changes: { before, after: { userId: set.userId } },
    metadata,
  });
}

/** Behaviours of the consent endpoints. */
export const consentBehaviours: Behaviours = {
  'consent.createOnboarding': (call) => {
    const { state, clock, ids } = call;
    const onboardingId = textOf(call, 'onboardingId');
    if (setsOf(call).some((set) => set.onboardingId === onboardingId)) {
      return documentedErrorResponse(call.endpoint.id, 409);
    }
    const now = clock.iso();
    const stamp = { createdAt: now, updatedAt: now };
    const consents = call.input['consents'] as Record<string, unknown>[];
    const set: MockConsentSet = {
      tenant: call.tenant,
      environment: call.environment ?? 'global',
      consentSetId: ids.uuid(),
      onboardingId,
      userId: null,
      tenantId: textOf(call, 'tenantId'),
      policyType: textOf(call, 'policyType'),
      completedAt: null,
      ...stamp,
      metadata: { ...(call.input['metadata'] as object | undefined) },
      consents: consents.map(({ consentType, consentStatus, metadata = {} }) => {
        return { consentId: ids.uuid(), consentType, consentStatus, metadata, ...stamp };
      }),
    };
    state.consentSets.push(set);
    audit(call, 'created', set, {}, set.metadata);
    const { consentSetId, tenantId, createdAt } = set;
    const created = { consentSetId, onboardingId, tenantId, createdAt };
    return ok(withLinks(call, created, selfLink(call, consentSetId)), 201);
  },

  'consent.linkUser': (call) => {
    const set = findSet(call, 'consentSetId');
    if (set === undefined) return notFound(call);
    if (set.userId !== null) return documentedErrorResponse(call.endpoint.id, 409);
    const before = { userId: set.userId };
    set.userId = textOf(call, 'userId');
    set.completedAt = call.clock.iso();
    set.updatedAt = set.completedAt;
    audit(call, 'linked', set, before);
    const { consentSetId, userId, completedAt } = set;
    const href = `${call.baseUrl}/v2/consent/user/${encodeURIComponent(userId)}/audit`;
    const links = { ...selfLink(call, consentSetId), audit: { href, method: 'GET' } };
    const linked = { consentSetId, userId, completedAt, consentSet: shownSet(set) };
    return ok(withLinks(call, linked, links));
  },

  'consent.getSet': (call) => {
    const set = findSet(call, 'id');
    if (set === undefined) return notFound(call);
    const links = selfLink(call, set.consentSetId);
    return ok(withLinks(call, shownSet(set), links, true));
  },

  'consent.getUserAudit': (call) => {
    const { state, input } = call;
    const userId = textOf(call, 'userId');
    const sets = setsOf(call).filter((set) => set.userId === userId);
    const ids = new Set<unknown>(sets.map(({ consentSetId }) => consentSetId));
    const records = state.auditRecords.filter(({ consentSetId }) => ids.has(consentSetId));
    const offset = Number(input['offset'] ?? 0);
    const limit = Number(input['limit'] ?? records.length);
    return ok({ userId, auditRecords: records.slice(offset, offset + limit) });
  },
};
