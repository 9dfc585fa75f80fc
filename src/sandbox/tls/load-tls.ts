import { writeFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { readFileOf } from '../command-line.js';
import type { TlsOptions } from '../options.js';
import { UsageError } from '../usage-error.js';
import { makeCertificate } from './certificate.js';

/** The certificate of an https server. */
export type TlsSettings = {
  cert: string;
  key: string;
  /** PEM of the authority that clients must trust; `undefined` for a certificate from a file. */
  ca?: string | undefined;
};

/**
 * Makes a certificate for the hosts, or reads one.
 *
 * @throws UsageError for files that cannot be read or written, or that hold something else
 */
export function loadTls(tls: TlsOptions, hosts: readonly string[]): TlsSettings {
  if (tls.kind === 'files') return readCertificate(tls.certFile, tls.keyFile);
  // URLs have IPv6 addresses in brackets, certificates do not.
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    ...hosts.map((host) => host.replace(/[[\]]/g, '')),
  ];
  const made = makeCertificate([...new Set(names)]);
  if (tls.caFile !== undefined) writeAuthority(tls.caFile, made.ca);
  return made;
}

function writeAuthority(path: string, ca: string): void {
  try {
    writeFileSync(path, ca);
  } catch {
    throw new UsageError('--ca-file cannot be written');
  }
}

function readCertificate(certFile: string, keyFile: string): TlsSettings {
  const cert = readFileOf('--tls-cert', certFile);
  const key = readFileOf('--tls-key', keyFile);
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new UsageError('--tls-cert and --tls-key must be PEM files that belong together');
  }
  return { cert, key };
}
