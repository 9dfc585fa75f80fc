export type { LookResult, SeenEffect } from '../contract/lookup.js';
export type { KeyValueStore } from '../stores/key-value-store.js';
export type { Journal } from '../transport/settings/journal-option.js';
export { createJournal } from './journal.js';
export type {
  ClientJournal,
  CustomReconcile,
  JournalCause,
  JournalEntry,
  JournalEvidence,
  JournalVerdict,
  LookTools,
  ReconcileOptions,
  Reconciliation,
  RecoveredEntry,
} from './journal-types.js';
export type { JournalOptions } from './options.js';
