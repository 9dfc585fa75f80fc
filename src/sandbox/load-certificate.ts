import { createSecureContext } from 'node:tls';
import { readFileOf } from './command-line.js';
import type { CertificateFiles } from './options.js';
import { UsageError } from './usage-error.js';

/** PEM of the certificate of an https server, and of its private key. */
export type Certificate = { cert: string; key: string };

/**
 * Reads a certificate and its private key.
 *
 * @throws UsageError for files that cannot be read, or that hold something else
 */
export function loadCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  const cert = readFileOf('--tls-cert', certFile);
  const key = readFileOf('--tls-key', keyFile);
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new UsageError('--tls-cert and --tls-key must be PEM files that belong together');
  }
  return { cert, key };
}
