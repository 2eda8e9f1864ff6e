import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes, createPrivateKey, type KeyObject, sign } from "node:crypto";

/** The keys of a browser's subscription, with which its push messages are encrypted. */
interface ReceiverKeys {
  /** A point on P-256, uncompressed: 65 bytes. */
  publicKey: Buffer;
  /** The secret that the browser shares with its senders: 16 bytes. */
  authSecret: Buffer;
}

/** The random parts of a message; tests pass those of the RFC. */
export interface MessageKeys {
  sender: ECDH;
  salt: Buffer;
}

const CURVE = "prime256v1";
const RECORD_SIZE = 4096;
/** Ends the only record of a message. Source: RFC 8188, section 2. */
const LAST_RECORD = Buffer.of(2);
const TAG_LENGTH = 16;
const HEADER_LENGTH = 16 + 4 + 1 + 65;

/** Push services need not take more bytes than this. Source: RFC 8291, section 4. */
export const LONGEST_PLAINTEXT = RECORD_SIZE - HEADER_LENGTH - LAST_RECORD.length - TAG_LENGTH;

/** Whether it is a point on the curve, in the form in which browsers give it. */
export function isPublicKey(key: Buffer): boolean {
  try {
    if (key.length !== 65 || key[0] !== 4) return false;
    const probe = createECDH(CURVE);
    probe.generateKeys();
    probe.computeSecret(key);
    return true;
  } catch {
    return false;
  }
}

function newMessageKeys(): MessageKeys {
  const sender = createECDH(CURVE);
  sender.generateKeys();
  return { sender, salt: randomBytes(16) };
}

/**
 * A message that only the browser of these keys can read, as the body of a request with the content coding `aes128gcm`. Throws when it is
 * longer than {@link LONGEST_PLAINTEXT}. Source: RFC 8291, sections 3 and 4; RFC 8188.
 */
export function encryptPush(
  plaintext: Buffer,
  { publicKey, authSecret }: ReceiverKeys,
  { sender, salt }: MessageKeys = newMessageKeys(),
): Buffer {
  if (plaintext.length > LONGEST_PLAINTEXT) throw new RangeError(`a push message of ${plaintext.length} bytes is too long`);
  const senderKey = sender.getPublicKey();
  const keyInfo = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, senderKey]);
  const inputKey = derive(sender.computeSecret(publicKey), authSecret, keyInfo, 32);
  const contentKey = derive(inputKey, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(inputKey, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", contentKey, nonce);
  const record = Buffer.concat([cipher.update(plaintext), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()]);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_SIZE);
  sizes.writeUInt8(senderKey.length, 4);
  return Buffer.concat([salt, sizes, senderKey, record]);
}

function derive(key: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, info, length));
}

/** The keys of a browser are at the end of its channel's address, where the page puts them. */
const KEYS = /[?&]p256dh=([\w-]{87})=?&auth=([\w-]{22})(?:==)?$/;

interface Subscription extends ReceiverKeys {
  /** Where messages for the browser go: the address that its push service gave out. */
  endpoint: string;
}

/** The subscription in the address of a channel; undefined when there is none. */
export function readSubscription({ href }: URL): Subscription | undefined {
  const [keys, p256dh, auth] = KEYS.exec(href) ?? [];
  if (keys === undefined || p256dh === undefined || auth === undefined) return undefined;
  return {
    // Not parsed with URLSearchParams, which could re-encode other parts of the address.
    endpoint: href.slice(0, -keys.length),
    publicKey: Buffer.from(p256dh, "base64url"),
    authSecret: Buffer.from(auth, "base64url"),
  };
}

/** The key pair by which push services recognise this server. */
export interface VapidKeys {
  /** base64url of the uncompressed point, as browsers ask for it when they subscribe. */
  publicKey: string;
  /** base64url of the scalar. */
  privateKey: string;
}

/** What a push service learns about a sender. */
interface VapidClaims {
  /** The origin of the push service. */
  aud: string;
  /** Seconds since 1970; at most a day ahead. */
  exp: number;
  /** How to reach the operator of this server: mailto: or https:. */
  sub: string;
}

const HEADER = base64url({ typ: "JWT", alg: "ES256" });

export function newVapidKeys(): VapidKeys {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  return { publicKey: pair.getPublicKey("base64url"), privateKey: pair.getPrivateKey("base64url") };
}

/** The value of `Authorization`. Source: RFC 8292, sections 2 and 3. */
export function vapidAuthorization(claims: VapidClaims, keys: VapidKeys): string {
  const signed = `${HEADER}.${base64url(claims)}`;
  const signature = sign("sha256", Buffer.from(signed), { key: privateKeyOf(keys), dsaEncoding: "ieee-p1363" });
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${keys.publicKey}`;
}

function privateKeyOf({ publicKey, privateKey }: VapidKeys): KeyObject {
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  // A scalar may begin with zeros, which must be kept in this form.
  const d = Buffer.concat([Buffer.alloc(32), Buffer.from(privateKey, "base64url")])
    .subarray(-32)
    .toString("base64url");
  return createPrivateKey({ key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "", d }, format: "jwk" });
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
