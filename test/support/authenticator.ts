import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Options = { challenge: string; rpId?: string; rp?: { id?: string } };

/** An authenticator in software with one passkey, as a security key with a PIN would answer a browser. */
export type Authenticator = {
  /** Answers the options of a registration with a new passkey, as JSON. */
  create(options: Options, origin: string): string;
  /** Signs the challenge of the options, as JSON. `isVerified` is whether the person gave the PIN. */
  sign(options: Options, origin: string, given?: { isVerified?: boolean }): string;
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

/** Creates an authenticator with a key of ECDSA on P-256. */
export function authenticator(): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;
  const dataFor = (site: string, flags: number, more = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([sha256(site), Buffer.from([flags]), count, more]);
  };
  const answer = (response: Record<string, string>): string =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });
  return {
    create({ challenge, rp }, origin) {
      const { x, y } = publicKey.export({ format: 'jwk' });
      const coseKey = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x!, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y!, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey]);
      const data = dataFor(rp!.id!, PRESENT | VERIFIED | WITH_KEY, credential);
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a06861757468446174615900', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      return answer({
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
      });
    },
    sign({ challenge, rpId }, origin, { isVerified = true } = {}) {
      const client = clientData('webauthn.get', challenge, origin);
      const data = dataFor(rpId!, PRESENT | (isVerified ? VERIFIED : 0));
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return answer({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function sha256(content: string | Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}
