import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import {
  addressBytes,
  bits,
  der,
  integer,
  octets,
  oid,
  sequence,
  TRUE,
  text,
  time,
} from './der.js';

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const DAY_MS = 86_400_000;
const LIFETIME_DAYS = 90;

/** A certificate for some hosts, as `node:https` takes it, and the authority that clients trust. */
type MadeCertificate = {
  /** PEM of the certificate and its authority. */
  cert: string;
  /** PEM of the private key. */
  key: string;
  /** PEM of the authority that signed the certificate. */
  ca: string;
};

type Subject = { name: string; publicKey: KeyObject; extensions: readonly Buffer[] };
type Issuer = { name: string; publicKey: KeyObject; privateKey: KeyObject };

const nameOf = (value: string) => sequence(der(0x31, sequence(oid('550403'), text(value))));
const extension = (id: string, value: Buffer, isCritical = false) =>
  sequence(oid(id), ...(isCritical ? [TRUE] : []), octets(value));

const spkiOf = (key: KeyObject) => key.export({ type: 'spki', format: 'der' });
const keyIdOf = (key: KeyObject) =>
  createHash('sha256').update(spkiOf(key)).digest().subarray(0, 20);

const BASIC_CONSTRAINTS = '551d13';
const KEY_USAGE = '551d0f';
const SUBJECT_KEY_ID = '551d0e';
const AUTHORITY_KEY_ID = '551d23';
const EXTENDED_KEY_USAGE = '551d25';
const SUBJECT_ALT_NAME = '551d11';

const AUTHORITY = [
  // It must not sign further authorities.
  extension(BASIC_CONSTRAINTS, sequence(TRUE, integer(0)), true),
  extension(KEY_USAGE, bits(Buffer.from([0b0000_0100]), 2), true), // signs certificates
];

const altName = (host: string) =>
  isIP(host) === 0 ? der(0x82, Buffer.from(host)) : der(0x87, addressBytes(host));

const serverFor = (hosts: readonly string[]) => [
  extension(BASIC_CONSTRAINTS, sequence(), true),
  extension(KEY_USAGE, bits(Buffer.from([0b1000_0000]), 7), true), // signs handshakes
  extension(EXTENDED_KEY_USAGE, sequence(oid('2b06010505070301'))), // server
  extension(SUBJECT_ALT_NAME, sequence(...hosts.map(altName))),
];

/** Signs a certificate of version 3, valid from yesterday: clocks of devices differ. */
function issue(subject: Subject, issuer: Issuer, now: number): string {
  const unsigned = sequence(
    der(0xa0, integer(2)),
    integer(1, ...randomBytes(15)),
    ECDSA_WITH_SHA256,
    nameOf(issuer.name),
    sequence(time(new Date(now - DAY_MS)), time(new Date(now + LIFETIME_DAYS * DAY_MS))),
    nameOf(subject.name),
    spkiOf(subject.publicKey),
    der(
      0xa3,
      sequence(
        ...subject.extensions,
        extension(SUBJECT_KEY_ID, octets(keyIdOf(subject.publicKey))),
        extension(AUTHORITY_KEY_ID, sequence(der(0x80, keyIdOf(issuer.publicKey)))),
      ),
    ),
  );
  const signature = sign('sha256', unsigned, issuer.privateKey);
  const whole = sequence(unsigned, ECDSA_WITH_SHA256, bits(signature)).toString('base64');
  const lines = whole.match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/**
 * Makes a certificate for host names and IP addresses, and an authority for it. The authority's key
 * is discarded: a device that trusts the authority trusts this certificate and nothing else.
 */
export function makeCertificate(hosts: readonly string[], now = Date.now()): MadeCertificate {
  const authorityKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // Two sandboxes must not look like the same authority.
  const name = `card-platform-sandbox ${keyIdOf(authorityKeys.publicKey).toString('hex', 0, 4)}`;
  const issuer = { name, ...authorityKeys };
  const ca = issue({ ...issuer, extensions: AUTHORITY }, issuer, now);
  const subject = { name: 'card-platform-sandbox', publicKey: keys.publicKey };
  const cert = issue({ ...subject, extensions: serverFor(hosts) }, issuer, now);
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: cert + ca, key, ca };
}
