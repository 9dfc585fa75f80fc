import { defineEndpoint } from './define-endpoint.js';
import {
  anything,
  freeForm,
  input,
  list,
  optional,
  pathIdentifier,
  responseBody,
  text,
  wholeNumber,
} from './fields.js';
import { observedResponse } from './response.js';
import type { JsonObject, JsonValue } from './schema.js';

/** The user, and the part of the audit trail to return. */
export type ConsentAuditInput = {
  /** Any identifier without `/`, `\`, `?`, `#` or `%`, which a path cannot carry safely. */
  userId: string;
  /** How many records to return. */
  limit?: number | undefined;
  /** How many records to skip. */
  offset?: number | undefined;
};

/** The audit trail of a user (preview): any field may be absent. */
export type ConsentAudit = {
  userId?: string | null | undefined;
  auditRecords?:
    | readonly {
        auditId?: string | null | undefined;
        action?: string | null | undefined;
        timestamp?: string | null | undefined;
        consentSetId?: string | null | undefined;
        changes?:
          | { before?: JsonValue | undefined; after?: JsonValue | undefined }
          | null
          | undefined;
        metadata?: JsonObject | null | undefined;
      }[]
    | null
    | undefined;
};

const auditRecord = responseBody({
  auditId: text,
  action: text,
  timestamp: text,
  consentSetId: text,
  changes: responseBody({ before: anything, after: anything }),
  metadata: freeForm,
});

/** GET /v2/consent/user/{userId}/audit (preview) */
export const getConsentAudit = defineEndpoint<ConsentAuditInput, ConsentAudit>({
  id: 'consent.getUserAudit',
  method: 'GET',
  path: '/v2/consent/user/{userId}/audit',
  pageAccess: 'on-request',
  credentials: ['clientKey', 'secretKey'],
  stability: 'preview',
  retry: 'safe',
  input: input({
    userId: pathIdentifier,
    limit: optional(wholeNumber),
    offset: optional(wholeNumber),
  }),
  query: ['limit', 'offset'],
  secrets: ['auditRecords.changes', 'auditRecords.metadata'],
  redactsNamed: true,
  responses: {
    200: observedResponse(responseBody({ userId: text, auditRecords: list(auditRecord) })),
  },
});
