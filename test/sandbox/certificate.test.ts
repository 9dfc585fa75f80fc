import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../src/sandbox/tls/certificate.js';

const HOSTS = ['localhost', 'host.docker.internal', '127.0.0.1', '10.0.2.2', '::1', 'fd00::12:1'];
const made = makeCertificate(HOSTS);
const leaf = new X509Certificate(made.cert);
const authority = new X509Certificate(made.ca);
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Connects to a server with the certificate, and resolves when the client has accepted it. */
async function handshake(servername: string, ca?: string): Promise<boolean> {
  const server = createServer({ cert: made.cert, key: made.key }).listen(0, '127.0.0.1');
  closing.push(() => server.close());
  server.on('tlsClientError', () => undefined);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, servername, ...(ca && { ca }) });
  closing.push(() => socket.destroy());
  await once(socket, 'secureConnect');
  return socket.authorized;
}

describe('the certificate of --https', () => {
  it.each(HOSTS)('is valid for the host %s', (host) => {
    const isAddress = /^[\d.]+$|:/.test(host);
    expect(isAddress ? leaf.checkIP(host) : leaf.checkHost(host)).toBeDefined();
  });

  it('is not valid for any other host', () => {
    expect(leaf.checkHost('example.com')).toBeUndefined();
    expect(leaf.checkIP('10.0.2.3')).toBeUndefined();
    expect(leaf.checkIP('fd00::12:2')).toBeUndefined();
  });

  it('is signed by its authority, which signs nothing but certificates', () => {
    expect(leaf.checkIssued(authority)).toBe(true);
    expect(leaf.verify(authority.publicKey)).toBe(true);
    expect([leaf.ca, authority.ca]).toEqual([false, true]);
    expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(authority.verify(authority.publicKey)).toBe(true);
  });

  it('is valid from yesterday for 90 days, also beyond the year 2050', () => {
    for (const now of [Date.UTC(2026, 5, 1), Date.UTC(2049, 11, 1), Date.UTC(2060, 0, 1)]) {
      const { cert } = makeCertificate(['localhost'], now);
      const { validFrom, validTo } = new X509Certificate(cert);
      expect([Date.parse(validFrom), Date.parse(validTo)]).toEqual([
        now - 86_400_000,
        now + 90 * 86_400_000,
      ]);
    }
  });

  it('is accepted by a TLS client that trusts the authority', async () => {
    expect(await handshake('localhost', made.ca)).toBe(true);
  });

  it('is refused by a TLS client that does not trust the authority, or wants another host', async () => {
    await expect(handshake('localhost')).rejects.toThrow('self-signed certificate');
    await expect(handshake('example.com', made.ca)).rejects.toThrow('does not match');
  });

  it('has an authority of its own in each run', () => {
    const other = new X509Certificate(makeCertificate(['localhost']).ca);
    expect(other.subject).not.toBe(authority.subject);
    expect(leaf.checkIssued(other)).toBe(false);
  });

  it('holds many hosts, whose list needs a longer length field', () => {
    const hosts = Array.from({ length: 300 }, (_, index) => `host-${index}.example.test`);
    const { cert } = makeCertificate(hosts);
    expect(new X509Certificate(cert).checkHost('host-299.example.test')).toBeDefined();
  });
});
