import { generateKeyPairSync, sign } from 'node:crypto';

// Writes just enough DER for one X.509 certificate, so that the repository holds no private key and
// needs no OpenSSL.
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const integer = (value: number) => der(0x02, Buffer.from([value]));
const time = (text: string) => der(0x17, Buffer.from(text));
const TRUE = der(0x01, Buffer.from([0xff]));
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));

function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))));
}

// The certificate is its own authority and valid for 127.0.0.1 only.
const EXTENSIONS = sequence(
  sequence(oid('551d13'), TRUE, der(0x04, sequence(TRUE))),
  sequence(oid('551d11'), der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1]))))),
);

/** Returns a new private key and a self-signed certificate for 127.0.0.1, both as PEM. */
export function selfSignedCertificate(commonName: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    nameOf(commonName),
    sequence(time('000101000000Z'), time('491231235959Z')),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, EXTENSIONS),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}
