export type { KeyValueStore } from '../stores/key-value-store.js';
export type { Journal } from '../transport/settings/journal-option.js';
export type { CustomReconcile, LookResult, LookTools, SeenEffect } from './custom-reconcile.js';
export { createJournal } from './journal.js';
export type {
  ClientJournal,
  JournalCause,
  JournalEntry,
  JournalEvidence,
  JournalVerdict,
  ReconcileOptions,
  Reconciliation,
  RecoveredEntry,
} from './journal-types.js';
export type { JournalOptions } from './options.js';
